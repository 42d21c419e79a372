"""CONTRIBUTING.md si può seguire alla lettera: esempi, tag, comandi e percorsi sono quelli veri."""

from __future__ import annotations

import re

import numpy as np
import pytest

from course_lib.building.exercises import build_solution
from course_lib.building.notebooks import notebook_draft
from course_lib.building.rules import EXERCISE_TAGS, NOTEBOOK_TAGS
from course_lib.building.source import HEADER, read_source
from course_lib.checks import Exercise, VerificaFallita
from course_lib.checks.run import verifica
from course_lib.cli import COMMANDS
from course_lib.project import project_root

ROOT = project_root()
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^````\n(.*?)^````$", TEXT, re.DOTALL | re.MULTILINE)


def test_the_header_is_the_one_asked_for():
    assert f"```\n{HEADER}```\n" in TEXT
    assert (ROOT / "sources" / "exercises" / "es02.md").read_text(encoding="utf-8").startswith(HEADER)


def test_the_table_of_tags_is_complete():
    table = re.findall(r"^\| `([a-z…N-]+)` \| (?:notebook|esercizio|ovunque) \|", TEXT, re.MULTILINE)
    assert sorted(table) == sorted([*NOTEBOOK_TAGS, *EXERCISE_TAGS, "punti-N", "nome-…"])


def test_the_example_of_a_notebook_builds(tmp_path):
    path = tmp_path / "98-esempio.md"
    path.write_text(f"{HEADER}\n# Un esempio\n\n{EXAMPLES[0]}", encoding="utf-8")
    notebook = notebook_draft(read_source(path))
    assert [cell.metadata.get("tags") for cell in notebook.cells] == [None, ["esatto"]]


def test_the_example_of_an_exercise_builds_but_for_its_points(tmp_path, monkeypatch):
    path = tmp_path / "es98.md"
    path.write_text("\n".join([HEADER, *EXAMPLES[1:]]), encoding="utf-8")
    with pytest.raises(Exception, match="fanno 3 invece di 10"):
        build_solution(read_source(path))
    monkeypatch.setattr("course_lib.building.rules.TOTAL_POINTS", 3)
    assert "weighted-mean-prova" in build_solution(read_source(path))


def example_exercise() -> Exercise:
    (code,) = re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    names: dict = {}
    exec(code, names)
    return names["EXERCISE"]


def test_the_example_of_a_check_recognises_its_slips(monkeypatch, capsys):
    example = example_exercise()
    monkeypatch.setattr("course_lib.checks.run.exercise", lambda exercise_id: example)
    hidden = re.search(r"rng = .*?\n\}\)\n", EXAMPLES[2], re.DOTALL).group()

    def graded(function):
        verifica("es98", function, nome="weighted_mean")
        exec(hidden, {"np": np, "verifica": verifica, "weighted_mean": function})

    graded(lambda v, p: (v * p).sum() / p.sum())
    graded(lambda v, p: np.float64(sum(a * b for a, b in zip(v, p, strict=True)) / sum(p)))
    assert capsys.readouterr().out.count("✓") == 4
    (check,) = example.checks
    for slip in check.slips:
        for wrong in check.wrong_functions(slip):
            with pytest.raises(VerificaFallita) as failed:
                graded(wrong)
            assert failed.value.slip == slip.name


def test_the_commands_exist():
    named = set(re.findall(r"corso\.py (\w+)", TEXT))
    assert {"costruisci", "prova", "apri", "distribuisci", "diagnosi", "giro"} <= named <= set(COMMANDS)


def test_the_files_it_names_exist():
    named = {name for name in re.findall(r"`([\w./-]+/[\w./-]*|[\w.-]+\.(?:md|toml|lock|py))`", TEXT)}
    made_later = {"registro/", "dist/", ".costruzione/", "es98/", "course_lib/checks/es98.py", "esNN.md"}
    made_later |= {"dist/sito/", "dist/dispensa.pdf"}
    names = ("transformer", "figures", "widgets", "checks", "building", "grading", "publishing", "cli", "hub")
    floors = {f"{name}/" for name in names}
    planned = {"learning/"}
    left = (
        named
        - made_later
        - floors
        - planned
        - {"NN-parole-con-trattini.md", "uv.lock", "pylock.toml", "es98.md"}
    )
    assert len(left) > 8
    assert [name for name in sorted(left) if not (ROOT / name).exists()] == []
    assert [name for name in floors if not (ROOT / "course_lib" / name).is_dir()] == []


def test_the_lock_command_is_the_one_in_pyproject():
    command, for_the_others = re.findall(
        r"^#\s+(uv pip compile .*)$", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.M
    )
    assert command.strip() in TEXT
    assert for_the_others.endswith("> requirements-NOME.lock")
