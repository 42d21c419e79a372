"""La costruzione intera: soltanto ciò che è cambiato, tutto o niente, sempre gli stessi byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from course_lib.building import pipeline, stamps
from course_lib.building.dependencies import dependencies, library_folder
from course_lib.building.pipeline import build
from course_lib.building.source import SourceError
from course_lib.project import CorsoError

NOTEBOOK = "notebooks/99-campione.ipynb"
SOLUTION, RELEASE = "solutions/es99/es99.ipynb", "exercises/es99/es99.ipynb"
BUILT = [NOTEBOOK, SOLUTION, RELEASE]


def snapshot(root: Path) -> dict[str, bytes]:
    return {name: (root / name).read_bytes() for name in BUILT}


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    return [name for name in BUILT if before[name] != after[name]]


def edit(root: Path, name: str, old: str, new: str) -> None:
    kind = "exercises" if name.startswith("es") else "notebooks"
    path = root / "sources" / kind / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def finto(monkeypatch):
    """I notebook non si eseguono: qui si prova chi decide, non il kernel."""
    monkeypatch.setattr("course_lib.building.notebooks.execute", lambda source, notebook: None)


def built(root: Path, **options) -> list[str]:
    return [target.name for target in build(root, say=lambda line: None, **options)]


def test_nothing_to_do_twice(corso):
    assert built(corso) == []


def test_only_files_of_the_course_are_written(corso):
    files = {path.relative_to(corso).as_posix() for path in corso.rglob("*") if path.is_file()}
    sources = {"sources/notebooks/99-campione.md", "sources/exercises/es99.md"}
    assert files == {*BUILT, *sources, ".costruzione/impronte.json"}


def test_text_edited_in_a_notebook_changes_that_notebook_only(corso, finto):
    built(corso, force=True)
    before = snapshot(corso)
    edit(corso, "99-campione.md", "Serve alle prove", "Serve molto alle prove")
    assert built(corso) == ["sources/notebooks/99-campione.md"]
    assert changed(before, snapshot(corso)) == [NOTEBOOK]


def test_visible_text_edited_in_an_exercise_changes_both_its_files(corso):
    before = snapshot(corso)
    edit(corso, "es99.md", "Scrivi `prodotto(q, k)`", "Scrivi la funzione `prodotto(q, k)`")
    assert built(corso) == ["sources/exercises/es99.md"]
    assert changed(before, snapshot(corso)) == [SOLUTION, RELEASE]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    return float(sum(componenti))", "    return 1.0 * sum(componenti)"),
        ("[0.125, 64.5], [8, 2]) == 130", "[0.5, 64.5], [8, 2]) == 133"),
    ],
)
def test_a_solution_or_hidden_test_edited_changes_the_solutions_only(corso, old, new):
    before = snapshot(corso)
    edit(corso, "es99.md", old, new)
    assert built(corso) == ["sources/exercises/es99.md"]
    assert changed(before, snapshot(corso)) == [SOLUTION]


def test_a_change_in_the_library_rebuilds_the_notebooks_that_use_it(corso, finto, monkeypatch):
    monkeypatch.setattr(pipeline, "files_digest", lambda paths: "un'altra libreria")
    assert built(corso) == ["sources/notebooks/99-campione.md"]


def test_a_change_in_the_builder_rebuilds_everything(corso, finto, monkeypatch):
    monkeypatch.setattr(pipeline, "builder_digest", lambda: "un altro costruttore")
    assert len(built(corso)) == 2


def test_a_damaged_product_is_rebuilt(corso):
    before = snapshot(corso)
    (corso / RELEASE).write_text("rovinato", encoding="utf-8")
    (corso / SOLUTION).unlink()
    assert built(corso) == ["sources/exercises/es99.md"]
    assert snapshot(corso) == before


@pytest.mark.parametrize("stamp", [None, "", "[1]", '{"sources/exercises/es99.md": 3}', "{"])
def test_without_a_stamp_that_can_be_read_everything_is_rebuilt(corso, finto, stamp):
    path = corso / stamps.STAMPS
    path.unlink()
    if stamp is not None:
        path.write_text(stamp, encoding="utf-8")
    assert len(built(corso)) == 2
    assert built(corso) == []


def test_force_rebuilds_everything(corso, finto):
    assert len(built(corso, force=True)) == 2


@pytest.mark.lento
def test_in_a_fresh_clone_the_committed_files_come_out_equal(corso):
    """Senza impronte: si rifà tutto, e anche le celle «variabile» restano com'erano."""
    before = snapshot(corso)
    (corso / stamps.STAMPS).unlink()
    assert len(built(corso)) == 2
    assert changed(before, snapshot(corso)) == []


@pytest.mark.lento
def test_variable_outputs_are_renewed_when_forced(corso):
    before = snapshot(corso)
    built(corso, force=True)
    assert changed(before, snapshot(corso)) == [NOTEBOOK]


def test_a_mistake_anywhere_writes_nothing(corso):
    before = snapshot(corso)
    edit(corso, "99-campione.md", "Serve alle prove", "Serve molto alle prove")
    edit(corso, "es99.md", "punti-3", "punti-1")
    with pytest.raises(SourceError, match="fanno 6 invece di 10"):
        built(corso)
    assert snapshot(corso) == before


def test_a_failure_half_way_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "file.ipynb"
    path.write_text("prima", encoding="utf-8")

    def full_disk(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stamps.os, "replace", full_disk)
    with pytest.raises(OSError, match="space"):
        stamps.write_if_different(path, "dopo")
    assert path.read_text(encoding="utf-8") == "prima"
    assert list(tmp_path.iterdir()) == [path]


def test_an_equal_file_is_not_touched(tmp_path):
    path = tmp_path / "sotto" / "file.txt"
    assert stamps.write_if_different(path, "è così") is True
    time = path.stat().st_mtime_ns
    assert stamps.write_if_different(path, "è così") is False
    assert path.stat().st_mtime_ns == time
    assert path.read_bytes() == "è così".encode()


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("notebooks", "2-attenzione.md"),
        ("notebooks", "02-Attenzione.md"),
        ("exercises", "es2.md"),
        ("exercises", "x.md"),
    ],
)
def test_badly_named_sources_are_refused(corso, folder, name):
    (corso / "sources" / folder / name).write_text("x", encoding="utf-8")
    with pytest.raises(SourceError, match=r"il nome del file va fatto come «\w"):
        built(corso)


def test_no_sources_is_said_in_a_sentence(tmp_path):
    with pytest.raises(CorsoError, match="nessuna sorgente"):
        built(tmp_path)


def test_dependencies_follow_imports_through_the_library(leggi, campione):
    def of(*lines):
        head = campione[: campione.index("# Notebook campione")]
        source = leggi(head + "```{code-cell} ipython3\n" + "\n".join(lines) + "\n```\n", "98-x.md")
        return {path.relative_to(library_folder()).as_posix() for path in dependencies(source)}

    assert of("import numpy") == set()
    attention = of("from course_lib.transformer.attention import softmax")
    assert {"__init__.py", "transformer/__init__.py", "transformer/attention.py"} <= attention
    assert not any(name.startswith(("building/", "cli/", "checks/")) for name in attention)
    assert "notation.py" in of("from course_lib import notation")
    assert "notation.py" in of("%matplotlib inline", "import course_lib.notation as n")
    assert "transformer/arrays.py" in attention  # l'importa attention.py, non la cella
    # checks importa i suoi esercizi per nome: si prende la cartella intera
    checks = of("from course_lib.checks import verifica")
    assert {"checks/__init__.py", "checks/es02/__init__.py", "checks/es02/combine.py", "project.py"} <= checks
    # i dati di un widget, anche in sottocartelle dove Python non c'è
    widgets = of("from course_lib.widgets import MaskBoard")
    data = {"widgets/data/agreement.npz", "widgets/data/pictures/MaskBoard.json"}
    assert {"widgets/masks.js", *data} <= widgets


def test_the_stamp_says_what_was_made_from_what(corso):
    stamp = json.loads((corso / stamps.STAMPS).read_text(encoding="utf-8"))
    assert set(stamp) == {"sources/notebooks/99-campione.md", "sources/exercises/es99.md"}
    assert set(stamp["sources/notebooks/99-campione.md"]["inputs"]) == {"source", "builder", "library"}
    assert set(stamp["sources/exercises/es99.md"]["outputs"]) == {SOLUTION, RELEASE}


def test_the_command(corso, monkeypatch, capsys):
    from course_lib.cli import main

    monkeypatch.setattr("course_lib.project.project_root", lambda start=None: corso)
    assert main(["costruisci"]) == 0
    assert "già aggiornato" in capsys.readouterr().out
    edit(corso, "es99.md", "punti-3", "punti-9")
    assert main(["costruisci"]) == 1
    error = capsys.readouterr().err
    assert "sources/exercises/es99.md, riga 44" in error
    assert "Traceback" not in error
