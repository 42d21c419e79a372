"""es06 · Le teste: dividere, riunire, una maschera per tutte, multi-testa, attenzione incrociata."""

from course_lib.checks.es06.attention import CROSS_ATTENTION, MULTI_HEAD
from course_lib.checks.es06.axes import MASKS_FOR_HEADS, MERGE_HEADS, SPLIT_HEADS
from course_lib.checks.exercise import Exercise

EXERCISE = Exercise(
    id="es06",
    title="Le teste",
    exports=("split_heads", "merge_heads", "masks_for_heads", "multi_head", "cross_attention"),
    checks=(SPLIT_HEADS, MERGE_HEADS, MASKS_FOR_HEADS, MULTI_HEAD, CROSS_ATTENTION),
    box_modules=("course_lib.notation", "course_lib.figures.picture", "course_lib.figures.attention"),
)
