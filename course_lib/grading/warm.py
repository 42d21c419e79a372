"""Box tenuti pronti fra una consegna e l'altra: avviare Python, NumPy e matplotlib costa più che correggere.

Sono due, e non si scambiano mai: in uno passano le celle con le uscite e le prove visibili, nell'altro solo
le prove nascoste, di cui nessuno vede un'uscita. Così un ingresso nascosto non può lasciare traccia dove la
consegna di un altro la leggerebbe e la mostrerebbe. Il capostipite non esegue mai codice di allievi; fra una
passata e l'altra uccide ogni processo e ripulisce le cartelle. Dopo una consegna che non fila liscia si
ricomincia con box nuovi.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from course_lib.grading.box import Box

MOST_USES = 100

_ready: dict[tuple, tuple[Box, int]] | None = None  # None: non si tiene nulla (formgrader)


def keep() -> None:
    """Da ora questo processo tiene pronti i suoi box; muoiono con lui."""
    global _ready
    _ready = {}


@contextlib.contextmanager
def boxes(visible: tuple, hidden: tuple) -> Iterator[tuple[Box, Box]]:
    """Un box per ciò che si vede e uno per le prove nascoste; senza `keep` uno solo, nuovo, per tutt'e due.

    visible, hidden: gli argomenti di Box. Un box chiuso prima dell'uscita non si riusa.
    """
    if _ready is None:
        with Box(*visible) as box:
            yield box, box
        return
    keys = ("visibile", *visible), ("nascosto", *hidden)
    with contextlib.ExitStack() as closing:
        taken = [_take(key, closing) for key in keys]
        (box, _), (other, _) = taken
        box.ends_at = other.ends_at = time.monotonic() + box.limits.notebook_seconds
        yield box, other
        for used, _ in taken:
            used.end()
        closing.pop_all()  # è andata bene: non si chiudono
        for key, (used, times) in zip(keys, taken, strict=True):
            if used.process is None or times >= MOST_USES:
                used.__exit__(None, None, None)
            else:
                _ready[key] = used, times


def _take(key: tuple, closing: contextlib.ExitStack) -> tuple[Box, int]:
    """Il box pronto, o uno nuovo, e la quantesima consegna è questa; se la consegna solleva, si chiude."""
    box, times = _ready.pop(key, (None, 0))
    if box is None:
        box = Box(*key[1:])
        box.__enter__()
    closing.push(box.__exit__)
    return box, times + 1
