"""La pagina sulla crescita e il servizio delle copie: i numeri sono quelli misurati, i comandi esistono."""

from __future__ import annotations

import configparser
import copy
import re
import shlex

import pytest

from benchmarks import hub_figures, hub_table
from course_lib import cli
from course_lib.cli import back_up
from course_lib.cli.parser import ItalianParser
from tests.conftest import ROOT

DEPLOY = ROOT / "deploy" / "jupyterhub"


def results() -> dict:
    return hub_table.table.results("hub")


def test_the_page_quotes_the_latest_measures():
    text = hub_table.PAGE.read_text(encoding="utf-8")
    assert hub_table.written(text) == text
    assert [text.count(f"\n| {people} | ") for people in hub_table.CLASSES] == [1, 1, 1, 1]


def test_the_page_follows_the_results(monkeypatch):
    changed = copy.deepcopy(results())
    changed["figures"] |= {"mb_per_pupil": 1000.0, "pupils_per_gb": 1.0}
    monkeypatch.setattr(hub_table.table, "results", lambda name: changed)
    text = hub_table.written(hub_table.PAGE.read_text(encoding="utf-8"))
    assert re.search(r"costa\s1000\sMB:\s\*\*1,0\spersone\sper\sGB", text)
    assert "| 30 | 40 GB |" in text  # 30 × 1 GB × 1,25 + 2


@pytest.mark.parametrize(
    ("load", "in_time", "said", "cores"),
    [(0.3, 10, "a **5,0 persone per core**.", 20), (9.0, 10, "almeno 5,0", 25), (0.3, 32, "almeno 5,0", 25)],
)
def test_a_measure_under_load_or_cut_short_says_at_least(monkeypatch, load, in_time, said, cores):
    changed = copy.deepcopy(results()) | {"load_at_start": load}
    changed["figures"] |= {"pupils_in_time": in_time, "pupils_per_core": 5.0, "pupils_per_free_core": 4.0}
    monkeypatch.setattr(hub_table.table, "results", lambda name: changed)
    assert said in " ".join(hub_table.summary()).replace("\N{NO-BREAK SPACE}", " ")
    assert hub_table.estimated()[3].split(" | ")[2] == str(cores)  # 100 persone


def test_the_figures_follow_the_measures():
    content = results()
    cases, found = content["cases"], content["figures"]
    assert [case["pupils"] for case in cases] == sorted(case["pupils"] for case in cases)
    assert found == hub_figures.figures(cases, content["machine"]["cores"])
    for case in cases:
        assert case["peak_mb"] < content["limits_per_pupil"]["memory_mb"]
        assert case["median_seconds"] <= case["slowest_seconds"] <= case["elapsed_seconds"]


@pytest.mark.parametrize(
    ("seconds", "expected"), [(2, 0), (3, 1), (20, 6), (30, 8), (99, 8)]
)  # fmt: skip
def test_between_two_measures_it_goes_straight_and_beyond_the_last_it_stops(seconds, expected):
    cases = [{"pupils": 1, "slowest_seconds": 3}, {"pupils": 4, "slowest_seconds": 10},
             {"pupils": 8, "slowest_seconds": 30}]  # fmt: skip
    assert hub_figures.within(cases, seconds) == pytest.approx(expected)


def test_the_memory_of_one_more_pupil_leaves_out_what_is_shared():
    first = {"pupils": 1, "peak_mb": 300, "slowest_seconds": 3, "cpu_seconds": 1}
    last = {"pupils": 5, "peak_mb": 220, "slowest_seconds": 9, "cpu_seconds": 2}
    found = hub_figures.figures([first, last], 2)
    assert (found["mb_per_pupil"], found["pupils_per_core"], found["pupils_per_free_core"]) == (200, 2.5, 10)


def test_the_service_of_the_copies_runs_a_command_that_exists():
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str
    unit.read(DEPLOY / "chiave-di-lettura-copia.service", encoding="utf-8")
    words = shlex.split(unit["Service"]["ExecStart"])
    assert words[1:5] == ["-I", "-m", "course_lib.cli", "copia"]
    args = parsed(words[5:])
    assert args.hub
    assert str(args.folder).startswith(unit["Service"]["ReadWritePaths"])


def parsed(words: list[str]):
    parser = ItalianParser(prog="corso copia")
    back_up.add_arguments(parser)
    return parser.parse_args(words)


def test_commands_of_the_pages_are_understood():
    found = []
    for name in ("README.md", "CRESCERE.md"):
        text = (DEPLOY / name).read_text(encoding="utf-8")
        found += re.findall(r"corso copia( [^`\n]*)", text)
    assert len(found) >= 4
    for words in found:
        parsed(shlex.split(words.replace("…", "x")))
    assert "copia" in cli.COMMANDS
