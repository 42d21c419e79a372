import gc
import multiprocessing

import numpy as np
import pytest

from course_lib.learning.parallel import can_fork
from tests.conftest import require, unavailable


@pytest.fixture
def rng():
    return np.random.default_rng(20)


@pytest.fixture(scope="session")
def torch():
    require("torch")
    import torch

    return torch


@pytest.fixture(scope="session")
def forking():
    """Serve un processo che nasce con fork."""
    if not can_fork():
        unavailable("qui un secondo processo non nasce con fork: il secondo lavoratore è un thread")


@pytest.fixture(scope="session", autouse=True)
def _no_process_is_left():
    """Alla fine delle prove non resta nessun secondo processo di un addestramento."""
    yield
    gc.collect()
    assert not multiprocessing.active_children()
