"""`corso sito`: tutto o niente, con una frase sola se qualcosa manca, e sempre gli stessi byte."""

from __future__ import annotations

import filecmp
import subprocess
from pathlib import Path

import pytest

from course_lib.cli import main
from course_lib.project import CorsoError
from course_lib.publishing import site as publishing
from tests.conftest import ROOT, require

CONF = 'project = "prova"\nlanguage = "it"\nextensions = ["myst_nb"]\nhtml_theme = "basic"\n'


@pytest.fixture
def small(monkeypatch):
    """Un sito di una pagina sola al posto di quello vero: la pagina è `small["text"]`."""
    require("sphinx")
    given = {"text": "# Una pagina\n\nDel testo.\n", "conf": CONF}

    def assemble(root, folder: Path):
        folder.mkdir()
        (folder / "conf.py").write_text(given["conf"], encoding="utf-8")
        (folder / "index.md").write_text(given["text"], encoding="utf-8")

    monkeypatch.setattr(publishing, "assemble", assemble)
    return given


def test_a_missing_sphinx_is_told_with_the_command_that_installs_it(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(publishing, "NEEDED", ("questo-modulo-non-esiste",))
    assert main(["sito", "--in", str(tmp_path / "sito")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("corso sito: per fare le pagine manca Sphinx: installalo con «")
    assert "requirements-sito.lock» e riprova." in said
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_copy_of_a_pupil_has_no_site_to_make(tmp_path):
    with pytest.raises(CorsoError, match=r"non ci sono le pagine del sito \(sources/site\)"):
        publishing.build_site(tmp_path / "corso", tmp_path / "sito")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_a_site_is_left_alone(small, capsys, tmp_path):
    mine = tmp_path / "mia"
    mine.mkdir()
    (mine / "tesi.txt").write_text("importante", encoding="utf-8")
    assert main(["sito", "--in", str(mine)]) == 1
    assert "contiene «tesi.txt» e non ha l'elenco dei file di un sito" in capsys.readouterr().err
    assert [path.name for path in tmp_path.rglob("*")] == ["mia", "tesi.txt"]


def test_a_file_in_the_place_of_the_folder_is_left_alone(small, capsys, tmp_path):
    (tmp_path / "sito").write_text("importante", encoding="utf-8")
    assert main(["sito", "--in", str(tmp_path / "sito")]) == 1
    assert "non è una cartella: scegli con --in una cartella nuova o vuota." in capsys.readouterr().err
    assert (tmp_path / "sito").read_text(encoding="utf-8") == "importante"


def test_a_place_among_the_sources_is_refused(small, capsys):
    place = ROOT / "sources" / "site" / "mio"
    assert main(["sito", "--in", str(place)]) == 1
    assert "sta fra le sorgenti del corso: scegli con --in un altro posto." in capsys.readouterr().err
    assert not place.exists()


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        ("Configuration error:\nqualcosa\n", ["Configuration error:", "qualcosa"]),
        ("una\nindex.md:3: WARNING: due\n", ["index.md:3: WARNING: due"]),
        ("", ["si è fermato senza dire perché (stato -9)"]),
    ],
)
def test_something_is_always_said_when_sphinx_stops(monkeypatch, tmp_path, error, shown):
    stopped = subprocess.CompletedProcess([], -9, "", error)
    monkeypatch.setattr(publishing.subprocess, "run", lambda *words, **options: stopped)
    with pytest.raises(CorsoError) as raised:
        publishing.run_sphinx(ROOT, tmp_path)
    assert [line.strip() for line in str(raised.value).splitlines()[1:]] == shown


@pytest.mark.lento
def test_a_warning_stops_everything_and_the_site_of_before_stays(small, capsys, tmp_path):
    target = tmp_path / "sito"
    assert main(["sito", "--in", str(target)]) == 0
    before = (target / "index.html").read_bytes()
    assert "Del testo." in before.decode()
    small["text"] = "# Una pagina\n\n[che non porta a nulla](non-c-e.md)\n"
    capsys.readouterr()
    assert main(["sito", "--in", str(target)]) == 1
    said = capsys.readouterr().err
    start = "corso sito: Sphinx non ha potuto fare le pagine senza avvisi; correggi e riprova:"
    assert said.startswith(start)
    assert "index.md:3: WARNING" in said
    assert "non-c-e.md" in said
    assert str(tmp_path) not in said
    assert (target / "index.html").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["sito"]
    small["conf"] = "1 / 0\n"
    assert main(["sito", "--in", str(target)]) == 1
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said
    assert "Traceback" not in said
    small.update(text="# Una pagina\n\nUn altro testo.\n", conf=CONF)
    assert main(["sito", "--in", str(target)]) == 0
    assert "Un altro testo." in (target / "index.html").read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["sito"]


@pytest.mark.lento
@pytest.mark.xdist_group("browser")
def test_made_twice_the_site_has_the_same_bytes(site, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    publishing.build_site(ROOT, tmp_path / "altro")
    assert different(filecmp.dircmp(site, tmp_path / "altro")) == []
    (tmp_path / "altro" / "notebooks" / "in-piu.html").write_text("", encoding="utf-8")
    assert different(filecmp.dircmp(site, tmp_path / "altro")) == ["in-piu.html"]


def different(compared: filecmp.dircmp) -> list[str]:
    """I file che mancano da una parte, o che hanno altri byte."""
    common = compared.common_files
    _, others, troubled = filecmp.cmpfiles(compared.left, compared.right, common, shallow=False)
    inner = [name for one in compared.subdirs.values() for name in different(one)]
    return [*compared.left_only, *compared.right_only, *others, *troubled, *inner]
