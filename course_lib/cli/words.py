"""Le parole che i comandi dicono a chi li usa: che cosa scrivere nel terminale, perché un file non va."""

from __future__ import annotations

import importlib.util
import os
import sys

from course_lib.project import reason

__all__ = ["command", "pip_install", "python", "reason"]


def command(*words: str) -> str:
    """Come si scrive un comando del corso, anche dove `corso` non è nel PATH: «python3 corso.py apri»."""
    start = "py corso.py" if os.name == "nt" else "python3 corso.py"
    return " ".join([start, *(f'"{word}"' if " " in word else word for word in words)])


def python(words: str) -> str:
    """Una riga di comando per il Python di questo ambiente."""
    return f"{_program()} {words}"


def pip_install(words: str) -> str:
    """Una riga di comando che installa nell'ambiente di questo Python; se l'ha fatto uv, pip non c'è."""
    if importlib.util.find_spec("pip"):
        return python(f"-m pip install {words}")
    return f"uv pip install --python {_program()} {words}"


def _program() -> str:
    return f'"{sys.executable}"' if " " in sys.executable else sys.executable
