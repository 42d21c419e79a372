"""Argomenti strani o ostili ai widget: una frase in italiano; ciò che si accetta si spedisce."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import course_lib.widgets as widgets
from course_lib.widgets.state.plain import check_names, readable, writable

EYE, ABC = np.eye(3), ["a", "b", "c"]
RAGGED, HUGE = [[True, False], [True]], [[10**400, 1], [1, 2]]
HIDDEN = np.ma.array(EYE, mask=EYE > 0)
THREE = {"Q": EYE, "K": EYE, "V": EYE, "rows": ABC}
HEADS = {"weights": np.full((1, 2, 3, 3), 1 / 3), "tokens": ABC}
REFUSED = [
    *(("CellLens", {"at": at}, "at: mi aspettavo una cella") for at in
      (0, 5, -1, 0.5, (0,), (0, 0, 0), (0.5, 0), "20", ("a", "b"), (float("nan"), 0), {})),
    ("CellLens", THREE | {"Q": EYE + 1j}, "Q: mi aspettavo una matrice di numeri"),
    ("CellLens", THREE | {"V": HUGE}, "V: mi aspettavo una matrice di numeri"),
    ("CellLens", THREE | {"mask": RAGGED}, "mask: mi aspettavo righe"),
    ("CellLens", THREE | {"mask": EYE}, "mask: mi aspettavo valori True o False"),
    ("CellLens", THREE | {"rows": 3}, "rows: mi aspettavo 3 nomi"),
    ("CellLens", THREE | {"rows": ["a", "b", "x" * 10_000]}, "accorcialo"),
    ("CellLens", THREE | {"Q": np.ones((3, 65)), "K": np.ones((3, 65))}, "al più 64 componenti"),
    ("CellLens", {"Q": EYE}, "si danno insieme: è arrivato soltanto Q"),
    ("CellLens", {"rows": ABC}, "si danno insieme: è arrivato soltanto rows"),
    ("MaskBoard", {"scores": HUGE, "rows": "ab"}, "scores: mi aspettavo una matrice di numeri"),
    ("MaskBoard", {"scores": EYE + 1j, "rows": ABC}, "scores: mi aspettavo una matrice di numeri"),
    ("MaskBoard", {"scores": EYE * 1e200, "rows": ABC}, "Hai diviso per √d_k"),
    ("MaskBoard", {"scores": EYE, "rows": 3}, "rows: mi aspettavo 3 nomi"),
    ("MaskBoard", {"rows": ABC}, "servono anche gli scores"),
    ("MaskBoard", {"scores": HIDDEN, "rows": ABC}, "scores: mi aspettavo una matrice di numeri"),
    ("MaskBoard", {"scores": EYE, "rows": ABC, "mask": HIDDEN > 0}, "qualcuno è mascherato"),
    ("SoftmaxTemperature", {"logits": HIDDEN[0]}, "logits: mi aspettavo"),
    ("SoftmaxTemperature", {"logits": [1, np.ma.masked, 2]}, "logits: mi aspettavo"),
    ("SoftmaxTemperature", {"temperature": np.ma.masked}, "τ: mi aspettavo"),
    ("PositionClock", {"base": np.ma.masked}, "base: mi aspettavo"),
    ("MaskBoard", {"preset": ""}, "preset: mi aspettavo uno di"),
    ("HeadAtlas", HEADS | {"weights": HEADS["weights"] * 1e308}, "fra 0 e 1"),
    ("HeadAtlas", HEADS | {"mask": RAGGED}, "mask: mi aspettavo righe"),
    ("HeadAtlas", HEADS | {"weights": HEADS["weights"] + 1j}, "weights: mi aspettavo numeri"),
    ("SoftmaxTemperature", {"temperature": 10**400}, "τ: mi aspettavo"),
    ("SoftmaxTemperature", {"logits": [10**400, 1, 2]}, "logits: mi aspettavo"),
    ("SoftmaxTemperature", {"logits": [1j, 1, 2]}, "logits: mi aspettavo"),
    ("SoftmaxTemperature", {"logits": [1, 2, 3], "names": 4}, "names: mi aspettavo 3 nomi"),
    *(("PositionClock", {name: np.array([4])}, f"{name}: mi aspettavo") for name in ("n", "d", "at")),
    ("PositionClock", {"base": 10**400}, "base: mi aspettavo"),
    ("BlockPath", {"norm": ["pre"]}, "norm: mi aspettavo"),
    ("BlockPath", {"seed": 2**32}, "seed: mi aspettavo"),
    ("GenerationDesk", {"temperature": 10**400}, "Temperatura: mi aspettavo"),
    ("GenerationDesk", {"temperature": None}, "Temperatura: mi aspettavo"),
    ("GenerationDesk", {"top_k": 10**400}, "top-k: mi aspettavo"),
    ("GenerationDesk", {"tokenizer": 3}, "serve anche il model"),
    ("Simulator", {"d": np.array([4])}, "d: mi aspettavo"),
    ("Simulator", {"phase": np.array([4])}, "phase: mi aspettavo"),
    *(("LiveTraining", {"seed": seed}, "seed: mi aspettavo") for seed in ([4], {}, 2**32, 0.5)),
    ("LiveTraining", {"heads": np.array([4])}, "Teste: mi aspettavo"),
    ("LiveTraining", {"steps_per_second": 1e-320}, "fra 0,01 e 1000"),
]  # fmt: skip
ACCEPTED = [
    ("Simulator", {"d": np.int64(4)}), ("Simulator", {"phase": np.int64(4)}),
    ("Simulator", {"phases": np.array([4])}),
    ("Simulator", {"sentence": "\ud800 x"}),
    ("Simulator", {"sentence": "\x00 a 😀", "second": "🏳️\u200d🌈 \ud800"}),
    ("BlockPath", {"sentence": "\ud800 😀"}), ("PositionClock", {"sentence": "\ud800 x"}),
    ("GenerationDesk", {"temperature": np.float32(2), "top_k": np.int64(3), "top_p": np.float32(0.5)}),
    ("LiveTraining", {"seed": np.int64(4), "rate": np.float32(0.5)}), ("CellLens", {"at": np.array([1, 1])}),
    *((name, given | {key: ["\ud800", "👩\u200d👩\u200d👧", "\x1b"]}) for name, given, key in
      (("CellLens", THREE, "rows"), ("MaskBoard", {"scores": EYE}, "rows"), ("HeadAtlas", HEADS, "tokens"),
       ("SoftmaxTemperature", {"logits": [1, 2, 3]}, "names"))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "said"), REFUSED)
def test_it_is_refused_with_one_short_sentence(name, given, said):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=said) as refused:
            getattr(widgets, name)(**given)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(("name", "given"), ACCEPTED)
def test_what_is_accepted_can_be_sent_and_drawn_without_warnings(name, given):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        widget = getattr(widgets, name)(**given)
        data, metadata = widget._repr_mimebundle_()
    sent = [widget.state, widget.presets, widget.options, data["text/plain"], metadata]
    json.dumps(sent, allow_nan=False, ensure_ascii=False).encode("utf-8")
    widget.close()


def test_half_characters_typed_in_the_page_do_not_break_the_answer():
    heads, desk = widgets.HeadAtlas(), widgets.GenerationDesk()
    heads.request = {"sentence": "la \ud800 era", "serial": 1}
    desk.request = {"do": "restart", "text": "la \ud800", "serial": 1}
    assert heads.answer["problem"].startswith("Queste teste non conoscono «�»")
    assert desk.answer["problem"].startswith("Questo modello non ha mai letto «�»")


def test_names_are_always_legible():
    seen = {"a": "a", "": "(vuoto)", " ": "␣", "\n": "↵", "a b": "a b", "a\tb": "a⇥b"}
    assert [readable(name) for name in seen] == list(seen.values())
    assert writable("e\u0300") == "è"
    assert writable("\u202eabc\u200b \ud800\x07\n👩\u200d👧") == "abc ��\n👩\u200d👧"
    assert check_names([1, None], 2, "rows") == ["1", "None"]
