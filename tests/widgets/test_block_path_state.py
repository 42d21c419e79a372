"""Il Percorso nel blocco: le tappe contro cicli semplici e contro i blocchi veri, poi ciò che se ne dice."""

import json
import math

import numpy as np
import pytest

from course_lib.notation import number
from course_lib.transformer import simulator
from course_lib.transformer.blocks import DecoderBlock
from course_lib.transformer.masks import causal_mask
from course_lib.transformer.parameters import draw
from course_lib.widgets import BlockPath
from course_lib.widgets.state.block_path import (
    COSINE,
    DEPTH,
    DEVIATION,
    MEAN,
    NORM,
    OTHER,
    OUT,
    SENTENCE,
    STATIONS,
    D,
    block_stations,
    picture,
    state,
    unpacked,
)

WAYS = [(norm, residuals) for norm in ("pre", "post") for residuals in (True, False)]
HALF = 0.00051                   # i numeri viaggiano arrotondati al millesimo


@pytest.fixture(scope="module")
def found():
    return state()


def drawn(seed=0):
    """I dodici blocchi, estratti da capo."""
    rng, layout = np.random.default_rng(seed), DecoderBlock.layout(8, 32, n_layers=12)
    return [DecoderBlock(draw(layout, rng, float), 2) for _ in range(12)]


def at(found, norm, residuals, depth, station):
    """(T, d + 4): i numeri di una tappa."""
    numbers, index = unpacked(found, norm, residuals)
    return numbers[index[depth - 1][station]]


def loop_norm(x):
    mean = sum(x) / len(x)
    variance = sum((v - mean) ** 2 for v in x) / len(x)
    return [(v - mean) / math.sqrt(variance + 1e-5) for v in x]


def loop_product(x, W):
    return [sum(a * W[r][c] for r, a in enumerate(x)) for c in range(len(W[0]))]


def loop_attention(rows, p):
    """Attenzione causale a due teste, con soli cicli."""
    W = p["self.W_QKV"].tolist()
    qkv = [loop_product(x, W) for x in rows]
    outputs = []
    for i in range(len(rows)):
        z = []
        for head in range(2):
            q = qkv[i][4 * head : 4 * head + 4]
            keys = [qkv[j][8 + 4 * head : 12 + 4 * head] for j in range(i + 1)]
            values = [qkv[j][16 + 4 * head : 20 + 4 * head] for j in range(i + 1)]
            powers = [math.exp(sum(a * b for a, b in zip(q, k, strict=True)) / 2) for k in keys]
            total = sum(powers)
            z += [sum(w / total * v[c] for w, v in zip(powers, values, strict=True)) for c in range(4)]
        outputs.append(loop_product(z, p["self.W_O"].tolist()))
    return outputs


def loop_ffn(x, p):
    hidden = loop_product(x, p["ffn.W_1"].tolist())
    cube = 0.044715
    hidden = [0.5 * h * (1 + math.tanh(math.sqrt(2 / math.pi) * (h + cube * h**3))) for h in hidden]
    return loop_product(hidden, p["ffn.W_2"].tolist())


def loop_block(rows, p, norm, residuals):
    """Le tappe di un blocco, riga per riga; γ = 1, β e i termini noti sono 0."""
    stations = [rows]
    for sublayer in (lambda rs: loop_attention(rs, p), lambda rs: [loop_ffn(r, p) for r in rs]):
        entered = stations[-1]
        read = [loop_norm(r) for r in entered] if norm == "pre" else entered
        output = sublayer(read)
        total = [
            [a + b for a, b in zip(r, o, strict=True)] if residuals else o
            for r, o in zip(entered, output, strict=True)
        ]
        stations += [read, output, total] if norm == "pre" else [output, total, [loop_norm(t) for t in total]]
    return stations


@pytest.mark.parametrize(("norm", "residuals"), WAYS)
def test_every_station_of_every_block_is_what_plain_loops_give(found, norm, residuals):
    rows = simulator.state(SENTENCE, 8)["final"]
    for depth, block in enumerate(drawn(), start=1):
        stations = loop_block(rows, block.parameters, norm, residuals)
        for k, expected in enumerate(stations):
            np.testing.assert_allclose(at(found, norm, residuals, depth, k)[:, :D], expected, atol=HALF)
        rows = stations[-1]
        if norm == "pre":
            final = [loop_norm(row) for row in rows]
            np.testing.assert_allclose(at(found, norm, residuals, depth, 7)[:, :D], final, atol=HALF)


def test_ours_is_the_decoder_block_as_it_stands(found):
    x = np.array(simulator.state(SENTENCE, 8)["final"])
    for depth, block in enumerate(drawn(), start=1):
        seen = {}
        x = block(x, watch=seen.__setitem__)
        names = ("self.norm", "self.output", "self.residual", "ffn.norm", "ffn.output", "ffn.residual")
        for k, name in enumerate(names, start=1):
            np.testing.assert_allclose(at(found, "pre", True, depth, k)[:, :D], seen[name], atol=HALF)
        np.testing.assert_allclose(at(found, "pre", True, depth, OUT)[:, :D], x, atol=HALF)


@pytest.mark.parametrize(("norm", "residuals"), WAYS)
def test_norm_mean_deviation_and_cosine_are_those_of_the_vector_beside_them(found, norm, residuals):
    numbers, _ = unpacked(found, norm, residuals)
    start = numbers[0, :, :D]
    for place in numbers:
        for row, first in zip(place, start, strict=True):
            length = math.sqrt(sum(v * v for v in row[:D]))
            assert row[NORM] == pytest.approx(length, abs=0.002)
            assert row[MEAN] == pytest.approx(sum(row[:D]) / D, abs=0.0011)
            assert row[NORM] ** 2 == pytest.approx(D * (row[MEAN] ** 2 + row[DEVIATION] ** 2), abs=0.02)
            cosine = sum(a * b for a, b in zip(row[:D], first, strict=True))
            cosine /= length * math.sqrt(sum(v * v for v in first))
            assert row[COSINE] == pytest.approx(cosine, abs=0.02)
    np.testing.assert_array_equal(numbers[0, :, COSINE], 1.0)


@pytest.mark.parametrize(("norm", "residuals"), WAYS)
def test_after_a_layer_norm_the_mean_is_0_and_the_deviation_1(found, norm, residuals):
    for depth in range(1, DEPTH + 1):
        for k, station in enumerate(STATIONS[norm]):
            if station.name.startswith("LayerNorm"):
                row = at(found, norm, residuals, depth, k)
                np.testing.assert_array_equal(row[:, MEAN], 0.0)
                assert (row[:, DEVIATION] > 0.99).all()
                assert (row[:, DEVIATION] <= 1.0).all()   # mai oltre: ε sta dentro la radice
    assert found["right"]["norm"] == 0


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_residual_adds_the_vector_it_says_and_without_it_nothing_is_added(found, norm):
    for k, station in enumerate(STATIONS[norm]):
        if station.adds is not None:
            for depth in (1, 5, 12):
                total, old, output = (
                    at(found, norm, True, depth, j)[:, :D] for j in (k, station.adds, k - 1)
                )
                np.testing.assert_allclose(total, old + output, atol=0.0016)
                alone, output = (at(found, norm, False, depth, j) for j in (k, k - 1))
                np.testing.assert_array_equal(alone, output)


@pytest.mark.parametrize(("norm", "residuals"), WAYS)
def test_a_block_begins_where_the_one_before_ended(found, norm, residuals):
    _, index = unpacked(found, norm, residuals)
    assert len(index) == DEPTH
    assert index[0][0] == 0
    assert [own[0] for own in index[1:]] == [own[OUT] for own in index[:-1]]


def test_with_a_causal_mask_the_last_word_changes_nobody_else():
    one, two = state("La chiave accanto ai libri era"), state("La chiave accanto ai libri sembrava")
    for norm, residuals in WAYS:
        a, b = (unpacked(s, norm, residuals)[0] for s in (one, two))
        np.testing.assert_array_equal(a[:, :-1], b[:, :-1])
        assert np.abs(a[:, -1] - b[:, -1]).max() > 0.1
    one, two = (state(s["sentence"], causal=False) for s in (one, two))
    a, b = (unpacked(s, "pre", True)[0] for s in (one, two))
    assert np.abs(a[:, 0] - b[:, 0]).max() > 0.01
    assert "ogni token guarda tutti" in one["note"]


def test_the_mask_reaches_the_attention():
    x = np.random.default_rng(4).normal(size=(5, 8))
    block = drawn(3)[0]
    masked = block_stations(x, block, causal_mask(5))[2]
    free = block_stations(x, block, None)[2]
    np.testing.assert_allclose(masked[-1], free[-1])
    assert np.abs(masked[0] - free[0]).max() > 0.01


def test_what_is_asked_about_depth_follows_the_numbers(found):
    for norm in ("pre", "post"):
        for t, right in enumerate(found["right"]["depth"][norm]):
            cosine = at(found, norm, False, 6, OUT)[t, COSINE]
            assert right == (0 if cosine > 0.9 else 1 if cosine >= 0.5 else 2)
    assert {right for rights in found["right"]["depth"].values() for right in rights} == {1, 2}


def test_the_seed_is_said_and_changes_the_parameters():
    one, two = state(seed=1), state(seed=2)
    assert "seme 1;" in one["note"]
    assert one["ways"] != two["ways"]
    assert one["ways"]["pre"]["with"]["places"][0] == two["ways"]["pre"]["with"]["places"][0]


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        ("", "vuota"),
        ("   ", "vuota"),
        (None, "vuota"),
        ("parola " * 1500, "caratteri"),
        ("uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici", "al più 12"),
    ],
)
def test_a_bad_sentence_gets_a_sentence(sentence, says):
    with pytest.raises(ValueError, match=says):
        state(sentence)


@pytest.mark.parametrize("sentence", ["ciao", "👩‍👩‍👧 dorme 🙂", "שלום עולם", "L'uomo… c'è?"])
def test_any_word_has_a_path(sentence):
    found = state(sentence)
    numbers, _ = unpacked(found, "post", False)
    assert numbers.shape[1:] == (len(found["tokens"]), D + 4)
    json.dumps(found, allow_nan=False)


def test_what_is_sent_stays_small():
    widget = BlockPath()
    assert len(json.dumps([widget.state, widget.presets], allow_nan=False)) <= 150_000
    assert len(json.dumps(widget.state)) > 50_000         # ci sono davvero tutti i modi


def test_the_widget_opens_as_asked_and_answers_with_its_own_seed():
    widget = BlockPath(OTHER, seed=5, causal=False, token=1, residuals=False, norm="post", depth=7)
    assert widget.options == {"token": 1, "residuals": False, "norm": "post", "depth": 7, "predict": True}
    assert [preset["name"] for preset in widget.presets] == [SENTENCE]
    assert widget.presets[0]["state"]["seed"] == 5
    widget.request = {"sentence": "Il gatto dorme", "serial": 1}
    assert widget.answer == {"serial": 1, "problem": ""}
    assert widget.state == state("Il gatto dorme", seed=5, causal=False)
    widget.request = {"sentence": "  ", "serial": 2}
    assert "vuota" in widget.answer["problem"]
    assert widget.state["sentence"] == "Il gatto dorme"


def test_after_a_shorter_sentence_the_fallback_follows_its_last_word():
    widget = BlockPath()
    widget.request = {"sentence": "chiave", "serial": 1}
    assert "«chiave»" in widget.fallback().alt


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"norm": "prima"}, "«pre» o «post»"),
        ({"depth": 13}, "depth: .* fra 1 e 12"),
        ({"depth": 0}, "depth"),
        ({"token": 6}, "token: .* fra 0 e 5"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_arguments_are_refused(options, says):
    with pytest.raises(ValueError, match=says):
        BlockPath(**options)


def test_the_fallback_says_the_numbers_of_its_state(found):
    shown = picture(found, token=5, residuals=True, norm="pre", depth=6)
    assert shown["vectors"] == at(found, "pre", True, 6, slice(None))[:, 5, :D].tolist()
    norms, cosines = shown["curves"]["senza residui"]
    assert len(norms) == len(cosines) == DEPTH + 1
    assert cosines[6] == at(found, "pre", False, 6, OUT)[5, COSINE]
    made = BlockPath(depth=6).fallback()
    with_them, without = (at(found, "pre", way, 6, OUT)[5, COSINE] for way in (True, False))
    said = f"con i residui {number(with_them, 3)}; senza residui {number(without, 3)}"
    assert said in made.alt
    assert f"attenzione: norma {number(at(found, 'pre', True, 6, 2)[5, NORM], 3)}" in made.summary
    assert "niente somma" in BlockPath(residuals=False).fallback().alt
    assert made.png[:4] == b"\x89PNG"
