"""GUIDA.md dice il vero: comandi e opzioni, file, tasti, verdetti e numeri sono quelli del codice."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex

import pytest

import corso
from course_lib.building.bundle import TOP_FILES
from course_lib.building.leaks import find_leaks, secrets
from course_lib.building.pipeline import targets
from course_lib.cli import COMMANDS
from course_lib.grading import limits, store, workers
from course_lib.grading.verdicts import Verdict
from tests.conftest import ROOT
from tests.project.italian import FENCED

TEXT = (ROOT / "GUIDA.md").read_text(encoding="utf-8")
CODE = [" ".join(found.split()) for found in re.findall(r"`([^`]+)`", FENCED.sub(" ", TEXT))]
COMMAND = re.compile(r"(?:python3 corso\.py|corso) (.+)")


def parser_of(name: str) -> argparse.ArgumentParser:
    """Il lettore degli argomenti di un comando, com'è nel modulo; un errore diventa un'eccezione."""
    parser = argparse.ArgumentParser(exit_on_error=False, allow_abbrev=False, add_help=False)
    importlib.import_module(f"course_lib.cli.{COMMANDS[name][0]}").add_arguments(parser)
    return parser


def options_of(name: str) -> set[str]:
    """Le opzioni di un comando."""
    return {option for action in parser_of(name)._actions for option in action.option_strings}


def unknown(codes: list[str]) -> list[str]:
    """I comandi e le opzioni che non esistono, fra ciò che un testo scrive come codice."""
    every, wrong = set().union(*map(options_of, COMMANDS)), []
    for code in codes:
        found = COMMAND.fullmatch(code)
        if not found and not code.startswith("--"):
            continue
        words = shlex.split(found.group(1) if found else code)
        if found and words[0] not in COMMANDS:
            wrong.append(code)
        elif {word for word in words if word.startswith("--")} - (options_of(words[0]) if found else every):
            wrong.append(code)
    return wrong


def test_every_command_and_option_it_names_exists():
    assert len([code for code in CODE if COMMAND.fullmatch(code)]) > 15
    assert unknown(CODE) == []


@pytest.mark.parametrize("code", sorted({code for code in CODE if code.startswith("python3 corso.py")}))
def test_every_whole_command_can_be_typed_as_it_stands(code):
    name, *words = shlex.split(COMMAND.fullmatch(code).group(1))
    parser_of(name).parse_args(words)


@pytest.mark.parametrize(
    ("code", "seen"),
    [
        ("python3 corso.py corregge es02", True),
        ("python3 corso.py correggi es02 --dal CARTELLA", True),
        ("corso regia --da CARTELLA", True),
        ("--senza-rete", True),
        ("--lavoratori N", False),
        ("corso regia", False),
        ("attend", False),
    ],
)
def test_what_does_not_exist_is_seen(code, seen):
    assert bool(unknown([code])) is seen


def test_every_command_of_a_teacher_is_told():
    told = {COMMAND.fullmatch(code).group(1).split()[0] for code in CODE if COMMAND.fullmatch(code)}
    assert set(COMMANDS) - told == {"prova"}                  # quello serve a chi modifica il corso


def test_the_files_it_names_exist():
    named = {code for code in CODE if re.fullmatch(r"[\w./-]+(?:/|\.(?:md|py|ipynb))", code)}
    made_later = ("registro/", "dist/", "consegne/", "Partecipante_")  # o lo dà una piattaforma
    kept = {name for name in named if not name.startswith(made_later)}
    assert len(kept) > 4
    assert [name for name in sorted(kept) if not (ROOT / name).exists()] == []


def test_it_fits_a_sitting_and_stays_with_the_teacher():
    assert len(TEXT.splitlines()) <= 300
    assert "GUIDA.md" not in TOP_FILES


def test_it_reveals_no_answer():
    hidden = [s for target in targets(ROOT) if not target.is_notebook for s in secrets(target.read())]
    assert hidden
    assert list(find_leaks({"GUIDA.md": TEXT.encode()}, hidden)) == []
    line = "    return K @ q / np.sqrt(d_k)                     # (n, d_k) @ (d_k,) -> (n,)"
    assert list(find_leaks({"GUIDA.md": f"{TEXT}\n{line}\n".encode()}, hidden))


def test_the_keys_are_those_of_the_director():
    code = (ROOT / "course_lib" / "widgets" / "director.js").read_text(encoding="utf-8")
    keys = set(re.findall(r"(\w+): \"", re.search(r"const KEYS = \{(.*?)\}", code).group(1)))
    rows = re.search(r"\| tasto \|.*?\n\n", TEXT, re.S).group()
    told = set(re.findall(r"^\| (Pag\w+)|`(\w)`", rows, re.M))
    italian = {"PageDown": "PagGiù", "PageUp": "PagSu"}
    assert {a or b for a, b in told} == {italian.get(key, key) for key in keys}


def test_the_verdicts_are_those_of_the_code():
    rows = re.search(r"\| verdetto \|.*?\n\n", TEXT, re.S).group()
    assert set(re.findall(r"\*([^*]+)\*", rows)) == set(Verdict) - {Verdict.GRADED}


def test_the_minutes_are_those_of_the_cards():
    told = re.search(r"come li dicono\s+le schede: (.*?)\.\n", TEXT, re.S).group(1)
    paths = sorted((ROOT / "sources" / "notebooks").glob("0[1-8]-*.md"))
    cards = [path.read_text(encoding="utf-8") for path in paths]
    minutes = [re.search(r"circa (\d+) minuti, più (\d+) per l'esercizio", card).groups() for card in cards]
    assert told == "; ".join(f"{k}: {read} + {work}" for k, (read, work) in enumerate(minutes, 1))


def test_the_limits_are_those_of_the_code():
    box = limits.DEFAULT
    told = (
        f"{box.cell_seconds:.0f} secondi a cella, {box.call_seconds:.0f} a chiamata, "
        f"{box.notebook_seconds:.0f} a consegna, {box.memory // limits.MIB} MB di memoria"
    )
    text = " ".join(TEXT.split())
    for sentence in (
        told,
        f"almeno {box.memory // limits.MIB} MB di memoria per lavoratore",
        f"al più {store.MOST} consegne a raccolta",
        f"al più {workers.MOST} (`--lavoratori N`)",
        f"ne chiede {corso.NEEDED_MB} liberi",
        f"libera {corso.NEEDED_MB} MB",
    ):
        assert sentence in text
