"""I canali fra il server di una persona e i suoi kernel: file in casa sua, non porte della macchina.

Con le porte, una classe che apre un notebook nello stesso istante perde qualche kernel: ogni server ne
sceglie di libere per conto suo, e due scelgono la stessa. Un file in una casa chiusa non lo apre nessuno.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = ".corso"  # nella casa: corta, perché il percorso di un canale ha un massimo
LONGEST = 107  # byte del percorso di un socket Unix, su Linux
LONGEST_NAME = len("kernel--ipc-99") + 36  # con il numero d'ordine del kernel


def prepare_channels(home: Path) -> Path | None:
    """La cartella dei canali, senza quelli rimasti; None se lì non possono stare: allora si usano le porte.

    home: la casa di questa persona, il cui server non è ancora acceso
    """
    folder = home / FOLDER
    if len(str(folder).encode()) + 1 + LONGEST_NAME > LONGEST:
        return None
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.chmod(0o700)
        for left in folder.glob("kernel-*"):
            left.unlink()
    except OSError:
        return None
    return folder
