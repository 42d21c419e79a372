"""Ogni notebook come testo: le parti in ordine, quanto è lungo, i numeri, le domande, i collegamenti."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.notebooks.texts import (
    NAMES,
    ROOT,
    anchors,
    broken_links,
    built,
    code,
    headings,
    outputs,
    plain,
    prose,
    source,
    words,
)

BEFORE = ["La domanda", "Dal foglio alla biblioteca, un gradino alla volta", "Prima prevedi"]
AFTER = ["Errori comuni", "Che cosa non stiamo dicendo", "Errata delle fonti", "Tre cose da portare via"]
WIDGETS = {
    "01-dal-testo-ai-vettori": ["Il simulatore, fasi 1 e 2"],
    "02-attenzione-a-mano": ["La lente sulla cella"],
    "03-formula-e-scala": ["La softmax e la temperatura", "Perché proprio la radice"],
    "04-maschera-causale": ["Le maschere, una accanto all'altra"],
    "05-posizione": ["La posizione, da vicino", "Il simulatore, fase 3"],
    "07-blocco-e-famiglie": [
        "Tre famiglie, gli stessi pezzi",
        "Il percorso nel blocco",
        "Il primo gradiente",
    ],
    "06-teste-multiple": ["Il simulatore, fase 4", "Le teste, una per una"],
    "08-addestrare-e-generare": [
        "Il modello impara la concordanza",
        "L'addestramento, dal vivo",
        "Il modello legge un racconto",
        "Scegliere il token",
        "La tua attenzione, addestrata",
        "Contestualizzare non è riaddestrare",
    ],
}
RUNGS = ["Primo gradino", "Secondo gradino", "Terzo gradino", "Quarto gradino"]
SHORTEST, LONGEST = 2000, 3500
# numeri che non escono da una cella: una frase da non dire, il vicino di un arrotondamento, conti a mente
NOT_COMPUTED = {
    "01-dal-testo-ai-vettori": {"2,4", "3,6", "4,8"},
    "02-attenzione-a-mano": {"66,5", "0,213"},
    "03-formula-e-scala": {"0,1"},
    "05-posizione": {"0,84", "1,2", "2,4", "3,6", "4,8"},
    "07-blocco-e-famiglie": {"0,1", "0,2", "0,3", "0,7"},
    "08-addestrare-e-generare": {"6,9"},
}

DECIMAL = re.compile(r"\d+,\d+")

every = pytest.mark.parametrize("name", NAMES)


def value(number: str) -> float:
    """Il numero scritto con la virgola."""
    return float(number.replace(",", "."))


def section(text: str, title: str, level: int = 2) -> str:
    """Ciò che sta sotto un titolo, fino al seguente dello stesso livello o di uno più alto."""
    found = re.search(rf"^{'#' * level} {re.escape(title)}$(.*?)(?=^#{{1,{level}}} |\Z)", text, re.S | re.M)
    assert found, f"manca «{title}»"
    return found[1]


@every
def test_the_parts_are_all_there_in_order(name):
    found = headings(prose(source(name)))
    assert [title for level, title in found if level == 2] == [*BEFORE, *WIDGETS[name], *AFTER]
    assert [title for level, title in found if level == 3][-2:] == ["Mettiti alla prova", "Riferimenti"]


@every
def test_the_ladder_has_four_rungs(name):
    ladder = section(prose(source(name)), BEFORE[1])
    rungs = [title.split(":")[0] for _, title in headings(ladder) if "gradino" in title]
    assert rungs == RUNGS


@every
def test_heading_levels_do_not_jump(name):
    levels = [level for level, _ in headings(prose(source(name)))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))
    titles = [title for _, title in headings(prose(source(name)))]
    assert len(titles) == len(set(titles)), "due titoli uguali hanno la stessa ancora"


@every
def test_the_title_carries_the_number_of_the_notebook(name):
    assert prose(source(name)).startswith(f"# {int(name[:2])} · ")


@every
def test_the_card_says_what_it_takes(name):
    card = prose(source(name)).split("## La domanda")[0]
    goals = card[card.index("**Alla fine saprai**") : card.index("**Tempo**")]
    assert len(re.findall(r"(?:;|\.) \|$", goals, re.M)) == 3
    for wanted in ("**Serve**", "minuti", "**Esercizio**", f"(../exercises/es{name[:2]}/es{name[:2]}.ipynb)"):
        assert wanted in card


@every
def test_it_is_neither_short_nor_long(name):
    assert SHORTEST <= len(words(prose(source(name)))) <= LONGEST


def test_the_count_of_words_leaves_code_formulas_and_tables_out():
    text = "Tre parole vere\n\n| una | tabella |\n\n```\ncodice()\n```\n\n$a + b$ `codice` 0,665 <b>forte</b>"
    assert words(text) == ["Tre", "parole", "vere", "0,665", "forte"]


@every
def test_every_number_of_the_prose_comes_out_of_a_cell(name):
    """Uguali in valore: 0,7875 è 0,787500. Vale anche un numero scritto in una cella, che lì si controlla."""
    written = {number for number in DECIMAL.findall(plain(prose(source(name))))}
    computed = {value(number) for number in DECIMAL.findall(plain("\n".join(outputs(built(name)))))}
    literals = {float(number) for number in re.findall(r"\d+\.\d+", "\n".join(code(source(name))))}
    unknown = {number for number in written if value(number) not in computed | literals}
    assert len(written) > 5
    assert unknown == NOT_COMPUTED.get(name, set())


@every
def test_predictions_are_two_at_least_and_come_before_their_answer(name):
    cells = code(source(name))
    asked = [i for i, cell in enumerate(cells) if re.search(r"= prima_prevedi\(", cell)]
    assert len(asked) >= 2
    for i in asked:
        called = re.search(r"^(\w+) = prima_prevedi\(", cells[i], re.M)[1]
        assert cells[i].splitlines()[-1] == called
        assert f"{called}.confronta(" not in cells[i]
        assert any(f"{called}.confronta(" in cell for cell in cells[i + 1 :]), called


@every
def test_the_self_check_has_five_folded_answers(name):
    text = section(prose(source(name)), "Mettiti alla prova", 3)
    assert re.findall(r"^\*\*(\d)\.\*\*", text, re.M) == list("12345")
    assert text.count("<summary>Risposta</summary>") == 5
    whole = prose(source(name))
    assert whole.count("<details>") == whole.count("</details>") == whole.count("<summary>")


@every
def test_three_things_and_references_with_their_year(name):
    text = prose(source(name))
    three = section(text, "Tre cose da portare via").split("### Mettiti alla prova")[0]
    assert re.findall(r"^(\d)\.", three, re.M) == list("123")
    references = [line for line in section(text, "Riferimenti", 3).splitlines() if line.startswith("- ")]
    assert len(references) >= 2
    assert [line for line in references if not re.search(r"\b(19|20)\d\d\b|senza data", line)] == []


@every
def test_links_and_anchors_lead_somewhere(name):
    assert broken_links(prose(source(name)), ROOT / "notebooks") == []


@every
def test_images_of_the_text_have_an_alternative(name):
    text = prose(source(name))
    assert not re.search(r"!\[\s*\]\(", text)
    assert [tag for tag in re.findall(r"<img\b[^>]*>", text) if not re.search(r'\balt="[^"]+"', tag)] == []


@every
def test_every_picture_has_an_alternative_text_and_a_summary(name):
    pictures = 0
    for cell in built(name).cells:
        for output in cell.get("outputs", []):
            for kind in (kind for kind in output.get("data", {}) if kind.startswith("image/")):
                pictures += 1
                assert len(output["metadata"][kind]["alt"]) > 40, cell.id
                assert len(output["data"]["text/plain"]) > 20, cell.id
                assert "<Figure" not in output["data"]["text/plain"], cell.id
    assert pictures >= 1


@every
def test_no_cell_draws_by_itself(name):
    joined = "\n".join(code(source(name)))
    assert not re.search(r"matplotlib|\bplt\.|\bFigure\(", joined)


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("[a](mancante.ipynb)", ["mancante.ipynb"]),
        ("[a](#Un-titolo)\n\n## Un titolo\n", []),
        ("[a](#un-titolo)\n\n## Un titolo\n", []),
        ("[a](#altro)\n\n## Un titolo\n", ["#altro"]),
        ("![x](https://example.org/a.png)", ["https://example.org/a.png (immagine che non sta nel corso)"]),
        (
            '<img src="https://example.org/a.png">',
            ["https://example.org/a.png (immagine che non sta nel corso)"],
        ),
        ("[a](../README.md#nessuno)", ["../README.md#nessuno"]),
        ("[a](../README.md#due-comandi) [b](https://example.org)", []),
    ],
)
def test_the_search_for_broken_links_sees_them(text, broken):
    assert broken_links(text, ROOT / "notebooks") == broken


def test_anchors_are_those_of_jupyter_and_of_github():
    assert anchors("## La domanda: perché?") == {"La-domanda:-perché?", "la-domanda-perché"}
