"""Il testo di un esercizio come l'ha avuto la classe, qualunque cosa chi insegna abbia scritto in exercises/.

Lo fa nbgrader dalle soluzioni, che alla correzione servono comunque; si tiene in registro/testi/, per non
rifarlo a ogni consegna.
"""

from __future__ import annotations

from functools import cache

from course_lib.building.exercises import build_release
from course_lib.building.stamps import builder_digest, digest
from course_lib.grading.register import Register, write_atomically


def class_text(register: Register, exercise: str) -> bytes:
    """I byte del notebook distribuito. Solleva CorsoError se mancano le soluzioni."""
    solution = register.solution(exercise).read_bytes()
    mark = digest(solution, _builder().encode())[:16]
    kept = register.folder / "testi" / f"{exercise}-{mark}.ipynb"
    if not kept.is_file():
        write_atomically(kept, build_release(exercise, solution.decode("utf-8")).encode("utf-8"))
    return kept.read_bytes()


@cache
def _builder() -> str:
    return builder_digest()
