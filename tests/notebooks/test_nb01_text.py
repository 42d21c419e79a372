"""Il notebook 1 come testo e come celle: le nove parti, i numeri, le domande, la scala che si rompe."""

import ast
import contextlib
import io
import json
import re
from pathlib import Path

import jupytext
import numpy as np
import pytest

import course_lib.transformer.embeddings as embeddings
import course_lib.transformer.tokens as tokens
from tests.notebooks.promises.nb01 import PROMISES

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "sources" / "notebooks" / "01-dal-testo-ai-vettori.md"
BUILT = ROOT / "notebooks" / "01-dal-testo-ai-vettori.ipynb"
PARTS = [
    "La domanda",
    "Dal foglio alla biblioteca, un gradino alla volta",
    "Prima prevedi",
    "Il simulatore, fasi 1 e 2",
    "Errori comuni",
    "Che cosa non stiamo dicendo",
    "Errata delle fonti",
    "Tre cose da portare via",
]
RUNGS = ["Primo gradino", "Secondo gradino", "Terzo gradino", "Quarto gradino"]
# angoli scritti a mano: sono gli argomenti del coseno
NOT_COMPUTED = {"1,2", "2,4", "3,6", "4,8"}


@pytest.fixture(scope="module")
def cells():
    return jupytext.read(SOURCE).cells


@pytest.fixture(scope="module")
def prose(cells):
    return "\n\n".join(c.source for c in cells if c.cell_type == "markdown")


@pytest.fixture(scope="module")
def code(cells):
    return [c.source for c in cells if c.cell_type == "code"]


@pytest.fixture(scope="module")
def built():
    """Tutto il testo del notebook costruito: prosa, codice e uscite."""
    cells = json.loads(BUILT.read_text(encoding="utf-8"))["cells"]
    return "\n".join(["".join(cell["source"]) for cell in cells] + shown_in(BUILT))


def run(code):
    """Esegue le celle in un solo spazio di nomi; restituisce i nomi e ciò che scrivono e mostrano."""
    names, shown = {}, []
    for source in code:
        tree = ast.parse(source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, "<cella>", "exec"), names)
            value = eval(compile(ast.Expression(last.value), "<cella>", "eval"), names) if last else None
        shown.append(printed.getvalue() + ("" if value is None else repr(value)))
    return names, shown


def quick(code):
    """Le celle della scala, senza figure né widget: bastano a vederla rompersi."""
    return [source for source in code if not re.search("figures|widgets|trained", source)][:9]


def test_parts_are_all_there_in_order(prose):
    assert re.findall(r"^## (.+)$", prose, re.M) == PARTS
    rungs = [h for h in re.findall(r"^### (.+)$", prose, re.M) if "gradino" in h]
    assert [h.split(":")[0] for h in rungs] == RUNGS
    assert re.findall(r"^### (.+)$", prose, re.M)[-2:] == ["Mettiti alla prova", "Riferimenti"]


def test_card(prose):
    card = prose.split("## La domanda")[0]
    assert "(../exercises/es01/es01.ipynb)" in card
    goals = card[card.index("**Alla fine saprai**") : card.index("**Tempo**")]
    assert len(re.findall(r"(?:;|\.) \|$", goals, re.M)) == 3


def test_length(prose):
    words = re.findall(r"\w+", re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$|<[^>]+>", " ", prose, flags=re.S))
    assert 2000 <= len(words) <= 3500


def test_every_number_of_the_text_comes_out_of_a_cell(prose, code):
    numbers = set(re.findall(r"\d+,\d+", prose.replace("{,}", ","))) - NOT_COMPUTED
    computed = "\n".join([*code, *shown_in(BUILT)]).replace(".", ",")
    assert {"0,4546", "0,5634", "0,5633", "0,521", "0,269"} <= numbers
    assert sorted(n for n in numbers if n not in computed) == []


def shown_in(path):
    """Ciò che le celle del notebook costruito hanno scritto e mostrato."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    return ["".join(o.get("text", "")) + "".join(o.get("data", {}).get("text/plain", "")) for o in outputs]


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.what)
def test_every_promise_is_kept(built, promise):
    assert [text for text in promise.where if text not in built] == []


def test_the_cells_run_and_leave_nothing(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, shown = run(code)
    assert list(tmp_path.iterdir()) == []
    assert [round(float(v), 3) for v in names["embedded"][4]] == [0.563, -0.600, -0.409, 0.521]
    assert any("Dal conto: (a) lo stesso, cifra per cifra." in text for text in shown)
    assert any("Dal conto: (a) non scende mai." in text for text in shown)


@pytest.mark.parametrize("wrong", [lambda i, d: RIGHT(i, d) + 1e-9, lambda i, d: RIGHT(np.asarray(i) + 1, d)])
def test_the_ladder_breaks_if_the_library_is_wrong(code, monkeypatch, wrong):
    monkeypatch.setattr(embeddings, "simulator_embedding", wrong)
    with pytest.raises(AssertionError):
        run(quick(code))


RIGHT = embeddings.simulator_embedding


def test_the_ladder_breaks_if_the_library_merges_otherwise(code, monkeypatch):
    monkeypatch.setattr(tokens, "learn_merges", lambda words, n, first: [(words[0][0], words[0][2])])
    with pytest.raises(AssertionError):
        run(quick(code))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("hand_ids", "[0, 1, 2, 3, 4, 5, 3, 6, 7]"),
        ("hand_merges", '[("l", "i"), ("i", "b"), ("lib", "r"), ("libr", "i")]'),
        ("hand_cosines", "[0.1087, -0.2230, -0.2580, 0.0300]"),
        ("hand_embedding", "[0.5634, -0.6010, -0.3980, 0.5240]"),
    ],
)
def test_the_ladder_breaks_if_a_hand_number_is_wrong(code, name, wrong):
    spoiled = [re.sub(rf"^{name} = .*$", f"{name} = {wrong}", source, flags=re.M) for source in quick(code)]
    assert spoiled != quick(code)
    with pytest.raises(AssertionError):
        run(spoiled)


def test_predictions_come_before_their_answer(code):
    asked = [i for i, source in enumerate(code) if "prima_prevedi(" in source]
    assert len(asked) >= 2
    for i in asked:
        name = re.search(r"^(\w+) = prima_prevedi\(", code[i], re.M).group(1)
        assert code[i].splitlines()[-1] == name
        assert any(f"{name}.confronta(" in source for source in code[i + 1 :])


def test_selfcheck_three_things_and_references(prose):
    section = prose.split("### Mettiti alla prova")[1].split("### Riferimenti")[0]
    assert re.findall(r"^\*\*(\d)\.\*\*", section, re.M) == list("12345")
    assert section.count("<summary>Risposta</summary>") == 5
    assert prose.count("<details>") == prose.count("</details>") == prose.count("<summary>")
    things = prose.split("## Tre cose da portare via")[1].split("### Mettiti alla prova")[0]
    assert re.findall(r"^(\d)\.", things, re.M) == list("123")
    references = [line for line in prose.split("### Riferimenti")[1].splitlines() if line.startswith("- ")]
    assert all(re.search(r"\((19|20)\d\d\)|senza data", line) for line in references)


def test_typography(prose):
    words = re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$|<[^>]+>|\]\([^)]*\)|`[^`]*`", " ", prose, flags=re.S)
    assert "!" not in words
    assert '"' not in words
    assert words.count("«") == words.count("»")
    assert not re.search(r"\b(perche|piu|cioe|puo|gia|poiche)\b|[aeiou]'(?=[.,;:])|\bE' ", words)
    assert not re.search(r"\d\.\d", re.sub(r"§[\d.]+|tabella [\d.]+", "", words))
    assert not re.search(r"\bpes[oi]\b", words)


def test_no_plotting_code_in_the_cells(code):
    assert "matplotlib" not in "\n".join(code)
    assert "plt." not in "\n".join(code)
