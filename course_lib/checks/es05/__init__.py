"""es05 · La posizione: frequenze, codifica, «regola» a ogni posto, somma in blocco, rotazione."""

from course_lib.checks.es05.adding import ADD_POSITIONS, FINAL_VECTOR
from course_lib.checks.es05.encoding import FREQUENCIES, POSITIONAL_ENCODING
from course_lib.checks.es05.rotation import ROTATION
from course_lib.checks.exercise import Exercise

EXERCISE = Exercise(
    id="es05",
    title="La posizione",
    exports=("frequencies", "positional_encoding", "final_vector", "add_positions", "rotation"),
    checks=(FREQUENCIES, POSITIONAL_ENCODING, FINAL_VECTOR, ADD_POSITIONS, ROTATION),
    box_modules=("course_lib.notation", "course_lib.figures.picture", "course_lib.figures.clocks"),
)
