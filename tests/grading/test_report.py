"""Il resoconto: ciò che viene da una consegna non comanda né il terminale né il foglio di calcolo."""

from __future__ import annotations

import csv
import re

import pytest

from course_lib.grading.pipeline import Outcome, Report
from course_lib.grading.report import one_line, table, write_csv
from course_lib.grading.verdicts import Verdict


def outcome(**changes) -> Outcome:
    values = {"student": "anna", "name": "Anna", "verdict": Verdict.GRADED, "points": 7.5, "most": 10.0}
    return Outcome(**{**values, **changes})


def test_an_escape_sequence_in_a_file_name_does_not_reach_the_terminal():
    assert one_line("il file \x1b[2J\x1b]0;x\x07\nes02.ipynb") == "il file ]0;x es02.ipynb"
    shown = table(Report("es02", [outcome(reason="\x1b[31mrosso\r\nuna\u202eltra riga")], []))
    assert "\x1b" not in shown
    assert len(shown.splitlines()) == 3
    assert "rosso unaltra riga" in shown


@pytest.mark.parametrize(
    "name",
    [
        "=1+1",
        "+39 06",
        "-2",
        "@SUM(A1)",
        '=HYPERLINK("x")',
        "＝1",
        "＋1",
        "－1",
        "＠x",
        "−1",
        "'=1",
        '"=1',
        "==1",
    ],
)
@pytest.mark.parametrize("before", ["", " ", "\t", "\n", "\r\n", "\xa0", "\u3000"])
def test_a_formula_stays_text_in_the_csv(tmp_path, name, before):
    write_csv("es02", [outcome(name=before + name)], tmp_path / "v.csv")
    text = (tmp_path / "v.csv").read_text("utf-8")
    assert len(text.splitlines()) == 2
    (row,) = list(csv.DictReader(text.splitlines(), delimiter=";"))
    assert row["nome"].replace("'", "") == name.replace("'", "")
    assert re.match(r"""["']""", row["nome"])
    assert row["punti"] == "7,5"


@pytest.mark.parametrize("separator", [",", ";", "|", "\t"])
def test_no_cell_starts_a_formula_whatever_the_separator(tmp_path, separator):
    hostile = f'ciao{separator}=1+1{separator} "@x"{separator}\n=2'
    write_csv("es02", [outcome(name=hostile, reason=hostile, notes=[hostile, "=3"])], tmp_path / "v.csv")
    text = (tmp_path / "v.csv").read_text("utf-8")
    for cell in (cell for row in csv.reader(text.splitlines(), delimiter=separator) for cell in row):
        assert not re.match(r"\s*[=+\-@＝＋－＠−]", cell), cell


def test_the_byte_order_mark_is_there_only_when_asked(tmp_path):
    for excel, start in ((False, b"studente;"), (True, b"\xef\xbb\xbfstudente;")):
        write_csv("es02", [outcome(name="Niccolò")], tmp_path / "v.csv", excel=excel)
        assert (tmp_path / "v.csv").read_bytes().startswith(start)
        assert "Niccolò" in (tmp_path / "v.csv").read_text("utf-8-sig")


def test_ordinary_text_is_left_as_it_is(tmp_path):
    write_csv(
        "es02",
        [outcome(name="Anna D'Amico-Rossi", reason="superati 2 secondi: x = 3 - 1")],
        tmp_path / "v.csv",
    )
    text = (tmp_path / "v.csv").read_text("utf-8")
    assert ";Anna D'Amico-Rossi;" in text
    assert ";superati 2 secondi: x = 3 - 1;" in text


def test_a_slip_met_twice_is_said_once():
    shown = table(Report("es02", [outcome(slips=["senza scala", "senza scala"])], []))
    assert shown.count("senza scala") == 1
