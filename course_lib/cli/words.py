"""Le parole che i comandi dicono a chi li usa: che cosa scrivere nel terminale, perché un file non va."""

from __future__ import annotations

import errno
import importlib.util
import os
import sys

REASONS = {
    errno.EACCES: "manca il permesso",
    errno.EPERM: "manca il permesso",
    errno.EROFS: "lì si può soltanto leggere",
    errno.ENOENT: "la cartella non c'è",
    errno.ENOTDIR: "una parte del percorso non è una cartella",
    errno.EISDIR: "è una cartella, non un file",
    errno.ENOSPC: "il disco è pieno",
    errno.ENAMETOOLONG: "il nome è troppo lungo",
    errno.EEXIST: "c'è già qualcosa con quel nome",
}


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


def reason(error: OSError) -> str:
    """Perché un'operazione su un file non è riuscita, in italiano; se non si sa, il numero dell'errore."""
    return REASONS.get(error.errno, f"il sistema dà l'errore {error.errno}")
