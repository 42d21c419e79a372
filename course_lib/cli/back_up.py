"""`corso copia`: la copia di riserva di una classe, il suo controllo, il ripristino."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from course_lib.cli.grade import only_on_linux
from course_lib.cli.parser import given_path
from course_lib.cli.words import command
from course_lib.notation import number
from course_lib.project import CorsoError, project_root

MOST_SAID = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Gli argomenti di `corso copia`."""
    parser.add_argument(
        "--in", dest="folder", type=given_path, metavar="CARTELLA",
        help="dove mettere la copia; con --ripristina, una cartella nuova o vuota in cui rimetterla tutta",
    )  # fmt: skip
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--ripristina", type=Path, metavar="FILE", help="rimette una copia in registro/")
    kinds.add_argument("--verifica", type=Path, metavar="FILE", help="rilegge una copia e dice se è intera")
    parser.add_argument(
        "--scambio", type=given_path, metavar="CARTELLA", help="la cartella dello scambio di nbgrader, se c'è"
    )
    parser.add_argument(
        "--hub", action="store_true", help="prende il corso di chi insegna e lo scambio da hub.toml"
    )
    parser.add_argument(
        "--db", metavar="URL", help="il registro dei voti, se non è in registro/, come in «corso correggi»"
    )
    parser.add_argument(
        "--giorni", metavar="N",
        help="tiene l'ultima copia di ciascuno degli ultimi N giorni, e toglie le altre",
    )  # fmt: skip
    parser.add_argument("--settimane", metavar="N", help="lo stesso, per le settimane")
    parser.add_argument(
        "--sostituisci", action="store_true",
        help="con --ripristina: ciò che c'è già si mette da parte con un altro nome",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Copia, verifica o ripristina, e dice che cosa ha fatto."""
    only_on_linux("la copia di riserva")
    days, weeks = _count("--giorni", args.giorni), _count("--settimane", args.settimane)
    making = args.ripristina is None and args.verifica is None
    if not making and (days is not None or weeks is not None):
        raise CorsoError("--giorni e --settimane servono quando si fa una copia: qui toglili.")
    if args.sostituisci and args.ripristina is None:
        raise CorsoError("--sostituisci serve soltanto con --ripristina: qui toglilo.")
    if args.verifica is not None:
        if args.folder is not None or args.scambio is not None or args.db is not None or args.hub:
            raise CorsoError("con --verifica si indica soltanto il file: togli le altre opzioni.")
        return _verify(args.verifica)
    if args.ripristina is not None:
        return _restore(args)
    if args.folder is None:
        raise CorsoError(
            f"manca dove mettere la copia: scrivi «{command('copia', '--in', 'CARTELLA')}», meglio se su un "
            "altro disco."
        )
    return _make(args, days, weeks)


def _count(option: str, text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"[1-9][0-9]{0,3}", text):
        raise CorsoError(f"{option} vuole un numero da 1 a 9999: «{text}» non va.")
    return int(text)


def _course(args: argparse.Namespace) -> tuple[Path, Path | None]:
    """Il corso di cui si tratta, e lo scambio se c'è; con --hub li dice hub.toml."""
    if not args.hub:
        return project_root(), args.scambio
    from course_lib.hub.settings import read_settings

    settings = read_settings()
    return settings.cartella_docente, args.scambio or settings.scambio


def _make(args: argparse.Namespace, days: int | None, weeks: int | None) -> int:
    from course_lib.grading.backup.making import make
    from course_lib.grading.register import Register

    root, exchange = _course(args)
    made = make(root, args.folder, exchange=exchange, db=args.db, days=days, weeks=weeks)
    broken = Register(root).broken_diary()
    _say([broken] if broken else [])
    _say(made.said)
    print(f"Copia: {made.path} ({_size(made.path.stat().st_size)}), riletta e intera")
    _tell(made.index)
    if made.unfinished:
        print(
            f"Consegne in correzione mentre copiavo: {made.unfinished}. Nella copia ci sono, senza esito: "
            "dopo un ripristino «corso correggi» le corregge di nuovo."
        )
    if made.removed:
        print(f"Copie vecchie tolte: {len(made.removed)}")
    print(f"Impronta SHA-256, da conservare altrove: {made.sha256}")
    return 0


def _verify(path: Path) -> int:
    from course_lib.grading.backup import checking

    with checking.opened(path) as file:
        index = checking.check(file)
    print(f"{path} è intera.")
    _tell(index)
    return 0


def _restore(args: argparse.Namespace) -> int:
    from course_lib.grading.backup.restoring import restore

    root, exchange = _course(args)
    if args.folder is not None:
        exchange = args.scambio  # tutta la copia va in quella cartella
    done = restore(
        args.ripristina, root, into=args.folder, exchange=exchange, db=args.db, replace=args.sostituisci
    )
    _say(done.said)
    print("Copia controllata e rimessa:")
    for part, place in done.places.items():
        print(f"  {part}: {place}")
    for old in done.aside:
        print(f"Ciò che c'era è in {old}: cancellalo quando non ti serve più.")
    _tell(done.index)
    return 0


def _tell(index) -> None:
    """Di quando è la copia e che cosa contiene."""
    import datetime as dt

    from course_lib.grading.rome import rome_text

    print(f"Fatta il {rome_text(dt.datetime.fromisoformat(index.made))} (ora di Roma). Contiene:")
    for part in sorted(index.parts()):
        files = index.files(part)
        counted = "1 file" if len(files) == 1 else f"{number(len(files))} file"
        print(f"  {part}: {counted}, {_size(sum(entry.size for entry in files))}")


def _size(size: int) -> str:
    return f"{number(size / 1e6, 1)} MB"


def _say(lines: list[str]) -> None:
    for line in lines[:MOST_SAID]:
        print(f"! {line}")
    if len(lines) > MOST_SAID:
        print(f"! e altre {len(lines) - MOST_SAID} frasi come queste")
