"""I parametri di un modello: nomi, numero, seme, tipo; caricati e sostituiti senza copie."""

import numpy as np
import pytest

from course_lib.transformer import ops as plain
from course_lib.transformer import scaled_dot_product_attention
from course_lib.transformer.families import DecoderOnly, EncoderDecoder, EncoderOnly
from tests.transformer.support import expect_same
from tests.transformer.tape import Tape

V, D, H, N = 7, 4, 2, 2
FAMILIES = [EncoderOnly, DecoderOnly, EncoderDecoder]
IDS = np.array([[1, 2, 3], [4, 5, 6]])


def model_of(kind, seed=0, **options):
    return kind(V, D, H, N, rng=np.random.default_rng(seed), **options)


def run(model, ids=IDS):
    return model(ids, ids) if type(model) is EncoderDecoder else model(ids)


def test_names_and_order():
    names = list(model_of(DecoderOnly).parameters())
    block = ["self.gamma", "self.beta", "self.W_QKV", "self.W_O"]
    block += ["ffn.gamma", "ffn.beta", "ffn.W_1", "ffn.b_1", "ffn.W_2", "ffn.b_2"]
    both = [f"decoder.{i}.{name}" for i in range(N) for name in block]
    assert names == ["embedding", *both, "decoder.gamma", "decoder.beta", "W_out", "b_out"]
    assert list(model_of(DecoderOnly).layout()) == names


def test_parameters_are_counted_by_formula():
    norm, attention, ffn = 2 * D, 4 * D * D, 8 * D * D + 5 * D
    encoder = N * (2 * norm + attention + ffn) + norm
    written = D * V + V
    counts = {kind: model_of(kind).n_parameters for kind in FAMILIES}
    assert counts == {
        EncoderOnly: V * D + encoder,
        DecoderOnly: V * D + encoder + written,
        EncoderDecoder: V * D + 2 * encoder + N * (norm + attention) + written,
    }


def test_the_same_seed_gives_the_same_model_in_every_type():
    one, two, low = (model_of(DecoderOnly, 3, **o) for o in ({}, {}, {"dtype": np.float32}))
    for name, array in one.parameters().items():
        assert array.tobytes() == two.parameters()[name].tobytes()
        expect_same(low.parameters()[name], array.astype(np.float32), 0.0, np.float32)
    assert model_of(DecoderOnly, 4).parameters()["W_out"].tobytes() != one.parameters()["W_out"].tobytes()


def test_how_training_begins():
    model = DecoderOnly(50, 64, 4, 2, rng=np.random.default_rng(0))
    p = model.parameters()
    assert p["embedding"].std() == pytest.approx(1 / 8, rel=0.05)
    assert p["decoder.0.self.W_QKV"].std() == pytest.approx(1 / 8, rel=0.05)
    assert p["decoder.1.ffn.W_2"].std() == pytest.approx(1 / 16 / 2, rel=0.05)  # 1/√256, e √(2·2 strati)
    assert p["decoder.1.self.W_O"].std() == pytest.approx(1 / 8 / 2, rel=0.05)
    for name, value in (("self.gamma", 1), ("self.beta", 0), ("ffn.b_1", 0), ("ffn.b_2", 0)):
        assert (p[f"decoder.0.{name}"] == value).all()
    logits = model(np.arange(50)[None])
    probabilities = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    assert -np.log(probabilities).mean() == pytest.approx(np.log(50), abs=0.03)  # ln V: non sa ancora nulla


@pytest.mark.parametrize("kind", FAMILIES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_the_type_of_the_parameters_is_that_of_the_result(kind, dtype):
    model = model_of(kind, dtype=dtype)
    assert {a.dtype for a in model.parameters().values()} == {np.dtype(dtype)}
    expected = run(model_of(kind))
    tolerance = {np.float64: 0.0, np.float32: 1e-5, np.float16: 3e-2}[dtype]
    expect_same(run(model), expected, tolerance, dtype)


def test_parameters_are_never_copied():
    """Un vettore solo, e i parametri come viste: cambiarlo cambia il modello."""
    model = model_of(DecoderOnly)
    old = model.parameters()
    flat = np.concatenate([a.ravel() for a in old.values()])
    views, start = {}, 0
    for name, a in old.items():
        views[name] = flat[start : start + a.size].reshape(a.shape)
        start += a.size
    before = run(model)
    model.load(views)
    for name, array in model.parameters().items():
        assert array is views[name]
    expect_same(run(model), before, 0.0)
    flat *= 2.0
    after = run(model)
    expect_same(after, run(model.using(parameters={n: a * 2.0 for n, a in old.items()})), 0.0)
    assert np.abs(after - before).max() > 1e-3


def test_the_dictionary_is_new_every_time():
    model = model_of(DecoderOnly)
    model.parameters().clear()
    assert len(model.parameters()) == 1 + 2 * 10 + 4


def test_using_leaves_the_first_model_alone():
    model, other = model_of(DecoderOnly), model_of(DecoderOnly, 1)
    before = run(model)
    changed = model.using(parameters=other.parameters())
    expect_same(run(changed), run(other), 0.0)
    expect_same(run(model), before, 0.0)
    assert type(changed) is DecoderOnly


class Counting:
    """Le operazioni di sempre, che contano quante volte si chiamano."""

    def __init__(self):
        self.calls = {}

    def __getattr__(self, name):
        def count(*arguments):
            self.calls[name] = self.calls.get(name, 0) + 1
            return getattr(plain, name)(*arguments)

        return count


def test_a_model_does_all_its_sums_through_ops():
    ops = Counting()
    model = model_of(DecoderOnly)
    expect_same(run(model.using(ops=ops)), run(model), 0.0)
    per_block = ("norm_linear", "split_qkv", "attention", "merge_heads", "linear", "norm_feed_forward")
    expected = dict.fromkeys(per_block, N) | {"embedding": 1, "layer_norm": 1, "linear": N + 1}
    assert ops.calls == expected
    ops = Counting()
    run(model_of(EncoderDecoder).using(ops=ops))
    assert set(ops.calls) == set(plain.__all__)
    assert ops.calls["split_heads"] == 3 * N


@pytest.mark.parametrize("kind", FAMILIES)
def test_only_the_attention_is_replaced(kind):
    def mean_of_values(Q, K, V, mask):
        coefficients = mask / mask.sum(axis=-1, keepdims=True)
        return coefficients @ V

    def no_scores(Q, K, V, mask):
        return scaled_dot_product_attention(Q * 0.0, K, V, mask)

    model = model_of(kind)
    expect_same(run(model.using(attention=mean_of_values)), run(model.using(attention=no_scores)), 1e-12)
    again = model.using(attention=no_scores).using(attention=None)
    expect_same(run(again), run(model), 0.0)


def test_weights_of_another_attention():
    model = model_of(DecoderOnly)
    pair = model.using(attention=scaled_dot_product_attention)
    expect_same(pair(IDS, return_weights=True)[1][1], model(IDS, return_weights=True)[1][1], 0.0)
    alone = model.using(attention=lambda Q, K, V, mask: V)
    with pytest.raises(ValueError, match=r"return_weights: .* usa model.using\(attention=None\)"):
        alone(IDS, return_weights=True)


@pytest.mark.parametrize("kind", FAMILIES)
def test_a_whole_model_differentiates_as_it_stands(kind):
    """Ogni parametro, in una direzione a caso: la derivata del nastro è quella delle differenze finite."""
    model = model_of(kind)
    rng = np.random.default_rng(8)
    arrays = {n: a + 0.2 * rng.normal(size=a.shape) for n, a in model.parameters().items()}
    upstream = rng.normal(size=run(model).shape)
    tapes = {name: Tape(a) for name, a in arrays.items()}
    out = run(model.using(parameters=tapes))
    assert type(out) is Tape
    out.backward(upstream)
    for name, array in arrays.items():
        direction = rng.normal(size=array.shape)
        values = [
            (run(model.using(parameters={**arrays, name: array + s * 1e-6 * direction})) * upstream).sum()
            for s in (1, -1)
        ]
        slope = (values[0] - values[1]) / 2e-6
        assert (tapes[name].grad * direction).sum() == pytest.approx(slope, rel=1e-6, abs=1e-6), name


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda p: p.pop("W_out"), "mancano W_out, di troppo nessuno"),
        (lambda p: p.update(altro=np.ones(1)), "mancano nessuno, di troppo altro"),
        (lambda p: p.update(b_out=np.ones(3)), r"b_out: mi aspettavo la forma \(7,\), è arrivata \(3,\)"),
    ],
)
def test_loading_is_checked(change, match):
    model = model_of(DecoderOnly)
    parameters, before = model.parameters(), run(model)
    change(parameters)
    for call in (model.load, lambda p: model.using(parameters=p)):
        with pytest.raises(ValueError, match=match):
            call(parameters)
    expect_same(run(model), before, 0.0)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ((V, D, 3, N), "n_heads: mi aspettavo un divisore di d_model = 4, non 3"),
        ((0, D, H, N), "vocabulary_size: mi aspettavo un intero da 1 in su"),
        ((V, 4.0, H, N), "d_model: mi aspettavo un numero intero"),
        ((V, D, H, -1), "n_layers: mi aspettavo un intero da 0 in su"),
    ],
)
def test_sizes_are_checked(arguments, match):
    with pytest.raises(ValueError, match=match):
        DecoderOnly(*arguments, rng=np.random.default_rng(0))


def test_randomness_comes_from_the_caller():
    with pytest.raises(ValueError, match="rng: mi aspettavo"):
        DecoderOnly(V, D, H, N, rng=None)


class Spoiling:
    """Operazioni che scrivono dentro le codifiche posizionali, che il modello calcola una volta per tutti."""

    def __getattr__(self, name):
        return getattr(plain, name)

    def embedding(self, table, ids, scale, positions):
        positions *= 0
        return plain.embedding(table, ids, scale, positions)


def test_nobody_may_write_in_the_positions_that_all_models_share():
    model = DecoderOnly(V, D, H, N, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="read-only"):
        model.using(ops=Spoiling())(np.array([0, 1]))
