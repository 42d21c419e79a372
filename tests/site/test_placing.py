"""Dove c'è già un sito: i suoi file si sostituiscono, quelli d'altri restano; tutto, o niente."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_lib.cli import main
from course_lib.publishing import placing
from course_lib.publishing import site as publishing

FIRST = {"index.html": "uno", "notebooks/a.html": "uno", "_static/vecchi/stile.css": "uno"}
SECOND = {"index.html": "due", "notebooks/b.html": "due", "_static/stile.css": "due"}


@pytest.fixture
def pages(monkeypatch) -> dict[str, str]:
    """I file che fa un Sphinx finto: nome -> testo."""
    given = dict(FIRST)

    def run_sphinx(root: Path, folder: Path) -> None:
        (folder / "sito").mkdir()
        write(folder / "sito", given)

    monkeypatch.setattr(publishing, "expect_sphinx", lambda root: None)
    monkeypatch.setattr(publishing, "assemble", lambda root, folder: None)
    monkeypatch.setattr(publishing, "run_sphinx", run_sphinx)
    return given


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def everything(folder: Path) -> dict[str, str | None]:
    """Nome -> testo di ogni file; None per una cartella."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    return {name: path.read_text("utf-8") if path.is_file() else None for name, path in found.items()}


def make(target: Path) -> int:
    return main(["sito", "--in", str(target)])


def change(pages: dict[str, str]) -> None:
    pages.clear()
    pages.update(SECOND)


MINE = {
    "tesi.txt": "importante",
    "mia.html": "mia",
    "notebooks/appunti.txt": "miei",
    "_static/vecchi/mio.css": "mio",
    **{"CNAME": "corso.example", ".nojekyll": "", ".git/HEAD": "ref: x"},
}


def test_what_a_person_puts_in_a_site_stays_when_it_is_made_again(pages, tmp_path, capsys):
    target = tmp_path / "sito"
    assert make(target) == 0
    write(target, MINE)
    change(pages)
    capsys.readouterr()
    assert make(target) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("2 pagine, 0,0 MB.")
    files = {name: text for name, text in everything(target).items() if text is not None}
    written = files.pop(placing.LIST)
    assert files == {**MINE, **SECOND}
    assert written.splitlines() == [placing.HEAD, *sorted([*SECOND, placing.LIST])]
    assert [path.name for path in tmp_path.iterdir()] == ["sito"]


def test_folders_that_only_the_former_site_used_go_away(pages, tmp_path):
    assert make(tmp_path / "sito") == 0
    change(pages)
    assert make(tmp_path / "sito") == 0
    folders = {name for name, text in everything(tmp_path / "sito").items() if text is None}
    assert folders == {"notebooks", "_static"}


def test_a_site_can_be_born_in_a_clone_that_has_only_what_publishing_needs(pages, tmp_path):
    clone = {".git/HEAD": "ref: x", "CNAME": "corso.example", ".nojekyll": "", "README.md": "Il mio sito"}
    write(tmp_path / "clone", clone)
    assert make(tmp_path / "clone") == 0
    assert {**clone, **FIRST}.items() <= everything(tmp_path / "clone").items()


@pytest.mark.parametrize("signs", [{}, {"index.html": "", "objects.inv": ""}, {placing.LIST: "tesi.txt\n"}])
def test_a_full_folder_without_our_list_is_refused_though_it_looks_like_a_site(
    pages, tmp_path, capsys, signs
):
    write(tmp_path / "mia", {"appunti.txt": "importante", **signs})
    before = everything(tmp_path)
    assert make(tmp_path / "mia") == 1
    said = capsys.readouterr().err
    assert "contiene «appunti.txt» e non ha l'elenco dei file di un sito" in said
    assert "se è un sito di una versione di prima, metti in salvo ciò che è tuo, svuotala e ripeti." in said
    assert said.count("\n") == 1
    assert everything(tmp_path) == before


@pytest.mark.parametrize("mine", ["notebooks/b.html", "_static/stile.css/mio.txt"])
def test_a_page_never_takes_the_place_of_a_file_of_others(pages, tmp_path, capsys, mine):
    target = tmp_path / "sito"
    assert make(target) == 0
    write(target, {mine: "mio"})
    before = everything(tmp_path)
    change(pages)
    assert make(target) == 1
    said = capsys.readouterr().err
    place = target / mine.removesuffix("/mio.txt")
    assert f"{place} non l'ha scritto «corso sito», e lì va una parte del sito: dagli un altro nome" in said
    assert said.count("\n") == 1
    assert everything(tmp_path) == before


def test_a_link_or_a_file_in_the_place_of_a_folder_is_not_followed(pages, tmp_path, capsys):
    write(tmp_path, {"altrove/index.html": "mio", "altrove/stile.css": "mio"})
    target = tmp_path / "sito"
    assert make(target) == 0
    change(pages)
    pages["nuova/stile.css"] = "due"
    (target / "nuova").symlink_to(tmp_path / "altrove")
    assert make(target) == 1
    assert f"{target / 'nuova'} non l'ha scritto" in capsys.readouterr().err
    (target / "nuova").unlink()
    (target / "nuova").write_text("mio", encoding="utf-8")
    assert make(target) == 1
    assert f"{target / 'nuova'} non l'ha scritto" in capsys.readouterr().err
    assert FIRST.items() <= everything(target).items()
    assert everything(tmp_path / "altrove") == {"index.html": "mio", "stile.css": "mio"}


def test_a_list_that_names_what_is_outside_takes_nothing_away(pages, tmp_path):
    target = tmp_path / "sito"
    assert make(target) == 0
    write(tmp_path, {"tesi.txt": "importante", "altrove/tesi.txt": "importante"})
    (target / "dentro").symlink_to(tmp_path / "altrove")
    with (target / placing.LIST).open("a", encoding="utf-8") as file:
        file.write(f"../tesi.txt\n{tmp_path}/tesi.txt\ndentro/tesi.txt\n\n.\n..\n")
    change(pages)
    assert make(target) == 0
    assert (tmp_path / "tesi.txt").is_file()
    assert (target / "dentro" / "tesi.txt").is_file()


@pytest.mark.parametrize("moves", range(8))
def test_if_the_system_stops_half_way_the_former_site_is_there(pages, tmp_path, capsys, monkeypatch, moves):
    target = tmp_path / "sito"
    assert make(target) == 0
    write(target, MINE)
    before = everything(tmp_path)
    change(pages)
    left, rename = [moves], Path.rename

    def stopping(self, place):
        left[0] -= 1
        if left[0] == -1:
            raise OSError(28, "No space left on device", str(place))
        return rename(self, place)

    monkeypatch.setattr(Path, "rename", stopping)
    assert make(target) == 1
    assert "il disco è pieno" in capsys.readouterr().err
    assert everything(tmp_path) == before
    monkeypatch.undo()


def test_a_first_site_that_cannot_be_put_in_place_leaves_nothing(pages, tmp_path, monkeypatch):
    def stopping(self, place):
        raise OSError(28, "No space left on device", str(place))

    monkeypatch.setattr(Path, "rename", stopping)
    assert make(tmp_path / "sito") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_list_depends_only_on_the_names(tmp_path):
    for folder, text in (("a", "uno"), ("b", "due")):
        write(tmp_path / folder, dict.fromkeys(reversed(FIRST), text))
        placing.write_list(tmp_path / folder)
    assert (tmp_path / "a" / placing.LIST).read_bytes() == (tmp_path / "b" / placing.LIST).read_bytes()
