"""Il sito nuovo al posto di quello di prima: si toglie ciò che si era scritto, il resto non si tocca.

Chi pubblica con git tiene nella stessa cartella .git, CNAME, .nojekyll, magari una pagina sua. Per questo un
sito porta l'elenco dei suoi file: il prossimo sostituisce quelli, uno per uno, e nessun altro.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from course_lib.project import CorsoError

LIST = "elenco-dei-file.txt"
HEAD = "# I file scritti da «corso sito»: il prossimo sito li sostituisce, e lascia gli altri."
# ciò che serve a pubblicare: un sito può nascere accanto
BESIDE = {".git", ".gitattributes", ".github", ".gitignore", ".htaccess", ".nojekyll", "CNAME", "LICENSE",
          "README.md"}  # fmt: skip


def expect_ours(target: Path) -> None:
    """Solleva CorsoError se `target` non è un sito con il suo elenco, né un posto dove farne uno."""
    if not target.exists():
        return
    if not target.is_dir():
        raise CorsoError(f"{target} non è una cartella: scegli con --in una cartella nuova o vuota.")
    others = sorted(path.name for path in target.iterdir() if path.name not in BESIDE)
    if others and listed(target) is None:
        raise CorsoError(
            f"{target} contiene «{others[0]}» e non ha l'elenco dei file di un sito ({LIST}): scegli con "
            "--in una cartella nuova o vuota; se è un sito di una versione di prima, metti in salvo ciò che "
            "è tuo, svuotala e ripeti."
        )


def listed(site: Path) -> set[str] | None:
    """I nomi nell'elenco di un sito; None se l'elenco non c'è, o non è il nostro."""
    path = site / LIST
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []
    return set(lines[1:]) if lines[:1] == [HEAD] else None


def write_list(site: Path) -> None:
    """Scrive in un sito appena fatto l'elenco dei suoi file, compreso sé stesso."""
    lines = [HEAD, *sorted([*files_in(site), LIST])]
    (site / LIST).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def files_in(folder: Path) -> list[str]:
    """I nomi di tutti i file sotto `folder`, in ordine; un collegamento è un file, e non si segue."""
    found = []
    for here, folders, files in os.walk(folder):
        links = [name for name in folders if Path(here, name).is_symlink()]
        found += [Path(here, name).relative_to(folder).as_posix() for name in [*files, *links]]
    return sorted(found)


def put_in_place(made: Path, target: Path, before: Path) -> None:
    """Sposta in `before` i file del sito di prima, e al loro posto quelli di `made`: tutti, o nessuno.

    Solleva CorsoError se dove va un file del sito ce n'è uno d'altri.
    """
    ours = listed(target) or set()
    old, new = [name for name in files_in(target) if name in ours], files_in(made)
    is_new = not target.exists()
    target.mkdir(exist_ok=True)
    moved: list[tuple[Path, Path]] = []
    try:
        for source, place in [*_pairs(old, target, before), *_pairs(new, made, target)]:
            expect_free(place, target)
            place.parent.mkdir(parents=True, exist_ok=True)
            moved.append((source, place))
            source.rename(place)
    except BaseException:
        for source, place in reversed(moved):
            if os.path.lexists(place) and not os.path.lexists(source):
                place.rename(source)
        _drop_empty(new, target)
        if is_new:
            target.rmdir()
        raise
    _drop_empty(old, target)


def _pairs(names: Iterable[str], source: Path, place: Path) -> list[tuple[Path, Path]]:
    return [(source / name, place / name) for name in names]


def expect_free(place: Path, target: Path) -> None:
    """Solleva CorsoError se in `target`, dove va un file del sito o una sua cartella, c'è altro."""
    for above in place.parents:
        if above.is_relative_to(target) and above != target and (above.is_symlink() or above.is_file()):
            raise _occupied(above)
    if os.path.lexists(place):
        raise _occupied(place)


def _occupied(path: Path) -> CorsoError:
    return CorsoError(
        f"{path} non l'ha scritto «corso sito», e lì va una parte del sito: dagli un altro nome, o spostalo, "
        "e ripeti."
    )


def _drop_empty(names: Iterable[str], target: Path) -> None:
    """Toglie le cartelle di questi file che sono rimaste vuote, dalla più profonda."""
    folders = {above for name in names for above in (target / name).parents if above != target}
    for folder in sorted(folders, key=lambda path: len(path.parts), reverse=True):
        if folder.is_relative_to(target) and not folder.is_symlink():
            with contextlib.suppress(OSError):
                folder.rmdir()
