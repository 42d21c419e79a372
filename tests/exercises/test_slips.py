"""Le mutazioni di ogni esercizio: ogni errore tipico ha il suo messaggio, ogni risposta giusta passa."""

from __future__ import annotations

import re
from functools import cache

import pytest

from course_lib.checks import VerificaFallita, exercise
from course_lib.checks.diagnose import _pairs
from course_lib.checks.registry import known
from tests.exercises.conftest import failure, first_line, hidden_inputs, notebook_points, quietly, solved
from tests.exercises.right import answers

CHECKS = [(exercise_id, check) for exercise_id in known() for check in exercise(exercise_id).checks]
SLIPS = [(exercise_id, check, slip) for exercise_id, check in CHECKS for slip in check.slips]
WRONG = [
    (exercise_id, check, slip, function)
    for exercise_id, check, slip in SLIPS
    for function in check.wrong_functions(slip)
]
GIVEN_AWAY = re.compile(
    r"@|np\.|\.sum|sqrt|exp\(|\*\*|axis=|keepdims|swapaxes|\.get\(|isalnum|\.lower\(|\breturn \w+ [/*@]"
)

hidden = cache(hidden_inputs)


def label(value):
    return value if type(value) is str else getattr(value, "name", None)


def same_parameters(check, function):
    """function con i parametri della scheda: così se ne contano gli argomenti come per un allievo."""
    names = ", ".join(check.parameters)
    return eval(f"lambda {names}: function({names})", {"function": function})


@pytest.mark.parametrize(("exercise_id", "check", "slip", "function"), WRONG, ids=label)
def test_every_slip_is_recognised_by_name_on_the_visible_cases(exercise_id, check, slip, function):
    failed = failure(exercise_id, same_parameters(check, function), nome=check.name)
    assert failed.slip == slip.name
    assert not failed.nascosto
    lines = failed.messaggio.split("\n")
    assert lines[0] == f"✗ {check.name}: sembra l'errore «{slip.name}»."
    assert lines[-1] == slip.question
    assert any("atteso" in line for line in lines)
    assert any("ottenuto" in line for line in lines)


@pytest.mark.parametrize(("exercise_id", "check", "slip", "function"), WRONG, ids=label)
def test_every_slip_is_recognised_on_the_hidden_cases_which_show_nothing_else(
    exercise_id, check, slip, function
):
    cases = hidden(exercise_id)[check.name]
    failed = failure(exercise_id, function, nome=check.name, nascosti=cases)
    assert failed.slip == slip.name
    assert failed.nascosto
    titles = "|".join(map(re.escape, cases))
    first = rf"✗ {check.name}, prova nascosta «({titles})»: sembra l'errore «(.*)»\."
    lines = failed.messaggio.split("\n")
    assert re.fullmatch(first, lines[0])[2] == slip.name
    assert lines[1:] == [slip.question]


@pytest.mark.parametrize("exercise_id", known())
def test_all_first_lines_are_distinct(exercise_id):
    lines = {}
    for _, check, slip, function in (one for one in WRONG if one[0] == exercise_id):
        line = first_line(exercise_id, function, nome=check.name)
        lines.setdefault(line, set()).add((check.name, slip.name))
    assert all(len(who) == 1 for who in lines.values())
    assert len(lines) == sum(len(check.slips) for check in exercise(exercise_id).checks)


@pytest.mark.parametrize(("exercise_id", "check"), CHECKS, ids=label)
def test_the_unchanged_stub_has_its_own_message(exercise_id, check):
    def stub(*args):
        raise NotImplementedError("qui manca ancora il tuo codice")

    failed = failure(exercise_id, stub, nome=check.name)
    assert failed.slip is None
    assert failed.messaggio.startswith(f"✗ {check.name}: non hai ancora scritto questa funzione.\n")


@pytest.mark.parametrize(
    ("exercise_id", "check", "function"),
    [(e, c, f) for e, c in CHECKS for f in [c.reference, *answers(e).RIGHT[c.name]]],
    ids=label,
)
def test_every_right_answer_passes_visible_and_hidden(exercise_id, check, function):
    function = same_parameters(check, function)
    assert quietly(exercise_id, function, nome=check.name).startswith(f"✓ {check.name}: ")
    cases = hidden(exercise_id)[check.name]
    line = quietly(exercise_id, function, nome=check.name, nascosti=cases)
    assert line == f"✓ {check.name}: {len(cases)} prove nascoste superate.\n"


@pytest.mark.parametrize("exercise_id", known())
def test_every_function_has_three_right_answers_and_every_check_three_slips(exercise_id):
    right = answers(exercise_id).RIGHT
    assert set(right) == set(exercise(exercise_id).exports)
    assert {name for name, functions in right.items() if len(functions) < 3} == set()
    assert {check.name for check in exercise(exercise_id).checks if len(check.slips) < 3} == set()


@pytest.mark.lento
@pytest.mark.parametrize("exercise_id", known())
def test_two_slips_at_once_are_both_named(exercise_id):
    """Qualche coppia è indistinguibile da un'altra spiegazione; quasi tutte no, e nessuna passa."""
    checks = [check for check in exercise(exercise_id).checks if check.family and not check.alone]
    pairs = [(check, *pair) for check in checks for pair in _pairs(check)]
    exact = 0
    for check, slips, function in pairs:
        failed = failure(exercise_id, function, nome=check.name)
        exact += set(failed.slips) == {slip.name for slip in slips}
    assert exact >= 0.93 * len(pairs)


@pytest.mark.parametrize(("exercise_id", "check", "slip"), SLIPS, ids=label)
def test_no_question_gives_the_answer_away(exercise_id, check, slip):
    assert "?" in slip.question
    assert slip.question.endswith(("?", "."))
    assert not GIVEN_AWAY.search(slip.question)
    assert not re.search(r"\bpes[oi]\b|'[aeiou]\b\s", slip.question)


@pytest.mark.parametrize("exercise_id", known())
def test_the_half_right_submission_fails_where_it_says(exercise_id):
    checks, half, failed = exercise(exercise_id).checks, answers(exercise_id), {}
    names = {**solved(exercise_id), **{check.name: check.reference for check in checks}}
    for source in half.HALF.values():
        exec(source, names)
    for check in checks:
        try:
            quietly(exercise_id, names[check.name], nome=check.name)
        except VerificaFallita as failure:
            failed[check.name] = failure.slip
    assert set(failed.values()) == half.HALF_SLIPS
    assert set(failed) <= set(half.HALF)


@pytest.mark.parametrize("exercise_id", known())
def test_points_of_the_solution_of_the_stub_and_of_the_half_right_one(exercise_id):
    """Le celle di prova, eseguite qui: gli stessi voti che poi dà la correzione isolata."""
    half = answers(exercise_id)
    assert set(half.HALF) < set(exercise(exercise_id).exports)
    assert notebook_points(exercise_id, "solutions") == 10
    assert notebook_points(exercise_id, "exercises") == 0
    assert 0 < half.HALF_POINTS < 10
    assert notebook_points(exercise_id, "solutions", half.HALF) == half.HALF_POINTS
