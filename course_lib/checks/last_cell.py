"""La cella eseguita prima della prova: se non era Python corretto, restano le funzioni di prima."""

from __future__ import annotations

import sys
import warnings
from ast import PyCF_ALLOW_TOP_LEVEL_AWAIT as TOP_LEVEL_AWAIT


def last_cell_is_broken() -> bool:
    """True se, in Jupyter, la cella eseguita prima di questa non era Python corretto."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    cells = shell.user_ns.get("In") if shell is not None else None
    if type(cells) is not list or len(cells) < 2 or type(cells[-2]) is not str:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(cells[-2], "<cella>", "exec", flags=TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError):
        return True
    return False
