import numpy as np
import pytest

from tests.conftest import require


@pytest.fixture
def rng():
    return np.random.default_rng(20)


@pytest.fixture(scope="session")
def torch():
    require("torch")
    import torch

    return torch
