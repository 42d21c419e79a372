"""Il piccolo modello delle prove della Generazione."""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.transformer.families import DecoderOnly
from course_lib.transformer.tokens import CharTokenizer
from tests.widgets.small_models import LETTERS


@pytest.fixture(scope="module")
def small():
    """Un modello a caso su undici caratteri, e il suo tokenizzatore."""
    tokenizer = CharTokenizer().train(LETTERS)
    rng = np.random.default_rng(1)
    model = DecoderOnly(len(tokenizer.vocabulary), 16, 2, 2, rng=rng)
    parameters = model.parameters()
    parameters["W_out"] = rng.normal(size=parameters["W_out"].shape)     # logit ben diversi fra loro
    model.load(parameters)
    return model, tokenizer
