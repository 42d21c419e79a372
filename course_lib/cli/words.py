"""Le parole che i comandi dicono a chi li usa: che cosa scrivere nel terminale, perché un file non va."""

from __future__ import annotations

import os

from course_lib.project import pip_install, python, reason

__all__ = ["command", "pip_install", "python", "reason"]


def command(*words: str) -> str:
    """Come si scrive un comando del corso, anche dove `corso` non è nel PATH: «python3 corso.py apri»."""
    start = "py corso.py" if os.name == "nt" else "python3 corso.py"
    return " ".join([start, *(f'"{word}"' if " " in word else word for word in words)])
