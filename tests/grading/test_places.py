"""La cartella delle consegne: ciò che non si legge è detto e non ferma nessuno; il corso non si corregge."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from course_lib.grading.collection import collect, collect_class
from course_lib.grading.register import Register
from course_lib.grading.verdicts import Verdict
from course_lib.project import CorsoError


@pytest.fixture
def arrivals(tmp_path) -> Path:
    folder = tmp_path / "arrivi"
    folder.mkdir()
    for name in ("es02_anna.ipynb", "es02_bruno.ipynb", "es02_zeno.ipynb", "es02_carla.zip", "nota.ipynb"):
        (folder / name).write_bytes(b"{}")
    (folder / "chiusa").mkdir()
    (folder / "chiusa" / "es02_elena.ipynb").write_bytes(b"{}")
    return folder


@pytest.fixture
def closed(monkeypatch):
    """Toglie il permesso di leggere un file o una cartella, anche all'amministratore."""

    def close(*paths: Path) -> None:
        wanted = {os.fspath(path) for path in paths}

        def guarded(original):
            def call(path, *args, **options):
                if os.fspath(path) in wanted:
                    raise PermissionError(errno.EACCES, "Permission denied", os.fspath(path))
                return original(path, *args, **options)

            return call

        for where, name in ((Path, "read_bytes"), (Path, "open"), (Path, "lstat"), (os, "scandir")):
            monkeypatch.setattr(where, name, guarded(getattr(where, name)))

    return close


def test_a_file_without_permission_is_refused_and_the_others_go_on(arrivals, closed):
    closed(*(arrivals / name for name in ("es02_bruno.ipynb", "es02_carla.zip", "nota.ipynb")))
    found, said = collect(arrivals, "es02")
    assert {s.student: s.refused and s.refused.verdict for s in found} == {
        "anna": None, "bruno": Verdict.UNREADABLE, "carla": Verdict.UNREADABLE, "elena": None, "zeno": None,
    }  # fmt: skip
    reasons = {s.student: s.refused.message for s in found if s.refused}
    assert reasons["bruno"] == (
        "es02_bruno.ipynb: non si legge (manca il permesso): chi corregge lo renda leggibile e ripeta il "
        "comando."
    )
    assert reasons["carla"].startswith("es02_carla.zip: non si legge (manca il permesso)")
    assert said == [
        "nota.ipynb: non si legge (manca il permesso): chi corregge lo renda leggibile e ripeta il comando."
    ]


def test_a_folder_without_permission_is_said(arrivals, closed):
    closed(arrivals / "chiusa")
    found, (sentence, _) = collect(arrivals, "es02")
    assert "elena" not in {s.student for s in found}
    assert sentence.startswith("chiusa: la cartella non si apre (manca il permesso)")
    closed(arrivals)
    with pytest.raises(CorsoError, match=r"arrivi non si apre \(manca il permesso\)"):
        collect(arrivals, "es02")


def test_links_are_not_followed_and_it_is_said(arrivals, tmp_path):
    (arrivals / "es02_eva.ipynb").symlink_to(arrivals / "es02_anna.ipynb")
    (tmp_path / "fuori").mkdir()
    (tmp_path / "fuori" / "es02_fabio.ipynb").write_bytes(b"{}")
    (arrivals / "altrove").symlink_to(tmp_path / "fuori")
    found, said = collect(arrivals, "es02")
    assert not {"eva", "fabio"} & {s.student for s in found}
    links = [sentence for sentence in said if "è un collegamento, e non lo seguo" in sentence]
    assert [sentence.partition(":")[0] for sentence in links] == ["altrove", "es02_eva.ipynb"]


def test_what_is_not_a_file_is_not_opened(arrivals):
    os.mkfifo(arrivals / "es02_dario.ipynb")
    found, said = collect(arrivals, "es02")
    assert "dario" not in {s.student for s in found}
    assert "es02_dario.ipynb: non è un file: ignorato." in said


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ("corso", "è la cartella del corso"),
        (".", "contiene il corso"),
        ("corso/registro/ricevuti", "sta in registro/"),
        ("corso/solutions", "sta in solutions/"),
        ("corso/exercises/.originali", "sta in exercises/"),
        ("corso/sources", "sta in sources/"),
        ("corso/notebooks", "sta in notebooks/"),
        ("link", "sta in solutions/"),
    ],
)
def test_the_course_is_not_graded(tmp_path, folder, said):
    root = tmp_path / "corso"
    for name in ("registro/ricevuti", "solutions", "exercises/.originali", "sources", "notebooks"):
        (root / name).mkdir(parents=True)
    (tmp_path / "link").symlink_to(root / "solutions")
    with pytest.raises(CorsoError, match="sole consegne") as caught:
        collect_class(Register(root), "es02", tmp_path / folder)
    assert said in str(caught.value)


def test_a_folder_of_its_own_in_the_course_is_graded(tmp_path):
    (tmp_path / "consegne").mkdir()
    (tmp_path / "consegne" / "es02_anna.ipynb").write_bytes(b"{}")
    assert len(collect_class(Register(tmp_path), "es02", tmp_path / "consegne").chosen) == 1


def test_who_sent_only_a_pdf_is_missing_when_the_platform_says_who_it_is(arrivals):
    moodle = "_assignsubmission_file"
    for name in (
        f"Rossi Anna_11{moodle}/compito.pdf",
        f"Verdi Ugo_12{moodle}/es02.ipynb",
        f"Verdi Ugo_12{moodle}/note.pdf",
        f"Blu Ida_13{moodle}_a.pdf",
        f"Blu Ida_13{moodle}_b.png",
        "Neri Eva/compito.pdf",
    ):
        path = arrivals / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"{}")
    found, _ = collect(arrivals, "es02")
    refused = {s.student: s.refused for s in found if s.refused is not None}
    assert {student: r.message for student, r in refused.items() if r.verdict == Verdict.MISSING} == {
        "rossi-anna": "Fra i file arrivati («compito.pdf») manca il notebook es02.ipynb.",
        "blu-ida": "Fra i file arrivati («a.pdf», «b.png») manca il notebook es02.ipynb.",
    }
