"""Lo stato del Simulatore: numeri rifatti con i cicli, confronti, frasi, esempi impacchettati."""

import math

import pytest

from course_lib.notation import number
from course_lib.transformer.sentences import IL, IN, VOCABULARY
from course_lib.widgets.state import simulator_scenes as scenes
from course_lib.widgets.state.simulator import CHOICES, state, waves
from course_lib.widgets.state.simulator_words import SEEN

OPENING = scenes.opening()
ALL = (OPENING, *scenes.SCENES)
BY_NAME = {scene.name: scene for scene in ALL}


def code(place, d):
    """La codifica posizionale di un posto, con la sola libreria standard."""
    angles = [place / 10000 ** (2 * (c // 2) / d) for c in range(d)]
    return [math.cos(a) if c % 2 else math.sin(a) for c, a in enumerate(angles)]


def by_loops(ids, d, positions):
    """Pezzi dell'embedding, vettori finali, punteggi e coefficienti, con i cicli."""
    sines = [[0.5 * math.sin(t * (c + 1) * 0.5) for c in range(8)] for t in ids]
    cosines = [[0.3 * math.cos(t * (c + 1) * 0.3) for c in range(8)] for t in ids]
    factor = 0.3 if positions else 0.0
    final = [
        [sines[p][c] + cosines[p][c] + factor * code(p, d)[c] for c in range(d)] for p in range(len(ids))
    ]
    scores = [[sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(d) for k in final] for q in final]
    weights = [[math.exp(s) / sum(map(math.exp, row)) for s in row] for row in scores]
    return sines, cosines, final, scores, weights


def close(found, expected, within=1e-12):
    """Vero se due liste di liste hanno gli stessi numeri."""
    assert len(found) == len(expected)
    for row, other in zip(found, expected, strict=True):
        assert row == pytest.approx(other, abs=within)
    return True


@pytest.mark.parametrize("scene", ALL, ids=lambda scene: scene.name)
@pytest.mark.parametrize(("d", "positions"), [(2, True), (4, False), (5, True), (8, True)])
def test_state_equals_the_loops(scene, d, positions):
    found = scene.state(d, positions)
    for side, sentence in zip(found["sides"], scene.sentences, strict=True):
        ids = [VOCABULARY.index(word) for word in sentence.lower().split()]
        assert side["ids"] == ids
        sines, cosines, final, scores, weights = by_loops(ids, side["d"], positions)
        assert close(side["sines"], sines)
        assert close(side["cosines"], cosines)
        both = [[a + b for a, b in zip(*p, strict=True)] for p in zip(sines, cosines, strict=True)]
        assert close(side["embedding"], both)
        assert close(side["final"], final)
        assert close(side["scores"], scores)
        assert close(side["weights"], weights)
        assert side["sums"] == pytest.approx([1.0] * len(ids), abs=1e-12)
        shift = 0.3 if positions else 0.0
        assert close(side["added"], [[shift * c for c in code(p, side["d"])] for p in range(len(ids))])
    vectors = [v for side in found["sides"] for name in ("added", "final") for row in side[name] for v in row]
    vectors += [v for side in found["sides"] for row in side["embedding"] for v in row[: side["d"]]]
    assert found["scale"] == pytest.approx(max(map(abs, vectors)))


def test_the_word_regola_is_that_of_the_table_of_sources():
    side = state(IN)["sides"][0]
    assert side["sines"][4][:4] == pytest.approx([0.4546, -0.3784, -0.1397, 0.4947], abs=5e-5)
    assert side["cosines"][4][:4] == pytest.approx([0.1087, -0.2212, -0.2690, 0.0262], abs=5e-5)
    assert side["final"][4] == pytest.approx([0.3363, -0.7957, -0.3967, 0.8207], abs=5e-5)


def test_the_readings_of_the_waves_are_the_codes():
    found = waves()
    assert sorted(found) == [str(d) for d in range(2, 9)]
    for d in (2, 5, 8):
        assert len(found[str(d)]) == d
        assert {len(values) for values in found[str(d)]} == {93}
        for place in (0, 1, 7, 23):
            readings = [values[4 * place] for values in found[str(d)]]
            assert readings == pytest.approx(code(place, d), abs=6e-5)
            assert [number(v, 3) for v in readings] == [number(v, 3) for v in code(place, d)]


# --- due frasi ------------------------------------------------------------------------------------


def test_one_word_changed():
    found = state(IN, IL)
    assert (found["kind"], found["match"], found["changed"]) == ("changed", list(range(7)), [[5], [5]])
    before, after = (by_loops(ids, 4, True)[4] for ids in ([0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 7, 6]))
    gap = [[b - a for a, b in zip(*rows, strict=True)] for rows in zip(before, after, strict=True)]
    assert close(found["gap"], gap)
    top = max(abs(v) for row in gap for v in row)
    assert found["findings"][0] == "Cambia un token solo, al posto 5: «in», ID 5, diventa «il», ID 7"
    assert found["findings"][1] == "Cambia soltanto la riga del posto 5"
    assert found["findings"][3].endswith(f"in → Una che diventa il → Una, cambia di {number(top, 3)}")
    assert found["question"]["choices"][found["question"]["right"]] == "meno di 0,05"
    assert state(IN, IL, d=2)["question"]["right"] == 1  # 0,085: fra 0,05 e 0,2


def test_the_same_words_in_another_order():
    found = BY_NAME["La posizione"].state()
    assert (found["kind"], found["match"]) == ("order", [3, 4, 2, 0, 1])
    assert found["changed"] == [[0, 1, 3, 4], [3, 4, 0, 1]]
    assert max(abs(v) for row in found["gap"] for v in row) < 1e-15
    assert "senza posizioni l'attenzione non vede l'ordine" in found["findings"][3]
    assert found["question"]["choices"][found["question"]["right"]] == "sì, tutti"
    on = BY_NAME["La posizione"].state(positions=True)
    one, two = on["sides"]
    for i in range(5):
        for j in range(5):
            after = two["weights"][on["match"][i]][on["match"][j]]
            assert on["gap"][i][j] == pytest.approx(after - one["weights"][i][j], abs=1e-15)
    assert on["findings"][2].endswith("cambiano le righe finali di 4 token su 5")
    assert on["question"]["choices"][on["question"]["right"]] == "no, qualcuno cambia"
    assert on["question"]["id"] != found["question"]["id"]  # con e senza posizioni si prevede due volte


def test_repeated_tokens_are_matched_in_their_order():
    found = state("il gatto e il cane", "il cane e il gatto", positions=False)
    assert found["match"] == [0, 4, 2, 3, 1]
    assert max(abs(v) for row in found["gap"] for v in row) < 1e-15


@pytest.mark.parametrize(("positions", "how"), [(False, "righe uguali"), (True, "righe diverse")])
def test_equal_tokens_get_equal_rows_only_without_positions(positions, how):
    for sentences in (["Il gatto mangia il topo"], ["Il gatto mangia il topo", "Il topo mangia il gatto"]):
        found = state(*sentences, positions=positions)
        rows = found["sides"][0]["final"]
        assert (rows[0] == rows[3]) == (not positions)
        if len(sentences) == 1 or not positions:
            assert f"«Il», nei posti 0 e 3, ha {how}" in found["findings"][2]
    assert "righe" not in state(IN, positions=False)["findings"][2]


def test_two_numbers_of_dimensions():
    found = BY_NAME["Le dimensioni"].state()
    assert (found["kind"], found["first_d"], found["d"]) == ("dims", 2, 8)
    assert [side["d"] for side in found["sides"]] == [2, 8]
    assert close(found["gap"], [
        [b - a for a, b in zip(*rows, strict=True)]
        for rows in zip(*(by_loops(range(7), d, True)[4] for d in (2, 8)), strict=True)
    ])  # fmt: skip
    assert found["findings"][3].startswith("Con d = 2: 3 token su 7")
    assert found["findings"][3].endswith("Con d = 8: tutti e 7 i token guardano soprattutto sé stessi")
    assert BY_NAME["Le dimensioni"].state(2)["kind"] == "same"
    assert "uguali" in BY_NAME["Le dimensioni"].state(2)["seen"]


def test_sentences_of_different_lengths_are_not_compared():
    found = state("La regola", "La regola è chiara")
    assert (found["kind"], found["match"], found["gap"], found["changed"]) == ("apart", None, None, [[], []])
    assert found["findings"][0] == "Due frasi: 2 token nella prima, 4 nella seconda"


def test_who_attends_most_to_itself():
    for d, others in ((4, ["Una", "silenzio"]), (8, [])):
        weights = by_loops(range(7), d, True)[4]
        own = [i for i, row in enumerate(weights) if row[i] > max(row) - SEEN]
        assert [IN.split()[i] for i in range(7) if i not in own] == others
        found = state(IN, d=d)
        assert all(f"«{name}»" in found["findings"][3] for name in others)
        assert found["question"]["right"] == (1 if others else 0)
    assert state("ciao")["question"] is None
    assert state("ciao")["findings"][3] == "Un token solo guarda sé stesso: coefficiente 1"


# --- che cosa si vede davvero ---------------------------------------------------------------------


def test_experiment_one_says_what_is_measured():
    seen = BY_NAME["Il contesto"].state()["seen"]
    before, after = (by_loops(ids, 4, True)[4] for ids in ([0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 7, 6]))
    ratios = [after[i][j] / before[i][j] for i in range(7) for j in range(7) if i != 5 and j != 5]
    assert number(max(ratios), 3) in seen
    assert number(min(ratios), 3) in seen
    assert "0,034" in seen
    assert "di grammatica non sanno nulla" in seen


def test_experiment_two_says_the_distance_and_its_rank():
    final = by_loops([8, 9, 10, 11, 12, 13], 4, True)[2]
    distances = {(i, j): math.dist(final[i], final[j]) for i in range(6) for j in range(i)}
    rank = sorted(distances.values()).index(distances[5, 4]) + 1
    seen = BY_NAME["L'ambiguità"].state()["seen"]
    assert f"distano {number(distances[5, 4], 3)}: fra le 15 coppie" in seen
    assert f"sono al posto {rank}," in seen


def test_experiment_five_says_the_rank_of_marco():
    found = BY_NAME["Frasi tue"].state()
    row = found["sides"][0]["weights"][3]
    rank = sorted(row, reverse=True).index(row[0]) + 1
    assert f"«lui» → «Marco»: coefficiente {number(row[0], 3)}, al posto {rank} su 6" in found["seen"]
    assert found["question"]["text"] == "Chi guarda di più «lui»?"
    assert found["question"]["right"] == row.index(max(row))


def test_every_scene_says_something_with_a_number_and_its_note():
    assert [scene.name for scene in scenes.SCENES if scene.group == scenes.EXPERIMENT] == [
        "Il contesto", "L'ambiguità", "La posizione", "Le dimensioni", "Frasi tue",
    ]  # fmt: skip
    for scene in scenes.SCENES:
        for d, positions in CHOICES:
            found = scene.state(d, positions)
            assert len(found["seen"]) > 60
            assert len(found["findings"]) == 4
            for text in (*found["findings"], found["seen"], scene.note):
                assert "nan" not in text
                assert "." not in text.replace(". ", "").rstrip(".")  # nessun punto fra due cifre
