"""Lo stato della Generazione, contro conti scritti in un altro modo."""

from __future__ import annotations

import math

import numpy as np
import pytest

from course_lib.learning.generation import generate
from course_lib.transformer.families import DecoderOnly
from course_lib.transformer.tokens import BPETokenizer, WordTokenizer
from course_lib.widgets import GenerationDesk
from course_lib.widgets.state import generation
from course_lib.widgets.state.generation import Branch, Settings, Step
from tests.widgets.small_models import ask, desk, drawn

WAYS = [
    {"temperature": 1.0}, {"temperature": 0.6}, {"top_k": 3}, {"top_p": 0.7},
    {"temperature": 2.0, "top_k": 5, "top_p": 0.8},
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_step_by_step_writes_what_generate_writes_at_once(small, way):
    widget = desk(small, **way)
    for _ in range(9):
        ask(widget, do="step")
    model, tokenizer = small
    assert drawn(widget) == generate(model, tokenizer.encode("abc"), 10, rng=np.random.default_rng(5), **way)


def test_greedy_takes_the_first_and_does_not_draw(small):
    widget = desk(small, temperature=0)
    for _ in range(4):
        ask(widget, do="step")
    model, tokenizer = small
    assert drawn(widget) == generate(model, tokenizer.encode("abc"), 5, temperature=0)
    assert {(m["drawn"]["rank"], m["dart"], m["kept"]) for m in widget.state["moments"]} == {(1, None, 1)}


def by_hand(logits, temperature=1.0, top_k=None, top_p=None):
    """Prima e dopo il taglio, con cicli semplici."""
    powers = [math.exp((x - max(logits)) / temperature) for x in logits]
    before = [e / sum(powers) for e in powers]
    order = sorted(range(len(before)), key=lambda i: (-before[i], i))
    kept = order[: top_k or len(order)]
    if top_p is not None:
        total, reached, some = sum(before[i] for i in kept), 0.0, []
        for i in kept:
            some.append(i)
            reached += before[i] / total
            if reached >= top_p:
                break
        kept = some
    left = sum(before[i] for i in kept)
    return before, [before[i] / left if i in kept else 0.0 for i in range(len(before))], order


@pytest.mark.parametrize("way", WAYS)
def test_probabilities_and_cut_by_hand(small, way):
    model, tokenizer = small
    moment = desk(small, **way).state["moments"][0]
    before, after, order = by_hand(model(tokenizer.encode("abc"))[-1].tolist(), **way)
    assert [c["token"] for c in moment["candidates"][:10]] == order[:10]
    for c in moment["candidates"]:
        assert c["before"] == pytest.approx(before[c["token"]])
        assert c["after"] == pytest.approx(after[c["token"]])
        assert c["kept"] == (after[c["token"]] > 0)
        assert order[c["rank"] - 1] == c["token"]
    kept = sum(p > 0 for p in after)
    assert (moment["kept"], moment["cut"]) == (kept, kept if kept < len(before) else None)
    shown = [c["token"] for c in moment["candidates"]]
    assert moment["others"]["count"] == len(before) - len(shown)
    assert moment["others"]["before"] == pytest.approx(1 - sum(before[i] for i in shown))
    if "top_p" in way:
        first = next(c for c in moment["candidates"] if c["reached"] >= way["top_p"])
        assert first["rank"] == kept
    else:
        assert {c["reached"] for c in moment["candidates"]} == {None}


@pytest.mark.parametrize("way", WAYS)
def test_u_falls_in_the_slice_of_the_drawn_token(small, way):
    widget = desk(small, **way)
    for _ in range(5):
        ask(widget, do="step")
    for k, m in enumerate(widget.state["moments"]):
        assert m["dart"] == np.random.default_rng(5).random(6)[k]
        assert (m["slices"][0][1], m["slices"][-1][2]) == (0.0, 1.0)
        assert [s[1] for s in m["slices"][1:]] == [s[2] for s in m["slices"][:-1]]
        (here,) = [name for name, start, end in m["slices"] if start <= m["dart"] < end]
        assert here == m["drawn"]["name"]
        assert len(m["slices"]) == m["kept"]


def test_coefficients_are_the_last_row_of_the_model_and_sum_to_one(small):
    widget = desk(small, length=6)
    for _ in range(6):
        ask(widget, do="step")
    model, tokenizer = small
    m = widget.state["moments"][6]
    ids = (tokenizer.encode("abc") + drawn(widget)[:6])[-6:]
    _, weights = model(np.array(ids), return_weights=True)
    for layer in range(2):
        np.testing.assert_allclose(m["weights"][layer], weights[layer][:, -1], atol=1e-6)
        np.testing.assert_allclose(m["sums"][layer], 1, atol=1e-5)
    assert m["context"] == [tokenizer.vocabulary[i].replace(" ", "␣") for i in ids]
    assert (m["unread"], m["given"]) == (3, 0)
    assert widget.state["moments"][1]["unread"] == 0


def test_words_and_pieces_work_as_tokens_and_unknown_ones_are_refused():
    words = WordTokenizer().train("la chiave accanto ai libri era fredda")
    model = DecoderOnly(len(words.vocabulary), 8, 1, 1, rng=np.random.default_rng(0))
    (moment,) = GenerationDesk(model, words, "la chiave").state["moments"]
    assert moment["context"] == ["la", "chiave"]
    assert (moment["tail"], moment["gap"]) == ("la chiave", " ")
    forced = Branch((1, 2), (Step(Settings(), 3, forced=True), Step(Settings(), 5)))
    second = generation.moment(generation.writer_for(model, words, 24, 0), forced, 1)
    assert second["text"] + second["written"] == "la chiave accanto"
    with pytest.raises(ValueError, match="non ha mai letto"):
        GenerationDesk(model, words, "la porta")
    bpe = BPETokenizer(20).train("la chiave accanto ai libri era fredda")
    model = DecoderOnly(len(bpe.vocabulary), 8, 16 // 2, 1, rng=np.random.default_rng(0))
    (moment,) = GenerationDesk(model, bpe, "la chiave").state["moments"]
    assert (moment["tail"], moment["gap"]) == ("…a␣chiave", "")


def test_many_heads_become_their_mean(small):
    _, tokenizer = small
    model = DecoderOnly(len(tokenizer.vocabulary), 18, 9, 1, rng=np.random.default_rng(0))
    (layer,) = GenerationDesk(model, tokenizer, "abc").state["moments"][0]["weights"]
    expected = model(np.array(tokenizer.encode("abc")), return_weights=True)[1][0][:, -1].mean(axis=0)
    np.testing.assert_allclose(layer, [expected], atol=1e-6)


def test_an_attention_that_gives_no_coefficients_is_said(small):
    model, tokenizer = small

    def attention(Q, K, V, mask):
        return np.zeros_like(Q)

    found = GenerationDesk(model.using(attention=attention), tokenizer, "abc").state["moments"][0]
    assert found["weights"] is None
    writer = generation.writer_for(model, tokenizer, 24, 0)
    step = generation.moment(writer, Branch((1, 2), (Step(Settings(), 3, forced=True),)), 0)
    assert step["finding"].endswith(f"hai messo tu «d», {step['drawn']['before']:.3f}".replace(".", ","))
