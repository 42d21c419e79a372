"""I controlli degli esercizi: `verifica` riconosce gli errori tipici e non dice mai la soluzione."""

from course_lib.checks.errors import ErroreEsercizio, VerificaFallita
from course_lib.checks.exercise import Check, Exercise, Property, Slip
from course_lib.checks.in_model import verifica_modello
from course_lib.checks.registry import exercise
from course_lib.checks.run import verifica

__all__ = [
    "Check",
    "ErroreEsercizio",
    "Exercise",
    "Property",
    "Slip",
    "VerificaFallita",
    "exercise",
    "verifica",
    "verifica_modello",
]
