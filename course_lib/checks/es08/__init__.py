"""es08 · Addestrare e generare: la loss, il suo gradiente, la scelta del token, la tua attenzione."""

from course_lib.checks.es08.choice import KEEP_TOP_K, KEEP_TOP_P, SAMPLE
from course_lib.checks.es08.loss import CROSS_ENTROPY, CROSS_ENTROPY_GRADIENT
from course_lib.checks.exercise import Exercise
from course_lib.checks.own_model import OWN_MODEL

EXERCISE = Exercise(
    id="es08",
    title="Addestrare e generare",
    exports=(
        "cross_entropy",
        "cross_entropy_gradient",
        "keep_top_k",
        "keep_top_p",
        "sample",
        "masked_attention",
    ),
    checks=(CROSS_ENTROPY, CROSS_ENTROPY_GRADIENT, KEEP_TOP_K, KEEP_TOP_P, SAMPLE),
    box_modules=("course_lib.notation",),
    files=(OWN_MODEL,),
    functions=("masked_attention",),
)
