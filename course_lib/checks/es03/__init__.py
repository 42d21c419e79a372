"""es03 · La formula in blocco, in NumPy: softmax stabile, temperatura, punteggi, attenzione con più frasi."""

from course_lib.checks.es03.attention import ATTENTION
from course_lib.checks.es03.block_scores import BLOCK_SCORES
from course_lib.checks.es03.softmax import SOFTMAX
from course_lib.checks.es03.temperature import AT_TEMPERATURE
from course_lib.checks.exercise import Exercise

EXERCISE = Exercise(
    id="es03",
    title="La formula in blocco",
    exports=("softmax", "at_temperature", "block_scores", "attention"),
    checks=(SOFTMAX, AT_TEMPERATURE, BLOCK_SCORES, ATTENTION),
    box_modules=("course_lib.notation", "course_lib.figures.picture", "course_lib.figures.attention"),
)
