"""Il notebook 2 come testo (le nove parti, i numeri, le domande) e le sue celle, una dopo l'altra."""

import re

import numpy as np
import pytest

import course_lib.transformer as transformer
from tests.notebooks.texts import breaks_if, run

NAME = "02-attenzione-a-mano"
PARTS = [
    "La domanda",
    "Dal foglio alla biblioteca, un gradino alla volta",
    "Prima prevedi",
    "La lente sulla cella",
    "Errori comuni",
    "Che cosa non stiamo dicendo",
    "Errata delle fonti",
    "Tre cose da portare via",
]
RUNGS = ["Primo gradino", "Secondo gradino", "Terzo gradino", "Quarto gradino"]
# numeri che non vengono da un conto: una frase da non dire, il vicino di un arrotondamento
NOT_COMPUTED = {"66,5", "0,213"}


@pytest.fixture(scope="module")
def outputs(code):
    return run(code)[1]


def test_parts_are_all_there_in_order(prose):
    assert re.findall(r"^## (.+)$", prose, re.M) == PARTS
    assert prose.startswith("# 2 · L'attenzione fatta a mano\n")
    rungs = [h for h in re.findall(r"^### (.+)$", prose, re.M) if "gradino" in h]
    assert [h.split(":")[0] for h in rungs] == RUNGS
    assert re.findall(r"^### (.+)$", prose, re.M)[-2:] == ["Mettiti alla prova", "Riferimenti"]


def test_card(prose):
    card = prose.split("## La domanda")[0]
    assert "(../exercises/es02/es02.ipynb)" in card
    assert "minuti" in card
    assert "**Serve**" in card
    goals = card[card.index("**Alla fine saprai**") : card.index("**Tempo**")]
    assert len(re.findall(r"(?:;|\.) \|$", goals, re.M)) == 3


def test_length(prose):
    words = re.findall(r"\w+", re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$|<[^>]+>", " ", prose, flags=re.S))
    assert 2000 <= len(words) <= 3500


def test_every_number_of_the_text_comes_out_of_a_cell(prose, outputs):
    text = prose.replace("{,}", ",")
    numbers = set(re.findall(r"\d+,\d+", text)) - NOT_COMPUTED
    assert {"11,107", "0,665", "0,090", "0,245", "0,788", "0,212", "0,7875", "0,2125", "12,107"} <= numbers
    everything = "\n".join(outputs)
    assert sorted(n for n in numbers if n not in everything) == []


def test_the_cells_run_and_leave_nothing(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, shown = run(code)
    assert list(tmp_path.iterdir()) == []
    assert names["hand_scores"] == [2, 0, 1]
    assert names["hand_weights"] == [0.665, 0.090, 0.245]
    assert (names["hand_total"], names["hand_z"]) == (11.107, [0.788, 0.212])
    assert [round(float(v), 6) for v in names["z"][2]] == [0.787605, 0.212395]
    assert [round(float(v), 6) for v in names["weights4"][2]] == [0.610296, 0.082595, 0.224515, 0.082595]
    assert any("Dal conto: (b) tutti e tre uguali, ma non 0." in text for text in shown)
    assert any("Dal conto: (a) scende." in text for text in shown)


def no_scale(Q, K, V, mask=None, scale=None):
    return RIGHT(Q, K, V, mask, 1.0)


def wrong_axis(Q, K, V, mask=None, scale=None):
    weights = transformer.softmax(Q @ K.T / np.sqrt(2), axis=0)
    return transformer.Attention(weights @ V, weights)


def a_little_off(Q, K, V, mask=None, scale=None):
    output, weights = RIGHT(Q, K, V, mask, scale)
    return transformer.Attention(output, weights + 1e-9)


RIGHT = transformer.scaled_dot_product_attention


@pytest.mark.parametrize("wrong", [no_scale, wrong_axis, a_little_off])
def test_the_ladder_breaks_if_the_library_is_wrong(code, monkeypatch, wrong):
    monkeypatch.setattr(transformer, "scaled_dot_product_attention", wrong)
    with pytest.raises(AssertionError):
        run(code)


@pytest.mark.parametrize("wrong", ["hand_total = 11.108", "hand_weights = [0.665, 0.090, 0.244]"])
def test_the_ladder_breaks_if_a_hand_number_is_wrong(code, wrong):
    breaks_if(code, wrong)


def test_each_rung_is_asserted_equal_to_the_one_before(prose, code):
    loop, block, library = (
        next(c for c in code if mark in c) for mark in ("loop_z =", "block_z =", "z, weights =")
    )
    for name in ("hand_scores", "hand_total", "hand_weights", "hand_z"):
        assert re.search(rf"^assert .*{name}$", loop, re.M), name
    for name in ("loop_scores", "loop_weights", "loop_z"):
        assert re.search(rf"assert_allclose\(block_.*{name}", block), name
    for name in ("block_weights", "block_z"):
        assert re.search(rf"assert_allclose\(.*{name}", library), name


def test_predictions_come_before_their_answer(code):
    asked = [i for i, source in enumerate(code) if "prima_prevedi(" in source]
    assert len(asked) >= 2
    for i in asked:
        name = re.search(r"^(\w+) = prima_prevedi\(", code[i], re.M).group(1)
        assert code[i].splitlines()[-1] == name  # il modulo si vede
        assert "confronta" not in code[i]
        assert any(f"{name}.confronta(" in source for source in code[i + 1 :]), name


def test_selfcheck_has_five_folded_answers(prose):
    section = prose.split("### Mettiti alla prova")[1].split("### Riferimenti")[0]
    assert re.findall(r"^\*\*(\d)\.\*\*", section, re.M) == list("12345")
    assert section.count("<summary>Risposta</summary>") == 5
    assert prose.count("<details>") == prose.count("</details>") == prose.count("<summary>")


def test_three_things_and_references_with_year(prose):
    section = prose.split("## Tre cose da portare via")[1].split("### Mettiti alla prova")[0]
    assert re.findall(r"^(\d)\.", section, re.M) == list("123")
    references = [line for line in prose.split("### Riferimenti")[1].splitlines() if line.startswith("- ")]
    assert len(references) == 5
    assert all(re.search(r"\((19|20)\d\d\)|senza data", line) for line in references)
    for author, year in (("Vaswani", 2017), ("Jain", 2019), ("Wiegreffe", 2019), ("Zhang", 2023)):
        assert any(author in line and str(year) in line for line in references), author


@pytest.mark.parametrize(
    "said",
    [
        "non è coefficiente 0",
        "la *key* è un vettore",
        "una scelta di questo corso",
        "0,665 non vuol dire",
        "non è la previsione *arrugginita*",
        "Una mappa di attenzione non è una spiegazione",
        "non è riaddestrare",
        "Nel conto del documento S0 non abbiamo trovato errori",
    ],
)
def test_it_is_said(prose, said):
    assert said in prose


def test_typography(prose):
    words = re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$|<[^>]+>|\]\([^)]*\)|`[^`]*`", " ", prose, flags=re.S)
    assert "!" not in words
    assert '"' not in words
    assert words.count("«") == words.count("»")
    assert not re.search(r"\b(perche|piu|cioe|puo|gia|poiche)\b|[aeiou]'(?=[.,;:])|\bE' ", words)
    assert not re.search(r"\d\.\d", re.sub(r"§[\d.]+", "", words))
    assert not re.search(r"\bpes[oi]\b", words.replace("«pesi»", ""))
    assert not re.search(r"^(:::|```\{)", prose, re.M)  # Jupyter non disegna le direttive


def test_cells_have_no_plotting_code_and_show_shapes(code):
    joined = "\n".join(code)
    assert "matplotlib" not in joined
    assert "plt." not in joined
    for source in code:
        for call in re.findall(r"^(?:heat_map|worked_table|mean_in_plane)\(.*", source, re.M | re.S):
            assert len(call.splitlines()) <= 3
    arrays = [line for line in joined.splitlines() if re.search(r"(np\.array\(|@ .*@| @ K\.T)", line)]
    assert len(arrays) > 10
    assert sum("# (" in line for line in arrays) >= 8
