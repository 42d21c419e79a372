"""Il testo degli esercizi: indizi, prove, ingressi nascosti, cella finale, moduli offerti nella scatola."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from course_lib.building.rules import HIDDEN, SOLUTION, points, pupil_view, regions, role
from course_lib.checks import exercise, verifica
from course_lib.checks.registry import known
from course_lib.transformer.examples import chiave_libri_era
from tests.exercises.conftest import (
    SOURCES,
    exercise_source,
    hidden_inputs,
    quietly,
    run_closing,
    solved,
    test_cells,
)

ROOT = Path(__file__).resolve().parents[2]
BARE = re.compile(r"\b(assert_)?allclose\b|\bisclose\b|\barray_equal\b|\bassert_array_almost_equal\b")


def python_files():
    return sorted((ROOT / "course_lib" / "checks").rglob("*.py"))


def graded_text(exercise_id):
    """Tutto il codice che assegna punti: celle di prova e preparazione."""
    source = exercise_source(exercise_id)
    return "\n".join(cell.source for cell in source.cells if role(cell) in ("prova", "preparazione"))


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_checks_compare_with_the_one_helper(path):
    assert not BARE.search(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("exercise_id", known())
def test_graded_cells_compare_with_the_one_helper(exercise_id):
    assert not BARE.search(graded_text(exercise_id))
    assert "assert" not in graded_text(exercise_id)


def test_the_lint_sees_what_it_forbids():
    for text in ("np.allclose(a, b)", "np.testing.assert_allclose(a, b)", "np.isclose(a, b)", "allclose (a)"):
        assert BARE.search(text)


@pytest.mark.parametrize("exercise_id", known())
def test_every_exported_function_has_a_check_and_graded_cells(exercise_id):
    checked = exercise(exercise_id)
    with_check = [name for name in checked.exports if name not in checked.functions]
    assert [check.name for check in checked.checks] == with_check
    for check in checked.checks:
        cells = [
            cell
            for cell in test_cells(exercise_id)
            if re.search(rf'verifica\("{exercise_id}", {check.name}\b', cell.source)
        ]
        assert len(cells) == 1
        visible = [line for line in pupil_view(cells[0]).splitlines() if line.strip()]
        assert visible == [f'verifica("{exercise_id}", {check.name})']
        assert [region.kind for region in regions(exercise_source(exercise_id), cells[0])] == [HIDDEN]


@pytest.mark.parametrize("exercise_id", known())
def test_points_are_ten_in_all(exercise_id):
    source = exercise_source(exercise_id)
    assert sum(points(source, cell) for cell in test_cells(exercise_id)) == 10


@pytest.mark.parametrize("exercise_id", known())
def test_hidden_titles_are_short_and_give_no_number_away(exercise_id):
    for hidden in hidden_inputs(exercise_id).values():
        assert len(hidden) >= 5
        for title in hidden:
            assert not re.search(r"[\d=\[\]()]", title)
            assert len(title) <= 50


@pytest.mark.parametrize("exercise_id", known())
def test_no_hidden_input_is_also_visible(exercise_id):
    def as_bytes(args):
        return repr([arg.tobytes() if type(arg) is np.ndarray else arg for arg in args])

    for name, hidden in hidden_inputs(exercise_id).items():
        visible = {as_bytes(args) for args in exercise(exercise_id).check(name).inputs()}
        for given in hidden.values():
            for args in given if type(given) is list else [given]:
                assert as_bytes(args) not in visible


@pytest.mark.parametrize("exercise_id", known())
def test_no_hidden_text_stands_outside_its_block(exercise_id):
    source = exercise_source(exercise_id)
    outside = "\n".join(pupil_view(cell) for cell in source.cells)
    outside += "".join(path.read_text(encoding="utf-8") for path in python_files())
    for cell in test_cells(exercise_id):
        for region in regions(source, cell):
            for line in region.lines:
                if len(line.strip()) > 12 and not line.strip().startswith("verifica("):
                    assert line.strip() not in outside


@pytest.mark.parametrize("exercise_id", known())
def test_every_answer_has_two_folded_hints_before_it(exercise_id):
    cells = exercise_source(exercise_id).cells
    for before, answer in pairwise(cells):
        if role(answer) == "risposta":
            folded = re.findall(
                r"<details>\n<summary>([^<]*)</summary>\n\n(.+?)\n\n</details>", before.source, re.DOTALL
            )
            assert [title for title, _ in folded] == ["Un indizio", "Un indizio in più"]
            assert before.source.count("<details>") == 2


@pytest.mark.parametrize("exercise_id", known())
def test_no_text_contains_a_solution_line(exercise_id):
    source = exercise_source(exercise_id)
    shown = "\n".join(pupil_view(cell) for cell in source.cells)
    for cell in source.cells:
        for region in regions(source, cell):
            if region.kind == SOLUTION:
                for line in region.lines:
                    code = line.split("#")[0].strip()
                    assert code
                    assert code not in shown


def test_jupyter_alone_renders_the_text():
    for path in SOURCES.glob("es*.md"):
        for cell in exercise_source(path.stem).cells:
            if cell.kind == "markdown":
                assert not re.search(r"\{[a-z-]+\}`|^:::|^```\{", cell.source, re.MULTILINE)


def test_the_paper_cases_are_those_that_verifica_tries_first():
    shown = {
        "project": ([7, 2],),
        "scaled_scores": ([2, 0, 4],),
        "softmax_row": ([0.25, 0.75],),
        "combine": ([2, 3],),
        "attend": (chiave_libri_era().output[0], chiave_libri_era().weights[0]),
    }
    for name, expected in shown.items():
        check = exercise("es02").check(name)
        result = check.reference(*check.inputs()[0])
        results = result if type(result) is tuple else (result,)
        for wanted, got in zip(expected, results, strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-9)


def closing_cell(exercise_id="es02"):
    """L'ultima cella di codice, quella della mappa."""
    return [cell for cell in exercise_source(exercise_id).cells if cell.kind == "code"][-1]


@pytest.mark.parametrize(
    "attend",
    [
        None,
        lambda *args: None,
        lambda *args: 1 / 0,
        lambda *args: (1, 2),
        lambda *args: (np.ones(2), np.ones(3)),
    ],
)
def test_the_closing_cell_waits_for_unfinished_functions(attend, capsys):
    space = {"np": np, "verifica": verifica} | ({"attend": attend} if attend else {})
    assert run_closing("es02", space) is None
    said = capsys.readouterr().out
    assert said.startswith("La mappa aspetta che le cinque funzioni passino le loro prove: qui esce ")
    assert said.endswith("\nTorna alle celle verifica: quale non passa?\n")


def test_the_closing_cell_draws_the_map_with_the_pupils_functions():
    space = solved("es02")
    for name in exercise("es02").exports:
        assert quietly("es02", space[name]).startswith("✓")
    picture = run_closing("es02", space)
    assert picture.png.startswith(b"\x89PNG")
    assert repr(picture).startswith("«arrugginita» guarda soprattutto «chiave»")
    other = space["draw_map"]("I libri accanto alla chiave erano arrugginiti")
    assert repr(other).startswith("«arrugginiti» guarda soprattutto «libri»")
    new = space["draw_map"]("La chiave accanto ai libri era nuova", nuova=(1, -1, 0, 1))
    assert repr(new).startswith("«nuova» guarda soprattutto «chiave»")
    assert repr(space["draw_map"]("La chiave boh")).startswith("«boh» guarda tutti allo stesso modo")
    assert "arrugginita" in repr(picture).split("\n")[-1]
    said = [cell.source for cell in exercise_source("es02").cells if "Leggi l'ultima riga" in cell.source]
    assert "Sé stessa la guarda con 0,12, quanto l'articolo *La*" in said[0]
    last = repr(picture).split("\n")[-1].split()
    assert (last[1], last[7]) == ("0,12", "0,12")


def test_the_map_says_when_the_rows_are_no_shares(capsys):
    space = solved("es02")
    right = space["attend"]
    space["attend"] = lambda *args: tuple(2 * part for part in right(*args))
    assert run_closing("es02", space) is not None
    said = capsys.readouterr().out
    assert said == "Le righe di questa mappa non hanno somma 1: la prova di attend passa?\n"


def test_turned_round_the_sentence_gives_the_same_numbers():
    space = solved("es02")
    first = run_closing("es02", space)
    other = space["draw_map"]("I libri accanto alla chiave erano arrugginiti")
    numbers = [re.findall(r"\d,\d+", repr(picture)) for picture in (first, other)]
    assert len(numbers[0]) > 40
    assert numbers[0] == numbers[1]


def test_the_map_says_which_words_have_no_vector_and_what_it_wanted(capsys):
    space = solved("es02")
    draw_map = run_closing("es02", space) and space["draw_map"]
    capsys.readouterr()
    draw_map("La chiave, era Nuova.")
    assert capsys.readouterr().out == "Senza un vettore, quindi (0, 0, 0, 0): Nuova\n"
    two = draw_map("era arrugginita, la chiave!", chiave=(1, -1, 0, 1))
    assert repr(two).startswith("«chiave» guarda soprattutto «arrugginita» e «la» e «chiave»")
    repeated = draw_map("La chiave era chiave")
    assert repr(repeated).startswith("«chiave» guarda soprattutto «La» e «chiave»")
    assert repr(draw_map("La chiave era Nuova", Nuova=(1, -1, 0, 1))).startswith("«Nuova» guarda soprattutto")
    assert capsys.readouterr().out == ""
    for sentence, words, start in (
        ("", {}, "Mi aspettavo una frase."),
        ("La chiave era nuova", {"nuova": (1, -1)}, "«nuova»: mi aspettavo i suoi quattro numeri."),
        (" . ", {}, "Mi aspettavo una frase."),
        ("La chiave era nuova", {"nuova": (1, -1, 0, "x")}, "«nuova»: mi aspettavo i suoi quattro numeri."),
        ("La chiave era nuova", {"nuova": 1}, "«nuova»: mi aspettavo i suoi quattro numeri."),
    ):
        assert draw_map(sentence, **words) is None
        assert capsys.readouterr().out.startswith(start + " Prova così: draw_map(")


@pytest.mark.parametrize("exercise_id", known())
def test_the_modules_offered_in_the_box_hold_no_reference(exercise_id):
    code = (
        f"import sys\nfor name in {exercise(exercise_id).box_modules!r}: __import__(name)\n"
        "print(*(m for m in sys.modules if m.startswith(('course_lib.checks', 'course_lib.transformer'))))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""
    imported = set(re.findall(r"from (course_lib[\w.]*) import", closing_cell(exercise_id).source))
    assert imported <= set(exercise(exercise_id).box_modules)


def test_importing_checks_costs_numpy_and_no_drawing():
    code = "import sys, course_lib.checks as c; c.exercise('es02'); print('matplotlib' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
