"""Configurazione di nbgrader: la leggono formgrader e i comandi `nbgrader …` lanciati da questa cartella."""

from pathlib import Path

from course_lib.building.nbgrader_settings import REGISTER, nbgrader_settings, own_programs_first

root = Path(__file__).resolve().parent
(root / REGISTER).mkdir(exist_ok=True)  # senza la cartella, il registro dei voti non si apre
own_programs_first()

c = get_config()  # noqa: F821 (lo offre nbgrader)
c.merge(nbgrader_settings(root))
