"""Dove si trova il corso e come si dice a una persona che qualcosa non va."""

from __future__ import annotations

import errno
import importlib.metadata
import sys
from pathlib import Path

REASONS = {
    errno.EACCES: "manca il permesso",
    errno.EPERM: "manca il permesso",
    errno.EROFS: "lì si può soltanto leggere",
    errno.ENOENT: "la cartella non c'è",
    errno.ENOTDIR: "una parte del percorso non è una cartella",
    errno.EISDIR: "è una cartella, non un file",
    getattr(errno, "EDQUOT", errno.ENOSPC): "il tuo spazio sul disco è finito",
    errno.ENOSPC: "il disco è pieno",
    errno.ENAMETOOLONG: "il nome è troppo lungo",
    errno.EEXIST: "c'è già qualcosa con quel nome",
}


class CorsoError(Exception):
    """Un errore da mostrare così com'è: una frase in italiano con il rimedio.

    Il comando `corso` la stampa senza traceback ed esce con stato 1.
    """


def project_root(start: Path | None = None) -> Path:
    """Cartella del corso: quella che contiene `corso.py` e `course_lib`.

    start: cartella da cui risalire; se manca, si usa quella che contiene il pacchetto.
    Solleva CorsoError se, risalendo, il corso non si trova.
    """
    first = Path(__file__).resolve().parent if start is None else Path(start).resolve()
    for folder in (first, *first.parents):
        if (folder / "corso.py").is_file() and (folder / "course_lib").is_dir():
            return folder
    raise CorsoError(
        f"Da {first} non trovo la cartella del corso (quella con corso.py): "
        "entra nella cartella del corso e riprova."
    )


def reason(error: OSError) -> str:
    """Perché un'operazione su un file non è riuscita, in italiano; se non si sa, il numero dell'errore."""
    return REASONS.get(error.errno, f"il sistema dà l'errore {error.errno}")


def python(words: str) -> str:
    """Una riga di comando per il Python di questo ambiente."""
    return f"{_program()} {words}"


def pip_install(words: str) -> str:
    """Una riga di comando che installa nell'ambiente di questo Python; se l'ha fatto uv, pip non c'è."""
    # cercare il modulo pip, anche senza importarlo, impedirebbe poi a setuptools (e a nbgrader) di partire
    if any(importlib.metadata.distributions(name="pip")):
        return python(f"-m pip install {words}")
    return f"uv pip install --python {_program()} {words}"


def _program() -> str:
    return f'"{sys.executable}"' if " " in sys.executable else sys.executable
