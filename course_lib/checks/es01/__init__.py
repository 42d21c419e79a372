"""es01 · Dal testo ai vettori: token, vocabolario, ID, un'unione della BPE, l'embedding del simulatore."""

from course_lib.checks.es01.embedding import EMBEDDING
from course_lib.checks.es01.encode import ENCODE
from course_lib.checks.es01.merges import MERGE_PAIR, MOST_FREQUENT_PAIR
from course_lib.checks.es01.tokenise import TOKENISE
from course_lib.checks.es01.vocabulary import VOCABULARY
from course_lib.checks.exercise import Exercise

EXERCISE = Exercise(
    id="es01",
    title="Dal testo ai vettori",
    exports=("tokenise", "vocabulary", "encode", "most_frequent_pair", "merge_pair", "embedding"),
    checks=(TOKENISE, VOCABULARY, ENCODE, MOST_FREQUENT_PAIR, MERGE_PAIR, EMBEDDING),
    box_modules=("course_lib.notation", "course_lib.figures.picture", "course_lib.figures.text"),
)
