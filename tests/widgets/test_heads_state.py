"""Lo stato di Teste: il modello del pacchetto, le teste spente, le parole vietate, le frasi sbagliate."""

from __future__ import annotations

import itertools
import json
import re
import tomllib

import numpy as np
import pytest

from course_lib.learning.agreement_words import ADJECTIVES
from course_lib.notation import number
from course_lib.project import project_root
from course_lib.transformer.attention import softmax
from course_lib.widgets import HeadAtlas
from course_lib.widgets.heads import SENTENCES
from course_lib.widgets.state import heads
from course_lib.widgets.state.heads_model import DATA, answer, ending_probabilities, load, masks_for, save
from course_lib.widgets.state.heads_sentence import expected_ending, read_sentence

SENTENCE = "la chiave accanto ai libri era"
TWIN = "il chiodo accanto ai libri era"
ENTRY = {"1·1": 0, "1·2": 1, "media 1": 2, "2·1": 3, "2·2": 4, "media 2": 5}


@pytest.fixture(scope="module")
def found():
    return heads.measured(load(), SENTENCE)


def ids_of(sentence):
    return np.array(load().grammar.tokenizer.encode(sentence))


def map_of(found, key, entry):
    return found["maps"][found["variants"][key]["maps"][ENTRY[entry]]]


# --- il modello del pacchetto

def test_the_file_is_small_half_precision_and_runs_nothing():
    assert DATA.stat().st_size <= 200_000
    with np.load(DATA, allow_pickle=False) as file:
        kinds = {file[name].dtype for name in file.files if name != "about"}
    assert kinds == {np.dtype(np.float16)}
    model, _, about = load()
    assert (model.n_layers, model.n_heads) == (about["n_layers"], about["n_heads"]) == (2, 2)


def test_the_package_carries_the_file_and_the_modules():
    with open(project_root() / "pyproject.toml", "rb") as file:
        patterns = tomllib.load(file)["tool"]["setuptools"]["package-data"]["*"]
    assert {"*.npz", "*.js", "*.css"} <= set(patterns)
    assert DATA.parent.parent.joinpath("heads.js").is_file()


def test_a_file_that_is_not_its_own_says_how_to_make_it_again(tmp_path):
    path = tmp_path / "altro.npz"
    empty = {"about": np.array("{}")}
    for write in (lambda: None, lambda: path.write_bytes(b"no"), lambda: np.savez(path, **empty)):
        write()
        load.cache_clear()
        with pytest.raises(ValueError, match=re.escape("python -m course_lib.widgets.train_heads")):
            load(path)
    load.cache_clear()


def test_the_same_numbers_give_the_same_bytes(tmp_path):
    model, _, about = load()
    for name in ("uno.npz", "due.npz"):
        save(tmp_path / name, model, about)
    assert (tmp_path / "uno.npz").read_bytes() == (tmp_path / "due.npz").read_bytes() == DATA.read_bytes()


# --- spegnere e vietare

@pytest.mark.parametrize("off", [(0,), (1,), (2,), (3,), (0, 2), (0, 1, 2, 3)])
def test_a_head_switched_off_is_a_head_whose_output_is_not_read(off):
    """Un'altra strada: si azzerano le righe di W_O che leggono quella testa."""
    model, grammar, _ = load()
    width = model.d_model // model.n_heads
    parameters = {name: array.copy() for name, array in model.parameters().items()}
    for head in off:
        layer, place = divmod(head, model.n_heads)
        parameters[f"decoder.{layer}.self.W_O"][place * width : (place + 1) * width] = 0
    logits = model.using(parameters=parameters)(ids_of(SENTENCE))[-1]
    p, _ = answer(load(), ids_of(SENTENCE), off)
    assert p == pytest.approx(ending_probabilities(grammar, logits), abs=1e-5)


def test_endings_are_counted_word_by_word():
    _, grammar, _ = load()
    logits = np.random.default_rng(3).normal(size=len(grammar.vocabulary))
    p = softmax(logits)
    by_hand = dict.fromkeys("aoei", 0.0)
    for word, share in zip(grammar.vocabulary, p, strict=True):
        if word[:-1] + "o" in ADJECTIVES:
            by_hand[word[-1]] += share
    expected = [*by_hand.values(), 1 - sum(by_hand.values())]
    assert ending_probabilities(grammar, logits) == pytest.approx(expected)


def test_without_subject_and_article_the_twins_are_the_same_sentence():
    """Chi non può guardare le due parole che le distinguono risponde la stessa cosa."""
    one, two = (heads.measured(load(), text)["variants"]["v0,1"]["p"] for text in (SENTENCE, TWIN))
    assert one == pytest.approx(two, abs=1e-5)


def test_a_forbidden_word_is_seen_by_nobody_after_it(found):
    for entry in ENTRY:
        shown = map_of(found, "v1", entry)
        assert [row[1] is None for row in shown] == [True, False, True, True, True, True]
    masks = masks_for(load().model, 6, places=(1,))
    assert all(not mask[:, 2:, 1].any() and mask[:, 1, 1].all() for mask in masks)


def test_whatever_is_taken_away_the_rows_of_a_head_that_is_on_add_up_to_one(found):
    """Fra due parole vietate la seconda guarda ancora la prima: nessun coefficiente si perde per strada."""
    assert map_of(found, "v0,1", "1·1")[1][0] is not None
    for key, variant in found["variants"].items():
        for entry, k in zip(found["entries"], variant["maps"], strict=True):
            if entry["head"] is not None and entry["head"] not in variant["off"]:
                sums = [sum(value or 0 for value in row) for row in found["maps"][k]]
                assert sums == pytest.approx([1] * 6, abs=1e-3), (key, entry["name"])


def test_what_the_text_says_is_what_was_measured(found):
    whole, now = found["variants"][""]["p"], found["variants"]["0"]["p"]
    assert (found["variants"]["0"]["top"], found["expected"]) == (1, 0)
    assert found["variants"]["0"]["effect"] == (
        f"Senza la testa 1·1, la risposta passa da -a a -o: -a {number(whole[0], 3)} → {number(now[0], 3)}; "
        f"-o {number(whole[1], 3)} → {number(now[1], 3)}."
    )
    assert "resta la stessa" in found["variants"]["2"]["effect"]
    assert found["variants"]["v0,1"]["name"] == "vietato guardare «la» e «chiave»"
    assert found["variants"]["0,1,2,3"]["name"] == "senza nessuna testa"


def test_same_map_other_effect():
    """1·1 e 2·1 danno tutto all'articolo, ma soltanto senza la prima si sbaglia."""
    found = heads.measured(load(), SENTENCE)
    for entry in ("1·1", "2·1"):
        assert map_of(found, "", entry)[5][0] > 0.99
    assert found["variants"]["0"]["top"] != found["expected"] == found["variants"]["2"]["top"]


def test_every_set_of_heads_and_every_word_is_there(found):
    subsets = [s for n in range(5) for s in itertools.combinations(range(4), n)]
    expected = {",".join(map(str, s)) for s in subsets} | {f"v{k}" for k in range(5)} | {"v0,1"}
    assert set(found["variants"]) == expected
    for variant in found["variants"].values():
        assert sum(variant["p"]) == pytest.approx(1)
        assert variant["p"][variant["top"]] == max(variant["p"])
    assert found["forbidden"] == [["0,1", "«la» e «chiave»"], *[[str(k), f"«{w}»"] for k, w in
                                  enumerate(SENTENCE.split()[:-1])]]  # fmt: skip


# --- le mappe

def test_the_maps_are_the_coefficients_of_the_model(found):
    model, _, _ = load()
    _, weights = model(ids_of(SENTENCE), return_weights=True)
    for entry, layer, head in (("1·1", 0, 0), ("1·2", 0, 1), ("2·1", 1, 0), ("2·2", 1, 1)):
        shown = map_of(found, "", entry)
        for i, j in itertools.product(range(6), range(6)):
            expected = None if j > i else pytest.approx(weights[layer][head, i, j], abs=1e-4)
            assert shown[i][j] == expected
        assert all(sum(v or 0 for v in row) == pytest.approx(1, abs=1e-3) for row in shown)


def test_the_mean_is_of_the_heads_that_are_on(found):
    one, two, mean = (map_of(found, "", entry) for entry in ("1·1", "1·2", "media 1"))
    for i in range(6):
        by_hand = [(one[i][j] + two[i][j]) / 2 for j in range(i + 1)]
        assert mean[i][: i + 1] == pytest.approx(by_hand, abs=2e-4)
    assert map_of(found, "0", "media 1") == map_of(found, "0", "1·2") == two
    assert map_of(found, "0,1", "media 1") == [[None] * 6] * 6


def test_below_nothing_changes_above_it_does(found):
    assert map_of(found, "0", "1·1") == [[None] * 6] * 6
    assert map_of(found, "0", "1·2") == map_of(found, "", "1·2")
    assert map_of(found, "0", "2·1") != map_of(found, "", "2·1")
    assert map_of(found, "3", "2·1") == map_of(found, "", "2·1")


def test_the_most_looked_at_is_found_by_looking(found):
    for shown, most in zip(found["maps"], found["most"], strict=True):
        for row, place in zip(shown, most, strict=True):
            values = [v for v in row if v is not None]
            if place is None:
                assert not values or sorted(values)[-1] - ([0, *sorted(values)][-2]) <= 5e-4
            else:
                assert row[place] == max(values)


# --- le frasi

@pytest.mark.parametrize(("text", "says"), [
    ("", "La frase è vuota"), ("   \n ", "La frase è vuota"), (None, "La frase è vuota"),
    ("la " * 5000, "15.000 caratteri: qui ne stanno al più 12 parole"),
    ("la 🔑 accanto ai libri era", "non conoscono «🔑»"), ("המפתח ליד הספרים era", "non conoscono «המפתח»"),
    ("la casa accanto ai libri era", "non conoscono «casa». Conoscono soltanto"),
    ("la chiave accanto ai libri", "Manca «era» o «erano»"), ("era", "da 2 a 12 parole, sono 1"),
    ("la chiave " + "sopra i libri " * 4 + "era", "da 2 a 12 parole, sono 15"),
])  # fmt: skip
def test_a_sentence_that_cannot_be_used(text, says):
    with pytest.raises(ValueError, match=says):
        heads.measured(load(), text)


def test_the_unknown_word_comes_with_the_known_ones():
    with pytest.raises(ValueError, match="casa") as caught:
        read_sentence(load(), "la casa era")
    known = ("chiave", "libro", "scrigno", "dietro", "alla", "erano")
    assert all(word in str(caught.value) for word in known)


def test_what_follows_the_verb_is_not_used():
    assert read_sentence(load(), " La chiave,  accanto ai LIBRI era arrugginita. ") == SENTENCE.split()


@pytest.mark.parametrize(("text", "place"), [
    ("la chiave era", 0), ("lo specchio era", 1), ("le chiavi erano", 2), ("gli specchi erano", 3),
    ("il specchio era", None), ("la chiave erano", None), ("accanto chiave era", None),
])  # fmt: skip
def test_the_right_ending(text, place):
    assert expected_ending(text.split()) == place


def test_every_ready_sentence_is_answered_right_and_serialises():
    widget = HeadAtlas()
    assert [preset["name"] for preset in widget.presets] == [name for name, _ in SENTENCES]
    for preset in widget.presets:
        json.dumps(preset, allow_nan=False)
        state = preset["state"]
        assert state["variants"][""]["top"] == state["expected"]
        assert state["variants"][""]["score"][0] == preset["note"]
    assert widget.state == widget.presets[0]["state"]


def test_a_sentence_of_ones_own_comes_first_and_the_kernel_answers():
    widget = HeadAtlas("le monete sopra i libri erano")
    assert widget.presets[0]["name"] == "le monete sopra i libri erano"
    assert widget.answer_to({"sentence": "i bauli erano"})["rows"] == ["i", "bauli", "erano"]
    with pytest.raises(ValueError, match="vuota"):
        widget.answer_to({})


# --- mappe qualunque

def some_weights(*shape):
    weights = np.random.default_rng(5).random(shape)
    return weights / weights.sum(-1, keepdims=True)


def test_any_arrays_are_shown_as_they_are():
    weights = some_weights(2, 3, 3, 4)
    widget = HeadAtlas(weights=weights, tokens="abc", columns="wxyz")
    assert widget.presets == []
    assert not widget.state["trained"]
    assert [entry["name"] for entry in widget.state["entries"]] == [
        "1·1", "1·2", "1·3", "media 1", "2·1", "2·2", "2·3", "media 2"]  # fmt: skip
    shown = [widget.state["maps"][k] for k in widget.state["variants"][""]["maps"]]
    assert shown[4] == pytest.approx(weights[1, 0], abs=1e-4)
    assert shown[7] == pytest.approx(sum(weights[1]) / 3, abs=1e-4)
    with pytest.raises(ValueError, match="non c'è un modello"):
        widget.answer_to({"sentence": SENTENCE})


def test_one_head_has_no_mean_and_a_mask_forbids():
    mask = np.tril(np.ones((3, 3), bool))
    found = heads.state(some_weights(1, 1, 3, 3), "abc", mask=mask)
    assert [entry["name"] for entry in found["entries"]] == ["1·1"]
    assert [[v is None for v in row] for row in found["maps"][0]] == (~mask).tolist()


@pytest.mark.parametrize(("weights", "more", "says"), [
    (some_weights(2, 3, 3), {}, r"la forma è \(2, 3, 3\)"),
    (-some_weights(1, 1, 2, 2), {"tokens": "ab"}, "fra 0 e 1"),
    (np.full((1, 1, 2, 2), np.nan), {"tokens": "ab"}, "fra 0 e 1"),
    ("mappa", {}, "mi aspettavo numeri"),
    (some_weights(1, 1, 25, 25), {"tokens": range(25)}, "24 token"),
    (some_weights(13, 1, 2, 2), {"tokens": "ab"}, "12 strati"),
    (some_weights(1, 1, 3, 3), {"tokens": "ab"}, "3 nomi"),
    (some_weights(1, 1, 3, 3), {"mask": np.ones((2, 2), bool)}, r"forma \(3, 3\)"),
    (some_weights(1, 1, 3, 3), {"sentence": SENTENCE}, "nessuna sentence"),
])  # fmt: skip
def test_arrays_that_cannot_be_shown(weights, more, says):
    with pytest.raises(ValueError, match=says):
        HeadAtlas(weights=weights, **{"tokens": "abc", **more})
