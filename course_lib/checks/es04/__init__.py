"""es04 · La maschera: causale, di riempimento, insieme; softmax e attenzione con maschera, in blocco."""

from course_lib.checks.es04.attention import MASKED_ATTENTION
from course_lib.checks.es04.masks import CAUSAL_MASK, COMBINE_MASKS, PADDING_MASK
from course_lib.checks.es04.softmax import MASKED_SOFTMAX
from course_lib.checks.exercise import Exercise

EXERCISE = Exercise(
    id="es04",
    title="La maschera",
    exports=("causal_mask", "padding_mask", "combine_masks", "masked_softmax", "masked_attention"),
    checks=(CAUSAL_MASK, PADDING_MASK, COMBINE_MASKS, MASKED_SOFTMAX, MASKED_ATTENTION),
    box_modules=("course_lib.notation", "course_lib.figures.picture", "course_lib.figures.attention"),
)
