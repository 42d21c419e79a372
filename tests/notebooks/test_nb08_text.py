"""Il notebook 8: i gradini e le previsioni si rompono se un conto è sbagliato; i risultati dichiarati."""

from __future__ import annotations

import ast
import math
import re
from types import SimpleNamespace

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


# Ciò che la prosa dice dei risultati: la riga delle uscite che lo conferma, e come non lo confermerebbe.
CLAIMS = {
    "il Transformer indovina": (
        r"^Transformer, 400 passi +(?:1,000|0,9[789]\d) +(?:1,000|0,9\d\d)$", r"passi +\S+", "passi  0,912",
    ),
    "appena nato è vicino al caso": (
        r"^Transformer, non addestrato +0,[45]\d\d +0,[45]\d\d$", r"0,\d+", "0,655",
    ),
    "ci riesce una rete ricorrente": (r"^rete ricorrente +(?:1,000|0,9[789]\d) ", r"\d,\d+", "0,750"),
    "la finestra larga è legata al posto": (r"^finestra di 6 +1,000 +0,500$", "0,500", "0,600"),
    "il 7-gramma resta al caso": (r"^7-gramma +0,500 +0,500$", "0,500", "0,510"),
    "il soggetto riceve pochissimo": (
        r"^testa 1 +0,[3-9]\d +0,0\d .*\ntesta 2 +0,\d\d +0,0\d ", r"(testa 2 +\S+ +)0,\d+", r"\g<1>0,12",
    ),
    "nella testa 2 il verbo riceve più di tutti": (
        r"^testa 2 +(?:0,[0-3]\d +){5}0,[4-9]\d +1", r"testa 2 +\S+", "testa 2  0,51",
    ),
    "il verbo serve meno dell'articolo": (r"^il verbo stesso +0,[7-9]\d\d$", r"0,\d+", "0,580"),
    "il soggetto non serve": (r"^il soggetto +(?:1,000|0,9\d\d)$", r"\d,\d+", "0,857"),
    "a questo modello basta l'articolo": (r"^l'articolo +0,5\d\d$", r"0,\d+", "0,666"),
    "senza tutti e due resta il caso": (r"^soggetto e articolo +0,500$", "0,500", "0,501"),
    "regge con cinque semi": (
        r"(?:^seme \d +(?:1,000|0,9[789]\d) +(?:1,000|0,9\d\d) +\d,\d{3} +\d,\d{3} +0,500\n?){5}",
        r"seme 3 +\S+", "seme 3  0,942",
    ),
    "con qualche seme serve anche il soggetto": (
        r"^seme \d(?: +\d,\d{3}){3} +0,[0-8]\d\d +0,500$", r"\S+( +0,500)$", r"1,000\g<1>",
    ),
    "con il numero qualunque sbaglia di più": (
        r"^numero opposto +\S+ +(?:1,000|0,99\d)\n"
        r"numero qualunque +(?:1,000|0,99\d) +0,(?:[5-8]\d|9[0-6])\d$",
        r"\S+$", "0,997",
    ),
    "batte il 5-gramma": (
        r"^validazione, all'inizio e alla fine: 4,3\d\d e 1,4\d\d$", r"e 1,\d+", "e 1,506",
    ),
    "continuando la loss risale": (
        r"^validazione dopo 2500 e dopo 4500 passi: 1,4\d\d e 1,5\d\d$", r"e 1,\d+", "e 1,450",
    ),
    "usare non è addestrare": (
        r"^prima dell'uso: +(\w{12})\ndopo 200 caratteri: +\1\ndopo un passo soltanto: +(?!\1)\w{12}$",
        r"(caratteri: +)\w+", r"\g<1>e9fa143ad8d3",
    ),
    "un passo solo cambia i parametri": (
        r"^dopo 200 caratteri: +(\w{12})\ndopo un passo soltanto: +(?!\1)\w{12}$",
        r"(?s)(\w{12})(.*)\w{12}", r"\1\2\1",
    ),
    "alla fine concorda": (r"aggettivo femminile singolare: 0,9\d\d$", r"0,\d+", "0,512"),
}  # fmt: skip


def unkept(shown):
    """Le frasi della prosa che le uscite non confermano."""
    return [claim for claim, (pattern, _, _) in CLAIMS.items() if not re.search(pattern, shown, re.M)]


@pytest.fixture(scope="module")
def shown():
    return "\n".join(line.rstrip() for text in outputs(built(NAME)) for line in text.splitlines())


def test_the_results_shown_are_those_that_the_text_states(shown):
    assert unkept(shown) == []


@pytest.mark.parametrize("claim", CLAIMS)
def test_another_result_is_seen(shown, claim):
    pattern, old, new = CLAIMS[claim]
    line = re.search(pattern, shown, re.M)[0]
    assert re.search(old, line)
    while re.search(pattern, shown, re.M):              # più righe possono confermarla: si cambiano tutte
        line = re.search(pattern, shown, re.M)[0]
        changed = shown.replace(line, re.sub(old, new, line))
        assert changed != shown, f"«{claim}» è confermata anche da un altro risultato"
        shown = changed
    assert claim in unkept(shown)


def training_cells():
    """Le celle le cui uscite nbval non confronta: perciò ognuna deve controllarsi da sé."""
    cells = [cell for cell in source(NAME).cells if cell.cell_type == "code"]
    return [cell.source for cell in cells if "variabile" in cell.metadata.get("tags", [])]


def conditions():
    """Le condizioni delle loro `assert`, una per «and»."""
    nodes = [node for cell in training_cells() for node in ast.walk(ast.parse(cell))]
    tests = [node.test for node in nodes if isinstance(node, ast.Assert)]
    parts = [test.values if isinstance(test, ast.BoolOp) else [test] for test in tests]
    return [ast.unparse(part) for several in parts for part in several]


def unmet(results):
    return [each for each in conditions() if not eval(each, {"np": np, "math": math, **results})]


def test_every_training_cell_checks_what_it_claims():
    assert [cell[:80] for cell in training_cells() if "assert" not in cell] == []


def ran(losses):
    return SimpleNamespace(loss=losses, history=SimpleNamespace(loss=losses))


def in_part(part):
    return SimpleNamespace(split_of=lambda noun, attractor: part)


SCORES = {"rete ricorrente": [1, 0.7], "Transformer, non addestrato": [0.496, 0.5]}
SCORES["Transformer, 400 passi"] = [1, 1]
SHARES = np.array([[0.71, 0.01, 0, 0.01, 0, 0.26], [0.3, 0.04, 0.05, 0.08, 0.05, 0.49]])
ABLATED = {"soggetto e articolo": 0.5, "l'attrattore": 1, "l'articolo": 0.5, "il soggetto": 1}
ABLATED["il verbo stesso"] = 0.811
BY_SEED = np.array([[1, 1, 0.5, 1, 0.5]] * 4 + [[1, 0.984, 0.666, 0.857, 0.5]])
RESULTS = {
    "trained": ran([4.6, 1.5]), "scores": SCORES, "shares": SHARES, "measured": ABLATED,
    "by_seed": BY_SEED, "with_two": BY_SEED[:, 1], "no_article": BY_SEED[:, 2],
    "no_subject": BY_SEED[:, 3], "neither": BY_SEED[:, 4], "means": [[1, 0.997], [1, 0.89]],
    "V_tale": 76, "start": 4.328, "final": 1.464, "best_count": 1.505, "trigram": 1.851, "later": 1.529,
    "history": ran([1.235] * 2500 + [1.15] * 2000), "with_memory": [1, 2], "again": [1, 2], "gap": 1e-6,
    "before": "a", "after": "a", "trained_on": "b", "feminine": 0.986, "grammar": in_part("validation"),
}  # fmt: skip
OTHERS = {
    "la loss non scende": {"trained": ran([4.6, 4.5])},
    "non impara": {"scores": SCORES | {"Transformer, 400 passi": [0.93, 1]}},
    "due attrattori lo ingannano": {"scores": SCORES | {"Transformer, 400 passi": [1, 0.75]}},
    "sa già rispondere": {"scores": SCORES | {"Transformer, non addestrato": [0.8, 0.5]}},
    "la rete ricorrente non ci riesce": {"scores": SCORES | {"rete ricorrente": [0.5, 0.5]}},
    "non guarda l'articolo": {"shares": SHARES[:, [1, 2, 3, 4, 0, 5]]},
    "guarda il soggetto": {"shares": SHARES[:, [0, 5, 2, 3, 4, 1]]},
    "non guarda il verbo": {"shares": SHARES * [1, 1, 1, 1, 1, 0.5]},
    "il genere passa da altrove": {"measured": ABLATED | {"soggetto e articolo": 0.61}},
    "l'attrattore serve": {"measured": ABLATED | {"l'attrattore": 0.9}},
    "l'articolo non serve": {"measured": ABLATED | {"l'articolo": 0.9}},
    "il soggetto serve": {"measured": ABLATED | {"il soggetto": 0.7}},
    "il verbo serve quanto l'articolo": {"measured": ABLATED | {"il verbo stesso": 0.55}},
    "un seme non impara": {"by_seed": BY_SEED * [0.9, 1, 1, 1, 1]},
    "un seme sbaglia con due attrattori": {"with_two": BY_SEED[:, 1] - [0, 0, 0, 0, 0.2]},
    "con altri semi l'articolo non serve": {"no_article": BY_SEED[:, 2] + 0.3},
    "con altri semi serve il soggetto": {"no_subject": BY_SEED[:, 3] - 0.2},
    "con un seme il genere passa da altrove": {"neither": BY_SEED[:, 4] + [0, 0, 0.1, 0, 0]},
    "il numero qualunque non si impara": {"means": [[1, 0.997], [0.9, 0.8]]},
    "il numero qualunque non cambia nulla": {"means": [[1, 0.997], [1, 0.99]]},
    "il 5-gramma è più bravo": {"final": 1.51},
    "il trigramma è il migliore di chi conta": {"trigram": 1.5},
    "il modello appena nato non è a ln V": {"start": 5},
    "la validazione non risale": {"later": 1.45},
    "la loss di addestramento non scende più": {"history": ran([1.235] * 4500)},
    "la memoria cambia il testo": {"again": [1, 3]},
    "l'attenzione altrui dà altri numeri": {"gap": 0.1},
    "l'uso cambia i parametri": {"after": "b", "trained_on": "c"},
    "l'addestramento non li cambia": {"trained_on": "a"},
    "alla fine non concorda": {"feminine": 0.6},
    "la coppia era nota": {"grammar": in_part("train")},
}


def test_the_results_measured_meet_every_condition():
    assert unmet(RESULTS) == []


@pytest.mark.parametrize("other", OTHERS)
def test_a_cell_stops_if_its_result_is_another(other):
    assert unmet(RESULTS | OTHERS[other]) != []


def test_no_condition_is_met_by_every_result():
    seen = {each for other in OTHERS.values() for each in unmet(RESULTS | other)}
    assert [each for each in conditions() if each not in seen] == []
