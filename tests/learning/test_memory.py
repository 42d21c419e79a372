"""La memoria riusata: di chi l'ha chiesta e di nessun altro, né thread né processo."""

import multiprocessing
import threading

import numpy as np
import pytest

from course_lib.learning import memory
from course_lib.learning.worker import Worker, flatten
from tests.learning.support import batches, small_decoder

SHAPE, DTYPE = (100, 100), np.dtype(np.float64)


def test_another_thread_does_not_take_from_this_pool():
    pool, taken = memory.Pool(), []
    with memory.reuse(pool):
        memory.empty(SHAPE, DTYPE)                   # subito libero: un altro thread non lo deve prendere
        other = threading.Thread(target=lambda: taken.append(memory.empty(SHAPE, DTYPE)))
        other.start()
        other.join()
        assert memory.empty(SHAPE, DTYPE).shape == taken[0].shape == SHAPE
        assert len(pool) == 1


def test_the_two_halves_of_a_batch_have_a_pool_each():
    """Due thread su una riserva sola si prenderebbero, una volta ogni tanto, lo stesso array."""
    model = small_decoder(np.float32, d=64)
    workers = [Worker(model, flatten(model.parameters())) for _ in range(2)]
    for worker in workers:
        worker.run(*next(batches(size=16, length=16)))
    one, other = ({id(a) for arrays in w.pool.arrays.values() for a in arrays} for w in workers)
    assert one
    assert other
    assert not one & other


def test_inside_another_the_pool_of_before_comes_back():
    outer, inner = memory.Pool(), memory.Pool()
    with memory.reuse(outer):
        with memory.reuse(inner):
            held = [memory.empty(SHAPE, DTYPE)]
        held.append(memory.empty(SHAPE, DTYPE))
        assert (len(outer), len(inner)) == (1, 1)
    held.append(memory.empty(SHAPE, DTYPE))
    assert (len(outer), len(inner)) == (1, 1)


@pytest.mark.usefixtures("forking")
def test_a_child_writes_on_a_copy():
    with memory.reuse(memory.Pool()):
        ours = memory.empty(SHAPE, DTYPE)
    ours[...] = 1
    child = multiprocessing.get_context("fork").Process(target=ours.fill, args=(2,))
    child.start()
    child.join()
    assert child.exitcode == 0
    assert (ours == 1).all()


def test_arrays_of_one_pool_never_overlap():
    with memory.reuse(memory.Pool()):
        held = [memory.empty(shape, DTYPE) for shape in [SHAPE, (128, 64), (3000, 2000), SHAPE, (1 << 13,)]]
        del held[0]                                  # libero, ma di un altro tipo
        held += [memory.empty(SHAPE, np.dtype(np.float32)) for _ in range(2)]
    for i, array in enumerate(held):
        array[...] = i
    assert [np.unique(array).tolist() for array in held] == [[i] for i in range(len(held))]
    assert [array.dtype for array in held[-2:]] == [np.float32] * 2


def test_spread_repeats_each_number_exactly():
    column = np.array([0.1, -3.7, 1e30, 5e-40], np.float32)
    for width in (1, 2, 5):
        assert np.array_equal(memory.spread(column, width), np.repeat(column[:, None], width, axis=1))
