"""Il resoconto: ciò che viene da una consegna non comanda né il terminale né il foglio di calcolo."""

from __future__ import annotations

import csv

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


@pytest.mark.parametrize("name", ["=1+1", "+39 06", "-2", "@SUM(A1)", "\t=1", '=HYPERLINK("x")'])
def test_a_formula_stays_text_in_the_csv(tmp_path, name):
    write_csv("es02", [outcome(name=name)], tmp_path / "v.csv")
    with (tmp_path / "v.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = list(csv.DictReader(file, delimiter=";"))
    assert row["nome"] == "'" + name
    assert row["punti"] == "7,5"


def test_a_slip_met_twice_is_said_once():
    shown = table(Report("es02", [outcome(slips=["senza scala", "senza scala"])], []))
    assert shown.count("senza scala") == 1
