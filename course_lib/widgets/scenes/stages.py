"""I widget delle scene, ciascuno aperto in un certo modo; più scene usano lo stesso."""

from __future__ import annotations

from course_lib.widgets.block_path import BlockPath
from course_lib.widgets.frame import CourseWidget, detached
from course_lib.widgets.generation import GenerationDesk
from course_lib.widgets.heads import HeadAtlas
from course_lib.widgets.lens import CellLens
from course_lib.widgets.live_training import LiveTraining
from course_lib.widgets.masks import MaskBoard
from course_lib.widgets.position import PositionClock
from course_lib.widgets.scaling import RootOfD
from course_lib.widgets.simulator import Simulator
from course_lib.widgets.temperature import SoftmaxTemperature


def replay():
    """L'addestramento già fatto, dall'inizio alla fine."""
    made = LiveTraining(predict=False)
    made.state = made.presets[0]["state"]
    made.options = {**made.options, "id": "regia"}         # di norma è a caso, e la pagina cambierebbe
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
}


def opened(stage: str) -> CourseWidget:
    """Il widget di quel nome, appena aperto: calcola, e lo mostra la Regia."""
    with detached():
        return STAGES[stage]()
