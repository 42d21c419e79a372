"""Chi fa i conti di un passo: il tipo dei numeri di un'attenzione scritta da altri."""

import numpy as np
import pytest

from course_lib.learning.autograd import Tensor
from course_lib.learning.worker import keeping_type


@pytest.mark.parametrize("pair", [False, True])
def test_an_attention_that_answers_in_float64_is_brought_back(pair):
    """np.sqrt(d) è un float64, e ci porterebbe tutto il modello: più lento, e con altri numeri."""

    def widening(Q, K, V, mask):
        z = V / np.sqrt(np.float64(4)) * np.ones((1, 1))
        assert z.dtype == np.float64
        return (z, None) if pair else z

    V = Tensor(np.arange(6, dtype=np.float32).reshape(3, 2), requires_grad=True)
    z = keeping_type(widening)(V, V, V, None)
    assert type(z) is Tensor
    assert z.dtype == np.float32
    assert z.data.tolist() == [[0, 0.5], [1, 1.5], [2, 2.5]]
    z.backward(np.ones((3, 2), np.float32))
    assert V.grad.dtype == np.float32
    assert V.grad.tolist() == [[0.5, 0.5]] * 3
