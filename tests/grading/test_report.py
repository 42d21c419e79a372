"""Il resoconto: ciò che viene da una consegna non comanda né il terminale né il foglio di calcolo."""

from __future__ import annotations

import csv
import re

import pytest

from course_lib.grading.outcomes import Outcome, Report, outcome_from
from course_lib.grading.report import count, one_line, others_than, table, write_csv
from course_lib.grading.verdicts import Verdict
from course_lib.project import CorsoError
from tests.grading.class_samples import graded


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
@pytest.mark.parametrize(
    "before", ["", " ", "\t", "\n", "\r\n", "\xa0", "\u3000", "\ufeff", "\xad", "\u061c ", "\u2028\U000e0041"]
)
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


def test_a_csv_that_cannot_be_replaced_gets_one_sentence(tmp_path):
    (tmp_path / "v.csv" / "dentro").mkdir(parents=True)
    with pytest.raises(CorsoError, match=r"v.csv non si può riscrivere \(è una cartella, non un file\)"):
        write_csv("es02", [outcome()], tmp_path / "v.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["v.csv"]


def test_ordinary_text_is_left_as_it_is(tmp_path):
    write_csv(
        "es02",
        [outcome(name="Anna D'Amico-Rossi", reason="superati 2 secondi: x = 3 - 1")],
        tmp_path / "v.csv",
    )
    text = (tmp_path / "v.csv").read_text("utf-8")
    assert ";Anna D'Amico-Rossi;" in text
    assert ";superati 2 secondi: x = 3 - 1;" in text


def test_a_slip_does_not_hide_that_it_was_late():
    shown = table(Report("es02", [outcome(slips=["senza scala"], notes=["In ritardo di 6 minuti."])], []))
    assert shown.endswith("  senza scala; In ritardo di 6 minuti.")


def test_sentences_on_one_line_keep_only_the_last_full_stop():
    shown = table(Report("es02", [outcome(notes=["Manca una cella.", "In ritardo di 6 minuti."])], []))
    assert shown.endswith("  Manca una cella; In ritardo di 6 minuti.")


def test_points_lost_without_a_known_slip_name_their_tests(tmp_path):
    record = graded("Anna", {"combine": None, "attend": None, "scaled_scores": "senza scala"})
    one = outcome_from("anna", record)
    said = "prove non superate: combine, attend"
    assert table(Report("es02", [one], [])).endswith(f"  senza scala; {said}")
    write_csv("es02", [one], tmp_path / "v.csv")
    (row,) = list(csv.DictReader((tmp_path / "v.csv").read_text("utf-8").splitlines(), delimiter=";"))
    assert (row["errori tipici"], row["motivo"]) == ("senza scala", said)


def test_the_hand_ins_are_counted():
    none = outcome(points=None, most=None, verdict=Verdict.UNREADABLE)
    assert count(Report("es02", [outcome()] * 3 + [none] * 2, [])) == "5 consegne: 3 valutate, 2 senza voto"
    assert count(Report("es02", [outcome()], [])) == "1 consegna: 1 valutata, 0 senza voto"


def test_who_is_in_the_register_and_not_in_the_folder_is_said_in_one_line():
    here = Report("es02", [outcome()], [])
    assert others_than(here, [outcome()]) == ""
    gone = [outcome(student=f"p{i:02}") for i in range(12)]
    said = "Non in questa cartella, e restano nel registro: p00, p01."
    assert others_than(here, [outcome(), *gone[:2]]) == said
    assert others_than(here, gone).endswith("p08, p09 e altri 2.")


def test_a_slip_met_twice_is_said_once():
    shown = table(Report("es02", [outcome(slips=["senza scala", "senza scala"])], []))
    assert shown.count("senza scala") == 1
