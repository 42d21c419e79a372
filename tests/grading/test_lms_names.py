"""Di chi è un file: i nomi di Moodle, di Classroom, di chi corregge."""

from __future__ import annotations

import re
import zipfile

import pytest

from course_lib.grading.collection import collect
from course_lib.grading.handin import hand_in
from course_lib.grading.lms_names import BUILT_IN, Names, names_of, owner
from course_lib.grading.register import Register, student_id
from course_lib.project import CorsoError, project_root

PLAIN = Names(BUILT_IN)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("Rossi Anna_123456_assignsubmission_file_/es02.ipynb", "Rossi Anna"),
        ("Rossi Anna_123456_assignsubmission_file/es02.ipynb", "Rossi Anna"),
        ("Rossi Anna_123456_assignsubmission_file/es02/es02.ipynb", "Rossi Anna"),
        ("Rossi Anna_123456_assignsubmission_file_es02.ipynb", "Rossi Anna"),
        ("Rossi Anna_123456_assignsubmission_file_es02 (1).ipynb", "Rossi Anna"),
        ("2A-es02-8812.zip/De Luca Niccolò_7_assignsubmission_file/es02_bruno.ipynb", "De Luca Niccolò"),
        ("Gruppo 1-Rossi Anna_12_assignsubmission_file_/es02.ipynb", "Gruppo 1-Rossi Anna"),
        ("Partecipante_8123_assignsubmission_file/es02.ipynb", "Partecipante 8123"),
        ("es02 - Anna Rossi.ipynb", "Anna Rossi"),
        ("Anna Rossi - es02.ipynb", "Anna Rossi"),
        ("Copia di Anna Rossi - es02.ipynb", "Anna Rossi"),
        ("Copy of es02 - Anna Rossi (2).ipynb", "Anna Rossi"),
        ("Anna Rossi/Copia di es02.ipynb", "Anna Rossi"),
        ("Anna Rossi/es02 - Copia.ipynb", "Anna Rossi"),
        ("Anna Rossi/consegna/es02/es02.ipynb", "Anna Rossi"),
        ("Anna Rossi.zip/exercises/es02/es02.ipynb", "Anna Rossi"),
        ("es02 - Anna Rossi.zip/es02.ipynb", "Anna Rossi"),
        ("es02_anna-bianchi_20261120T225000Z.zip", "anna-bianchi"),
        ("2A/Anna Rossi - es02.ipynb", "Anna Rossi"),
        ("es02/Anna Rossi/es02.ipynb", "Anna Rossi"),
    ],
)
def test_the_author_is_read_from_the_path(path, name):
    assert owner(tuple(path.split("/")), PLAIN).name == name


@pytest.mark.parametrize(
    "path", ["es02.ipynb", "Copia di es02 (3).ipynb", "consegne/es02/es02.ipynb", "es02_….ipynb"]
)
def test_a_path_without_an_author_has_none(path):
    assert owner(tuple(path.split("/")), PLAIN) is None


def test_what_the_platform_says_beats_what_the_pupil_wrote():
    parts = ("Rossi Anna_1_assignsubmission_file", "es02_bruno-verdi.ipynb")
    assert owner(parts, PLAIN).sure
    assert student_id(owner(parts, PLAIN).name) == "rossi-anna"


def test_an_endless_name_is_no_name():
    assert owner(("a" * 300 + " - es02.ipynb",), PLAIN) is None


def own(tmp_path, text: str):
    (tmp_path / "nomi.toml").write_text(text, "utf-8")
    return names_of(tmp_path)


def test_the_instructor_adds_patterns_and_joins_names(tmp_path):
    names = own(
        tmp_path,
        r"""
[[schema]]
titolo = "registro elettronico"
dove = "cartella"
espressione = 'alunno \d+ (?P<nome>.+)'
piattaforma = true

[persone]
"rossi-anna" = "Anna Rossi"
""",
    )
    assert owner(("alunno 12 Eva Neri", "compito.ipynb"), names).name == "Eva Neri"
    assert owner(("alunno 12 Eva Neri", "compito.ipynb"), names).sure
    assert owner(("Rossi Anna_1_assignsubmission_file", "es02.ipynb"), names).name == "Anna Rossi"
    assert owner(("es02 - Bruno.ipynb",), names).name == "Bruno"  # quelli del corso restano


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("schema = [", "non è TOML valido: guarda"),
        ("[persone]\nrossi anna = 'Anna'", "non è TOML valido alla riga 2, carattere 7: guarda"),
        ("[[schema]]\ndove = 'file'", "manca «espressione»"),
        ("[[schema]]\nespressione = '(?P<nome>.+'", "è sbagliata al carattere 1"),
        ("[[schema]]\nespressione = '.+'", r"\(\?P<nome>…\)"),
        ("[[schema]]\nespressione = '(?P<nome>.+)'\ndove = 'ovunque'", "«file» o «cartella»"),
        ("schema = 3", r"\[\[schema\]\]"),
        ("persone = 3", r"\[persone\]"),
    ],
)
def test_a_bad_pattern_gets_one_sentence(tmp_path, text, said):
    with pytest.raises(CorsoError, match=said) as caught:
        own(tmp_path, text)
    assert "nomi.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_a_file_there_are_the_built_in_patterns(tmp_path):
    assert names_of(tmp_path).patterns == BUILT_IN


@pytest.fixture
def arrivals(tmp_path):
    folder = tmp_path / "arrivi"
    folder.mkdir()

    def add(path: str, data: bytes = b"{}") -> None:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)

    def class_zip(path: str, members: dict[str, bytes]) -> None:
        with zipfile.ZipFile(folder / path, "w") as archive:
            for name, data in members.items():
                archive.writestr(name, data)

    add.zip, add.folder = class_zip, folder
    return add


def students(arrivals, **options):
    found, said = collect(arrivals.folder, "es02", **options)
    return {s.student: s for s in found}, said


def test_a_whole_moodle_download_beside_drive_folders_and_loose_files(arrivals):
    arrivals.zip(
        "2A-Attenzione es02-9912.zip",
        {
            "Rossi Anna_11_assignsubmission_file/es02.ipynb": b"1",
            "Rossi Anna_11_assignsubmission_onlinetext/onlinetext.html": b"ecco",
            "Verdi Bruno_12_assignsubmission_file/es02 (1).ipynb": b"2",
            "__MACOSX/Verdi Bruno_12_assignsubmission_file/._es02.ipynb": b"x",
            "Neri Eva_13_assignsubmission_file/.ipynb_checkpoints/es02-checkpoint.ipynb": b"x",
            "Neri Eva_13_assignsubmission_file/es02.ipynb": b"3",
            "Neri Eva_13_assignsubmission_file/es03.ipynb": b"x",
        },
    )
    arrivals("drive/es02/Carla Blu/Copia di es02.ipynb", b"4")
    arrivals("drive/es02 - Dario Gialli.ipynb", b"5")
    arrivals("Fabio Viola_14_assignsubmission_file_es02.ipynb", b"6")
    found, said = students(arrivals)
    assert {student: s.raw for student, s in found.items()} == {
        "rossi-anna": b"1",
        "verdi-bruno": b"2",
        "neri-eva": b"3",
        "carla-blu": b"4",
        "dario-gialli": b"5",
        "fabio-viola": b"6",
    }
    assert found["verdi-bruno"].notes == [
        "Il file si chiamava «es02 (1).ipynb»: è stato letto come es02.ipynb."
    ]
    assert found["rossi-anna"].notes == []
    assert len(said) == 1
    assert said[0].endswith("es03.ipynb: è di es03, non di es02.")


def test_a_renamed_file_is_taken_when_the_platform_says_whose_it_is(arrivals):
    arrivals("Rossi Anna_11_assignsubmission_file/il mio compito.ipynb.txt")
    found, said = students(arrivals)
    assert said == []
    assert "«il mio compito.ipynb.txt»" in found["rossi-anna"].notes[0]


def test_a_renamed_file_of_nobody_is_not_guessed(arrivals):
    arrivals("Anna Rossi/il mio compito.ipynb")
    found, (said,) = students(arrivals)
    assert found == {}
    assert "non capisco di chi è" in said


def test_two_people_of_one_name_are_kept_apart_and_said(arrivals):
    arrivals("Rossi Anna_11_assignsubmission_file/es02.ipynb", b"1")
    arrivals("Rossi Anna_12_assignsubmission_file/es02.ipynb", b"2")
    found, (said,) = students(arrivals)
    assert {student: s.raw for student, s in found.items()} == {"rossi-anna-11": b"1", "rossi-anna-12": b"2"}
    assert said.endswith("2 persone con lo stesso nome, distinte dal numero di Moodle.")


def test_a_file_without_a_number_is_given_to_neither_of_two_namesakes_and_it_is_said(arrivals):
    arrivals("Rossi Anna_11_assignsubmission_file/es02.ipynb", b"1")
    arrivals("Rossi Anna_12_assignsubmission_file/es02.ipynb", b"2")
    arrivals("es02 - Rossi Anna.ipynb", b"3")
    found, (said,) = students(arrivals)
    assert {student: s.raw for student, s in found.items()}["rossi-anna"] == b"3"
    assert "I file senza numero restano a parte come rossi-anna" in said


def test_a_name_turned_round_is_pointed_out(arrivals):
    arrivals("es02 - Anna Rossi.ipynb")
    arrivals("Rossi Anna_11_assignsubmission_file/es02.ipynb")
    _, (said,) = students(arrivals)
    assert "anna-rossi e rossi-anna sembrano la stessa persona" in said


def test_the_names_of_the_register_are_used_by_the_class_collection(arrivals, tmp_path):
    from course_lib.grading.collection import collect_class

    register = Register(tmp_path)
    register.folder.mkdir()
    (register.folder / "nomi.toml").write_text('[persone]\n"rossi-anna" = "Anna Rossi"\n', "utf-8")
    arrivals("Rossi Anna_11_assignsubmission_file/es02.ipynb", b"1")
    (chosen,) = collect_class(register, "es02", arrivals.folder).chosen
    assert (chosen.student, chosen.name, chosen.raw) == ("anna-rossi", "Anna Rossi", b"1")


def test_the_example_of_the_guide_works_as_it_stands(tmp_path):
    guide = (project_root() / "GUIDA.md").read_text("utf-8")
    names = own(tmp_path, guide.split("```toml\n")[1].split("```")[0])
    found = owner(("alunno 12 - Eva Neri", "compito.ipynb"), names)
    assert (found.name, found.sure) == ("Eva Neri", True)
    assert owner(("Rossi Anna_1_assignsubmission_file", "es02.ipynb"), names).name == "Anna Rossi"


def test_the_table_of_the_guide_tells_the_truth():
    guide = (project_root() / "GUIDA.md").read_text("utf-8")
    rows = guide.split("| da dove | come si chiama |")[1].split("\n\n")[0]
    paths = re.findall(r"`([^`]*(?:/|\.ipynb|\.zip))`", rows)
    assert len(paths) >= 7
    for path in paths:
        inside = ("es02.ipynb",) if path.endswith(".zip") else ()
        name = student_id(owner((*path.split("/"), *inside), PLAIN).name)
        assert name in ("rossi-anna", "anna-rossi", "partecipante-123456"), path


@pytest.mark.parametrize(("wrote", "notes"), [("Bruno Verdi", 1), ("Anna Rossi", 0), ("Rossi Anna", 0)])
def test_the_platform_also_beats_the_manifest_and_the_difference_is_said(arrivals, tmp_path, wrote, notes):
    notebook = tmp_path / "es02.ipynb"
    notebook.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}', "utf-8")
    handed = hand_in(notebook, "es02", wrote, tmp_path / "consegne").archive
    arrivals(f"Rossi Anna_11_assignsubmission_file/{handed.name}", handed.read_bytes())
    arrivals.zip("classe.zip", {f"Rossi Anna_11_assignsubmission_file/{handed.name}": handed.read_bytes()})
    found, said = students(arrivals)
    assert (list(found), said) == (["rossi-anna"], [])
    assert len(found["rossi-anna"].notes) == notes
    assert all(
        f"Il manifesto dice «{wrote}», la piattaforma «Rossi Anna»" in n for n in found["rossi-anna"].notes
    )
