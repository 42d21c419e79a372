"""Gradienti e differenze finite, forme fuse e forme semplici a confronto; un modello piccolo."""

import numpy as np

from course_lib.learning import fused
from course_lib.learning.autograd import Tensor
from course_lib.learning.training import text_batches, train
from course_lib.transformer import ops as plain
from course_lib.transformer.families import DecoderOnly

STEP = 1e-6
DTYPES = [np.float64, np.float32]
LEADS = [(), (2,), (2, 3)]
TOLERANCE = {np.float64: 1e-11, np.float32: 2e-5}


def weighted_sum(function, arrays, weights):
    """La somma pesata dell'uscita: un numero solo, diverso per ogni posto dell'uscita."""
    return float(np.sum(np.asarray(function(*arrays)) * weights))


def expect_gradients(function, *arrays, tolerance=1e-6):
    """Ogni gradiente di function, in float64, è quello delle differenze finite entro `tolerance` relativa."""
    arrays = [np.array(a, np.float64) for a in arrays]
    plain = np.asarray(function(*arrays))
    weights = np.random.default_rng(12).normal(size=plain.shape)
    tensors = [Tensor(a.copy(), requires_grad=True) for a in arrays]
    out = function(*tensors)
    assert type(out) is Tensor
    assert out.shape == plain.shape
    assert np.abs(out.data - plain).max(initial=0) <= 1e-12 * max(1.0, np.abs(plain).max(initial=0))
    out.backward(weights)
    for i, (tensor, array) in enumerate(zip(tensors, arrays, strict=True)):
        assert np.array_equal(tensor.data, array), f"l'argomento {i} è stato modificato"
        expected = np.zeros(array.shape)
        for index in np.ndindex(array.shape):
            values = []
            for sign in (1, -1):
                moved = [a.copy() for a in arrays]
                moved[i][index] += sign * STEP
                values.append(weighted_sum(function, moved, weights))
            expected[index] = (values[0] - values[1]) / (2 * STEP)
        assert tensor.grad.shape == array.shape
        expect_close(tensor.grad, expected, tolerance, f"gradiente dell'argomento {i}")


def expect_close(actual, expected, tolerance, what=""):
    """Stessa forma, valori finiti, scarto massimo entro tolerance volte il valore più grande."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape, f"{what}: forma {actual.shape}, attesa {expected.shape}"
    assert np.isfinite(actual).all(), f"{what}: valori non finiti"
    gap = np.abs(actual - expected).max(initial=0)
    scale = max(np.abs(expected).max(initial=0), 1e-3)
    assert gap <= tolerance * scale, f"{what}: scarto relativo {gap / scale:.3g} > {tolerance:.3g}"


def small_decoder(dtype=np.float64, seed=0, V=11, d=8, heads=2, layers=2, **options):
    """Un decoder piccolo."""
    return DecoderOnly(V, d, heads, layers, rng=np.random.default_rng(seed), dtype=dtype, **options)


def leaves_of(model):
    """I parametri del modello come Tensor di cui si vuole il gradiente."""
    return {name: Tensor(array, requires_grad=True) for name, array in model.parameters().items()}


TEXT = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] * 30)


def batches(seed=3, size=4, length=6):
    return text_batches(TEXT, length, size, np.random.default_rng(seed))


def weights(model):
    return np.concatenate([array.ravel() for array in model.parameters().values()])


def trained(steps=8, dtype=np.float32, **options):
    model = small_decoder(dtype)
    history = train(model, batches(), steps, progress=False, **options)
    return model, history


def numbers(shape, seed=4, scale=1.0):
    return np.random.default_rng(seed).normal(size=shape) * scale


def expect_like_plain(name, *arrays, dtype=np.float64, call=None, slack=1):
    """fused.name e ops.name: stessa uscita e stessi gradienti, per Tensor; stessa uscita per array."""
    call = call or (lambda function, *a: function(*a))
    arrays = [np.asarray(a, dtype) for a in arrays]
    results = {}
    for module in (plain, fused):
        tensors = [Tensor(a.copy(), requires_grad=True) for a in arrays]
        out = call(getattr(module, name), *tensors)
        out.backward(numbers(out.shape, seed=8).astype(dtype))
        results[module] = [out.data, *(t.grad for t in tensors)]
        assert out.dtype == dtype
        for tensor, array in zip(tensors, arrays, strict=True):
            assert np.array_equal(tensor.data, array), "un ingresso è stato modificato"
    for ours, theirs in zip(results[fused], results[plain], strict=True):
        assert ours.dtype == dtype
        expect_close(ours, theirs, TOLERANCE[dtype] * slack, name)
    alone = call(getattr(fused, name), *arrays)
    assert type(alone) is np.ndarray
    expect_close(alone, results[plain][0], TOLERANCE[dtype] * slack, f"{name} senza Tensor")
