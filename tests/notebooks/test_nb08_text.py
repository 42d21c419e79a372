"""Il notebook 8: i gradini e le previsioni si rompono se un conto è sbagliato; i risultati dichiarati."""

from __future__ import annotations

import re

import numpy as np
import pytest

from course_lib.learning import generation, losses
from tests.notebooks.texts import built, outputs, run, source, spoiled

NAME = "08-addestrare-e-generare"


def ladder(code):
    """Le celle fino alla discesa: non addestrano nulla."""
    end = next(i for i, cell in enumerate(code) if "def descend(" in cell)
    return code[: end + 1]


def cell_with(code, text):
    (found,) = [cell for cell in code if text in cell]
    return found


@pytest.mark.parametrize(
    "wrong", ["hand_loss = 0.694", "hand_gradient = [-0.5, 0.25, 0.125, 0.124]", "targets = np.array([1, 1])"]
)
def test_the_ladder_breaks_if_a_number_is_wrong(code, wrong):
    changed = spoiled(ladder(code), wrong)
    with pytest.raises(AssertionError):
        run(changed)


def test_the_ladder_breaks_if_the_loss_of_the_library_is_wrong(code, monkeypatch):
    right = losses.cross_entropy
    monkeypatch.setattr(losses, "cross_entropy", lambda logits, targets: right(logits, targets) * 2)
    with pytest.raises(AssertionError):
        run(ladder(code))


@pytest.mark.parametrize(
    ("old", "new"),
    [("slope * value.grad", "value.grad"), ("+= slope", "= slope"), ("1 / self.data", "self.data")],
)
def test_the_small_autograd_breaks_if_a_rule_is_wrong(code, old, new):
    changed = [cell.replace(old, new) if "class Value" in cell else cell for cell in ladder(code)]
    assert changed != ladder(code)
    with pytest.raises(AssertionError):
        run(changed)


def test_the_choices_printed_are_those_of_a_loop(code):
    """Le righe di top-k e top-p rifatte a mano dalle probabilità scritte nella cella."""
    names, _ = run(
        ["import numpy as np\nfrom course_lib.notation import table", cell_with(code, "choices = {")]
    )
    p = [0.4, 0.3, 0.15, 0.1, 0.05]
    by_hand = {"top-k = 2": [0.4 / 0.7, 0.3 / 0.7, 0, 0, 0], "greedy": [1, 0, 0, 0, 0]}
    by_hand["top-p = 0,8"] = [x / 0.85 for x in p[:3]] + [0, 0]
    by_hand["τ = 0,5"] = [x * x / sum(y * y for y in p) for x in p]
    for name, expected in by_hand.items():
        assert names["choices"][name] == pytest.approx(expected), name
    assert names["choices"]["τ = 1"] == pytest.approx(generation.next_probabilities(np.log(p)))


def test_the_results_shown_are_those_that_the_text_states():
    """Ciò che la prosa dice dei risultati, letto nelle uscite che stanno in git."""
    shown = "\n".join(outputs(built(NAME)))
    assert re.search(r"Transformer, 400 passi +(1,000|0,9[789]\d)", shown)
    assert re.search(r"Transformer, non addestrato +0,[45]\d\d", shown)
    assert re.search(r"finestra di 6 +1,000 +0,500", shown)
    assert re.search(r"soggetto e articolo +0,500", shown)
    assert re.search(r"l'articolo +0,5\d\d", shown)
    sealed = re.findall(r": +([0-9a-f]{12})$", shown, re.M)
    assert len(sealed) == 3
    assert sealed[0] == sealed[1] != sealed[2]
    feminine = re.search(r"aggettivo femminile singolare: (0,\d+)", shown)[1]
    assert float(feminine.replace(",", ".")) > 0.9


def test_every_training_cell_checks_what_it_claims(code):
    """Le uscite di queste celle non si confrontano: perciò ognuna deve controllarsi da sé."""
    unchecked = {"shown = display(curves()"}  # la controlla la cella seguente
    for cell in source(NAME).cells:
        if cell.cell_type == "code" and "variabile" in cell.metadata.get("tags", []):
            assert "assert" in cell.source or any(text in cell.source for text in unchecked), cell.source[:80]
