"""es02 · L'attenzione di un token, in NumPy: proiezione, punteggi, softmax, combinazione, tutto insieme."""

from course_lib.checks.es02.attend import ATTEND
from course_lib.checks.es02.combine import COMBINE
from course_lib.checks.es02.project import PROJECT
from course_lib.checks.es02.scaled_scores import SCALED_SCORES
from course_lib.checks.es02.softmax_row import SOFTMAX_ROW
from course_lib.checks.exercise import Exercise

EXERCISE = Exercise(
    id="es02",
    title="L'attenzione di un token",
    exports=("project", "scaled_scores", "softmax_row", "combine", "attend"),
    checks=(PROJECT, SCALED_SCORES, SOFTMAX_ROW, COMBINE, ATTEND),
    box_modules=("course_lib.notation", "course_lib.figures.picture", "course_lib.figures.attention"),
)
