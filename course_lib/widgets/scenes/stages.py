"""I widget delle scene, ciascuno aperto in un certo modo; più scene usano lo stesso."""

from __future__ import annotations

import numpy as np

from course_lib.transformer.masks import causal_mask
from course_lib.widgets.block_path import BlockPath
from course_lib.widgets.frame import CourseWidget
from course_lib.widgets.generation import GenerationDesk
from course_lib.widgets.heads import HeadAtlas
from course_lib.widgets.lens import CellLens
from course_lib.widgets.live_training import LiveTraining
from course_lib.widgets.masks import MaskBoard
from course_lib.widgets.position import PositionClock
from course_lib.widgets.scaling import RootOfD
from course_lib.widgets.simulator import Simulator
from course_lib.widgets.state.heads_model import answer, load
from course_lib.widgets.temperature import SoftmaxTemperature

START = "la chiave accanto ai libri era"


def replay():
    """L'addestramento già fatto, dall'inizio alla fine."""
    made = LiveTraining(predict=False)
    made.state = made.presets[0]["state"]
    return made


def experiment(number, **choices):
    """Un esperimento del documento S2 al tavolo, con la prima frase e questo come esempi."""
    made = Simulator(experiment=number, phase=4, predict=False, **choices)
    made.presets = [made.presets[0], made.presets[number]]
    made.options = {**made.options, "example": 1}
    return made


def links():
    """Le due teste del primo strato addestrato, fino a «libri», senza la risposta: i legami stanno più su."""
    words = START.split()[:-1]
    _, weights = answer(load(), np.array(load().grammar.tokenizer.encode(" ".join(words))))
    return HeadAtlas(weights=weights[:1], tokens=words, mask=causal_mask(len(words)), predict=False)


def two_heads():
    """La frase in cui due teste fanno lo stesso lavoro."""
    made = HeadAtlas("i coltelli vicino alle lettere erano", predict=False)
    made.presets = made.presets[:2]
    return made


def writing(steps, **choices):
    """La generazione dopo tanti passi, senza gli esempi già calcolati: le scene ne hanno uno ciascuna."""
    made = GenerationDesk(predict=False, **choices)
    made.presets = []
    for _ in range(steps - 1):
        made.state = made.answer_to({"do": "step"})
    return made


def fork():
    """Greedy, ma al primo passo il secondo candidato, messo a mano; poi altri quattro passi."""
    made = writing(1, temperature=0)
    second = made.state["moments"][0]["candidates"][1]
    made.state = made.answer_to({"do": "force", "at": 0, "token": second["token"]})
    for _ in range(4):
        made.state = made.answer_to({"do": "step"})
    return made


def closing():
    """La frase del corso, continuata dal modello addestrato sulla concordanza."""
    return writing(1, model=load().model, tokenizer=load().grammar.tokenizer, prompt=START)


def newborn():
    """L'addestramento prima del primo passo."""
    made = LiveTraining(predict=False)
    made.presets = []
    return made


STAGES = {
    "simulator": lambda: Simulator(predict=False),
    "lens": lambda: CellLens(predict=False),
    "temperature": lambda: SoftmaxTemperature(predict=False),
    "scaling": lambda: RootOfD(predict=False),
    "masks": lambda: MaskBoard(predict=False),
    "heads": lambda: HeadAtlas(predict=False),
    "position": lambda: PositionClock(predict=False),
    "path": lambda: BlockPath(predict=False),
    "generation": lambda: GenerationDesk(predict=False),
    "training": replay,
    "context": lambda: experiment(1),
    "ambiguity": lambda: experiment(2),
    "order": lambda: experiment(3, positions=True),
    "dimensions": lambda: experiment(4),
    "own_sentences": lambda: experiment(5),
    "links": links,
    "two_heads": two_heads,
    "newborn": newborn,
    "writing_greedy": lambda: writing(6, temperature=0),
    "writing_drawn": lambda: writing(5),
    "writing_cold": lambda: writing(5, temperature=0.5),
    "writing_top_k": lambda: writing(5, top_k=3),
    "writing_top_p": lambda: writing(5, top_p=0.8),
    "writing_fork": fork,
    "closing": closing,
}


def opened(stage: str) -> CourseWidget:
    """Il widget di quel nome, appena aperto."""
    return STAGES[stage]()
