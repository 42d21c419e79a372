"""`corso regia --file` e `--scaletta`: che cosa scrivono, e che cosa dicono quando non possono."""

from __future__ import annotations

import errno
import json
import re
from argparse import Namespace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from course_lib import cli
from course_lib.cli import direct, open_lab
from course_lib.project import CorsoError
from course_lib.widgets.scenes import SCENES
from course_lib.widgets.scenes.lessons import LESSONS, TASTER
from tests.project.test_open_lab import schema_of


class Words(HTMLParser):
    """Le parole di una pagina, e i suoi collegamenti interni."""

    def __init__(self, text):
        super().__init__()
        self.words, self.ids, self.links = [], set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids.add(given.get("id"))
        if tag == "a":
            self.links.add(given["href"].removeprefix("#"))

    def handle_data(self, data):
        self.words.append(data)


def plain(text):
    """Il testo senza accenti gravi, che nella pagina diventano codice, e senza spazi ripetuti."""
    return "".join(text.replace("`", "").split())


def test_the_file_is_written_where_one_asks(tmp_path, capsys):
    path = tmp_path / "demo è.html"
    assert cli.main(["regia", "--file", str(path)]) == 0
    assert re.search(r"Regia: .*demo è\.html \(\d+,\d MB\)", capsys.readouterr().out)
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("name", ["regia", "regia.txt", "cartella/", ""])
def test_a_name_that_is_no_page(tmp_path, capsys, name):
    assert cli.main(["regia", "--file", str(tmp_path / name) if name else ""]) == 1
    assert ".html" in capsys.readouterr().err


def test_a_folder_gets_the_name_of_a_page_in_it(tmp_path, capsys):
    assert cli.main(["regia", "--scaletta", str(tmp_path)]) == 1
    assert f"scrivi per esempio {tmp_path / 'scaletta.html'}" in capsys.readouterr().err


@pytest.mark.parametrize("kind", [["--file", "a.html"], ["--scaletta"]])
def test_a_port_without_jupyter_is_refused_and_nothing_is_written(tmp_path, monkeypatch, capsys, kind):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["regia", *kind, "--porta", "8888"]) == 1
    assert f"--porta serve a JupyterLab, che con {kind[0]} non si apre" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_lab_never_saves_the_notebook_of_the_director(tmp_path, monkeypatch):
    monkeypatch.setattr(direct, "project_root", lambda: tmp_path)
    monkeypatch.setattr(open_lab, "serve", lambda args, folder, settings, *more: settings)
    settings = direct.run(Namespace(file=None, scaletta=None, porta=None))
    found = json.loads((settings / "overrides.json").read_text(encoding="utf-8"))
    assert found["@jupyterlab/docmanager-extension:plugin"] == {"autosave": False}
    assert found["@jupyter-widgets/jupyterlab-manager:plugin"] == {"saveState": False}
    assert set(open_lab.LAB_OVERRIDES) < set(found)
    assert schema_of("@jupyterlab/docmanager-extension:plugin")["properties"]["autosave"]["default"] is True


def test_a_place_where_one_cannot_write(tmp_path, capsys):
    (tmp_path / "x.html").mkdir()
    assert cli.main(["regia", "--file", str(tmp_path / "x.html")]) == 1
    assert "non posso scrivere" in capsys.readouterr().err
    with pytest.raises(CorsoError, match="la cartella non c'è"):
        direct.written(str(tmp_path / "manca" / "x.html"), "", "Regia")


def test_a_full_disk_leaves_the_file_that_was_there(tmp_path, monkeypatch):
    path = tmp_path / "regia.html"
    path.write_text("quella di ieri", encoding="utf-8")

    def full(self, text, **_):
        with self.open("w", encoding="utf-8") as file:
            file.write(text[:5])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(CorsoError, match="non posso scrivere"):
        direct.written(str(path), "quella di oggi", "Regia")
    assert path.read_bytes() == b"quella di ieri"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "vera.html", tmp_path / "regia.html"
    link.symlink_to(real)
    assert direct.written(str(link), "una pagina", "Regia") == 0
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "una pagina"


def test_a_file_and_a_plan_are_asked_one_at_a_time(capsys):
    with pytest.raises(SystemExit):
        cli.main(["regia", "--file", "a.html", "--scaletta", "b.html"])
    assert "non si può usare insieme" in capsys.readouterr().err


def test_the_plan_has_every_lesson_and_every_scene(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["regia", "--scaletta"]) == 0
    page = Words((tmp_path / "scaletta.html").read_text(encoding="utf-8"))
    text = " ".join(" ".join(page.words).split())
    places = {f"({scene.key})": f"(scena {place})" for place, scene in enumerate(SCENES, 1)}
    for lesson in (*LESSONS, TASTER):
        steps = [re.sub(r"\([\w-]+\)", lambda m: places.get(m[0], m[0]), step.text) for step in lesson.steps]
        said = (lesson.title, lesson.goal, lesson.slips, lesson.home, *steps)
        assert [part for part in said if plain(part) not in plain(text)] == []
    for scene in SCENES:
        said = (scene.title, scene.question, scene.answer, *scene.notes)
        assert [part for part in said if plain(part) not in plain(text)] == []
    assert page.links <= page.ids
    assert "scaletta.html" in capsys.readouterr().out
