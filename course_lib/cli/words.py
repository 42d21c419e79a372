"""Le parole che i comandi dicono a chi li usa: che cosa scrivere nel terminale, perché un file non va."""

from __future__ import annotations

import os

from course_lib.project import pip_install, python, reason

__all__ = ["command", "pip_install", "python", "reason", "trouble"]


def command(*words: str) -> str:
    """Come si scrive un comando del corso, anche dove `corso` non è nel PATH: «python3 corso.py apri»."""
    start = "py corso.py" if os.name == "nt" else "python3 corso.py"
    return " ".join([start, *(f'"{word}"' if " " in word else word for word in words)])


def trouble(error: OSError) -> str:
    """Un file che il sistema non lascia leggere o scrivere: quale, perché, che cosa fare."""
    if error.filename is None:
        return (
            f"il sistema ha rifiutato un'operazione ({reason(error)}): controlla che ci siano memoria e "
            "spazio sul disco, e ripeti il comando."
        )
    name = "".join(letter for letter in os.fsdecode(error.filename) if letter.isprintable())
    return (
        f"non posso leggere o scrivere {name} ({reason(error)}): controlla che esista, che tu ne abbia il "
        "permesso e che il disco non sia pieno, e ripeti il comando."
    )
