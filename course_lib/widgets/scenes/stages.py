"""I widget delle scene, ciascuno aperto in un certo modo; più scene usano lo stesso."""

from __future__ import annotations

import numpy as np

from course_lib.transformer import examples
from course_lib.transformer.masks import causal_mask
from course_lib.widgets.block_path import BlockPath
from course_lib.widgets.frame import CourseWidget, detached
from course_lib.widgets.generation import GenerationDesk
from course_lib.widgets.heads import HeadAtlas
from course_lib.widgets.lens import CellLens
from course_lib.widgets.live_training import LiveTraining, stored
from course_lib.widgets.masks import MaskBoard
from course_lib.widgets.position import PositionClock
from course_lib.widgets.scaling import RootOfD
from course_lib.widgets.simulator import Simulator
from course_lib.widgets.state import scaling
from course_lib.widgets.state import temperature as temperatures
from course_lib.widgets.state.heads_model import answer, load
from course_lib.widgets.temperature import SoftmaxTemperature

START = "la chiave accanto ai libri era"


def replay():
    """L'addestramento già fatto, dall'inizio alla fine."""
    made = newborn()
    made.state = stored()
    return made


def words(*sentences):
    """Una frase, o due a fianco, con i suoi token e gli embedding; gli altri esempi non servono."""
    return alone(Simulator(*sentences, phases=(1, 2), phase=1, predict=False))


def alone(made):
    """Il Simulatore con il solo esempio con cui si apre."""
    made.presets, made.options = [made.presets[made.options["example"]]], {**made.options, "example": 0}
    return made


def four():
    """La softmax dei punteggi di «era» quando le candidate sono quattro: c'è anche «accanto»."""
    found = examples.with_fourth_candidate()
    return SoftmaxTemperature(found.scores[2].tolist(), found.tokens, predict=False)


def other_value():
    """La Lente di chiave/libri/era, dove il value di «chiave» è (0; 1) e non (1; 0)."""
    found = examples.chiave_libri_era()
    values = np.array(found.v)
    values[0] = [0.0, 1.0]
    return CellLens(found.q, found.k, values, found.tokens, at=(2, 0), predict=False)


def shifted():
    """La softmax di 2; 0; 1 con 1000 aggiunto a tutti."""
    made = SoftmaxTemperature(predict=False)
    made.state = next(one["state"] for one in made.presets if one["state"]["shift"] == 1000.0)
    return made


def heated(temperature):
    """La softmax di 2; 0; 1 a quella temperatura, con ogni tacca del cursore già calcolata."""
    return at_every_temperature(SoftmaxTemperature(temperature=temperature, predict=False))


def at_every_temperature(made):
    """La stessa softmax, con ogni tacca del cursore della temperatura già calcolata."""
    logits, names = made.state["logits"], made.state["names"]
    ready = {one["state"]["temperature"] for one in made.presets if one["state"]["logits"] == logits}
    more = [tenths / 10 for tenths in range(1, 51) if tenths / 10 not in ready]
    made.presets = [*made.presets, *(_unnamed(temperatures.state(logits, t, 0.0, names)) for t in more)]
    return made


def sized(d):
    """Perché √d con quel d, e con ogni altro d del cursore già calcolato."""
    return at_every_d(RootOfD(d, predict=False))


def at_every_d(made):
    """Lo stesso Perché √d, con ogni altro d del cursore già calcolato."""
    ready = {one["state"]["d"] for one in made.presets}
    more = [other for other in scaling.DIMENSIONS if other not in ready]
    made.presets = [*made.presets, *(_unnamed(scaling.state(other)) for other in more)]
    return made


def _unnamed(state):
    return {"name": "", "note": "", "state": state}


def masks(preset):
    """Le Maschere di «hello», aperte su quella."""
    return MaskBoard(preset=preset, predict=False)


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
    made.options = {**made.options, "id": "regia"}         # di norma è a caso, e la pagina cambierebbe
    return made


STAGES = {
    "simulator": lambda: Simulator(predict=False),
    "lens": lambda: CellLens(predict=False),
    "masks": lambda: MaskBoard(predict=False),
    "heads": lambda: HeadAtlas(predict=False),
    "position": lambda: PositionClock(predict=False),
    "path": lambda: BlockPath(predict=False),
    "training": replay,
    "sentence": lambda: words("La chiave accanto ai libri era"),
    "two_sentences": lambda: words("La chiave accanto ai libri era", "Il gatto accanto ai libri era"),
    "turned": lambda: alone(Simulator(experiment="regola e chiara", phases=(1, 2), phase=1, predict=False)),
    "four": four,
    "lens_other_value": other_value,
    "temperature_low": lambda: heated(0.5),
    "temperature_high": lambda: heated(5.0),
    "temperature_shifted": shifted,
    "temperature_big": lambda: SoftmaxTemperature([1000.0, 1001.0, 1002.0], predict=False),
    "scaling_some": lambda: sized(64),
    "scaling_most": lambda: sized(512),
    "masks_none": lambda: masks("Nessuna"),
    "masks_padding": lambda: masks("Riempimento"),
    "masks_window": lambda: masks("Finestra causale"),
    "masks_two": lambda: masks("2 query, 5 key"),
    "masks_before": lambda: masks("Senza diagonale"),
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
    """Il widget di quel nome, appena aperto: calcola, e lo mostra la Regia."""
    with detached():
        return STAGES[stage]()
