"""es07 · Il blocco: LayerNorm, rete feed-forward, blocco pre-norm, le maschere delle tre famiglie."""

from course_lib.checks.es07.block import BLOCK
from course_lib.checks.es07.families import FAMILY_MASKS
from course_lib.checks.es07.layers import FEED_FORWARD, LAYER_NORM
from course_lib.checks.exercise import Exercise

EXERCISE = Exercise(
    id="es07",
    title="Il blocco e le famiglie",
    exports=("layer_norm", "feed_forward", "block", "family_masks"),
    checks=(LAYER_NORM, FEED_FORWARD, BLOCK, FAMILY_MASKS),
    box_modules=("course_lib.notation", "course_lib.figures.picture", "course_lib.figures.depth"),
)
