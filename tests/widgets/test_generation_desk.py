"""Il banco della Generazione: rami, esempi, scelte che non vanno, e il modello che si porta con sé."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from course_lib.learning.tale_model import split_text, validation_loss
from course_lib.transformer.families import EncoderOnly
from course_lib.transformer.tokens import CharTokenizer
from course_lib.widgets import GenerationDesk, tale, train_tale
from course_lib.widgets.frame import FAULT
from course_lib.widgets.state import generation
from tests.widgets.small_models import ask, desk, drawn


def test_a_forced_token_opens_a_branch_and_the_old_one_stays(small):
    widget = desk(small)
    for _ in range(3):
        ask(widget, do="step")
    old = drawn(widget)
    other = next(c["token"] for c in widget.state["moments"][1]["candidates"] if c["token"] != old[1])
    found = ask(widget, do="force", at=1, token=other)
    assert drawn(widget) == [old[0], other]
    assert found["moments"][1]["drawn"]["forced"]
    assert found["branch"] == 1
    assert found["branches"][1]["note"].startswith("al passo 2 «")
    ask(widget, do="step")
    assert widget.state["moments"][2]["dart"] == np.random.default_rng(5).random(3)[2]
    ask(widget, do="branch", branch=0)
    assert drawn(widget) == old


def test_other_settings_redo_the_last_step_and_fork_from_an_earlier_one(small):
    widget = desk(small)
    ask(widget, do="step")
    first = ask(widget, do="settings", at=1, greedy=False, temperature=1.0, top_k=1, top_p=None)
    assert (first["branch"], len(first["branches"]), len(first["moments"])) == (0, 1, 2)
    assert first["moments"][1]["kept"] == 1
    assert first["moments"][0]["words"] == "estrazione con τ = 1"
    second = ask(widget, do="settings", at=0, greedy=True, temperature=1.0, top_k=None, top_p=None)
    assert (second["branch"], len(second["branches"]), len(second["moments"])) == (1, 2, 1)
    assert second["moments"][0]["words"] == "greedy"
    assert ask(widget, do="step")["moments"][1]["words"] == "greedy"


def test_begin_brings_back_what_it_opened_with(small):
    widget = desk(small, top_k=4)
    opened = widget.state
    for request in ({"do": "step"}, {"do": "restart", "text": "ab", "seed": 1}, {"do": "step"}):
        assert not ask(widget, **request)["fresh"]
    assert opened["fresh"]
    assert widget.answer_to({"do": "begin"}) == opened


def test_going_on_from_a_ready_example_keeps_what_it_wrote():
    widget = GenerationDesk()
    names = [preset["name"] for preset in widget.presets]
    assert names == ["greedy", "τ = 1", "top-k = 3", "top-p = 0,8"]
    ready = widget.presets[2]["state"]["moments"]
    assert len(ready) == 5
    found = ask(widget, do="step", example=2)
    assert [m["drawn"] for m in found["moments"][:5]] == [m["drawn"] for m in ready]
    assert len(found["moments"]) == 6
    assert found["settings"]["top_k"] == 3
    assert len(found["branches"]) == 2
    assert ask(widget, do="step")["settings"]["top_k"] == 3


@pytest.mark.parametrize("text", ["", "   ", "\n", "a" * 10_000, "ciao 😀", "שלום", "a\x00b", None, 3])
def test_a_text_that_does_not_work_gets_a_sentence_and_loses_nothing(text):
    widget = GenerationDesk()
    ask(widget, do="step")
    before = json.dumps(widget.state)
    widget.request = {"serial": 1, "do": "restart", "text": text, "seed": 1}
    assert widget.answer["problem"]
    assert not widget.answer["problem"].startswith(FAULT[:12])
    assert json.dumps(widget.answer_to({"do": "branch", "branch": 0})) == before


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "settings", "temperature": 0.0}, {"do": "settings", "temperature": float("nan")},
        {"do": "settings", "temperature": 1, "top_k": 0}, {"do": "settings", "temperature": 1, "top_k": 2.5},
        {"do": "settings", "temperature": 1, "top_k": "due"},
        {"do": "settings", "temperature": 1, "top_p": 0},
        {"do": "settings", "temperature": 1, "top_p": 1.5}, {"do": "force", "token": None},
        {"do": "force", "token": 10**6}, {"do": "branch", "branch": 9}, {"do": "branch", "branch": -1},
        {"do": "restart", "text": "La", "seed": "sette"}, {"do": "restart", "text": "La", "seed": -1},
    ],
)  # fmt: skip
def test_numbers_that_do_not_work_get_a_sentence(request_):
    widget = GenerationDesk()
    before = json.dumps(widget.state)
    widget.request = {"serial": 1, **request_}
    assert len(widget.answer["problem"]) > 20
    assert not widget.answer["problem"].startswith(FAULT[:12])
    assert json.dumps(widget.answer_to({"do": "branch", "branch": 0})) == before


def test_steps_and_branches_have_a_limit_and_it_is_said(small):
    widget = desk(small)
    for _ in range(generation.MOST_STEPS - 1):
        ask(widget, do="step")
    with pytest.raises(ValueError, match="40 passi"):
        widget.answer_to({"do": "step"})
    tokens = [c["token"] for c in widget.state["moments"][0]["candidates"] if c["token"] != drawn(widget)[0]]
    for token in tokens[:7]:
        ask(widget, do="branch", branch=0)
        ask(widget, do="force", at=0, token=token)
    ask(widget, do="branch", branch=0)
    with pytest.raises(ValueError, match="8 rami"):
        widget.answer_to({"do": "force", "at": 0, "token": tokens[7]})


def test_the_figure_tells_the_first_five_steps(small):
    widget = desk(small, top_k=4)
    for _ in range(7):
        ask(widget, do="step")
    picture = widget.fallback()
    for k, m in enumerate(widget.state["moments"][:5]):
        first = m["candidates"][0]
        line = picture.summary.splitlines()[k + 1]
        assert line.startswith(f"Passo {k + 1}, dopo «{m['tail']}»: ")
        assert f"«{first['name']}» {first['before']:.3f}".replace(".", ",") in line
        assert f"scelto «{m['drawn']['name']}», {m['drawn']['rank']}º" in line
    assert "Passo 6" not in picture.summary
    assert picture.png == widget.fallback().png


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model": EncoderOnly(27, 8, 1, 1, rng=np.random.default_rng(0))}, "DecoderOnly"),
        ({"tokenizer": CharTokenizer().train("ab")}, "18 token"), ({"tokenizer": 3}, "tokenizzatore"),
        ({"length": 0}, "length"), ({"length": 25}, "fra 1 e 24"), ({"seed": -1}, "seme"),
        ({"top_p": 2}, "top-p"),
    ],
)  # fmt: skip
def test_wrong_arguments_get_a_sentence(small, change, words):
    model, tokenizer = small
    arguments = {"model": model, "tokenizer": tokenizer, "prompt": "abc", **change}
    with pytest.raises(ValueError, match=words):
        GenerationDesk(**arguments)


def test_the_shipped_model_is_small_and_its_loss_is_the_one_it_says():
    assert tale.FILE.stat().st_size <= 200_000
    found = tale.load()
    loss = validation_loss(found.model, split_text().validation, tale.LENGTH)
    assert loss == pytest.approx(found.loss, abs=2e-3)
    assert loss < 0.4 * found.uniform
    assert found.uniform == pytest.approx(math.log(76))
    moment = GenerationDesk().state["moments"][0]
    assert moment["possible"] == 60  # le sedici cifre dei caratteri sconosciuti non escono mai


def test_training_again_gives_the_same_file(tmp_path):
    files = []
    for name in ("uno.npz", "due.npz"):
        learned = train_tale.train_small(seed=4, steps=6, progress=False)
        tale.save(tmp_path / name, learned, 4)
        files.append((tmp_path / name).read_bytes())
    assert files[0] == files[1]
    found = tale.load(tmp_path / "uno.npz")
    assert (found.steps, found.seed) == (6, 4)
    assert found.loss == learned.history.validation[-1][1]
    expected = learned.model.parameters()["W_out"]
    np.testing.assert_allclose(found.model.parameters()["W_out"], expected, rtol=2e-3, atol=1e-6)
