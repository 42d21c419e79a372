"""Le celle di codice viste da vicino: si compilano? che cosa importano?"""

from __future__ import annotations

import ast
import warnings

from course_lib.building.source import Cell, Source


def plain_python(code: str) -> str:
    """Il codice di una cella senza le scorciatoie di IPython (%magia, !comando, nome?)."""
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager().transform_cell(code)


def expect_compiles(source: Source, cell: Cell, code: str | None = None, what: str = "il codice") -> None:
    """Solleva SourceError se il codice della cella (o quello dato in `code`) non si compila."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SyntaxWarning)
            tree = plain_python(cell.source if code is None else code)
            compile(tree, "<cella>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, SyntaxWarning, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = f" alla riga {line} della cella" if line else ""
        reason = getattr(error, "msg", None) or error
        raise source.error(cell, f"{what} non si compila{where} ({reason}).") from None


def parse(code: str) -> ast.Module:
    """L'albero sintattico di una cella che si compila già."""
    return ast.parse(plain_python(code))
