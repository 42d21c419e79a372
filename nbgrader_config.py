"""Configurazione di nbgrader: la leggono formgrader e i comandi `nbgrader …` lanciati da questa cartella."""

from pathlib import Path

from course_lib.building.nbgrader_settings import REGISTER, own_programs_first
from course_lib.grading.settings import grading_settings

root = Path(__file__).resolve().parent
(root / REGISTER).mkdir(exist_ok=True)  # senza la cartella, il registro dei voti non si apre
own_programs_first()

c = get_config()  # noqa: F821 (lo offre nbgrader)
c.merge(grading_settings(root))
