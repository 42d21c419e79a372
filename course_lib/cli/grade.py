"""`corso correggi`: raccoglie le consegne di una cartella, le corregge e scrive voti e feedback."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from course_lib.cli.targets import exercise_name
from course_lib.project import CorsoError, project_root

BAR = "{desc}: {percentage:3.0f}% |{bar}| {n_fmt} di {total_fmt} consegne, ancora {remaining}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Gli argomenti di `corso correggi`."""
    parser.add_argument("esercizio", help="per esempio es02")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument(
        "--da", metavar="CARTELLA", help="dove sono gli zip, i notebook, gli scarichi di Moodle o Classroom"
    )
    where.add_argument(
        "--scambio", action="store_true",
        help="le consegne arrivate su JupyterHub; il feedback torna da lì a ciascuno",
    )  # fmt: skip
    parser.add_argument(
        "--scadenza", metavar="QUANDO",
        help="ora di Roma, per esempio «20/11/2026 23:59», o un file con una riga per esercizio",
    )  # fmt: skip
    parser.add_argument(
        "--lavoratori", metavar="N", help="quante consegne insieme; se manca, una per core"
    )
    parser.add_argument(
        "--db", metavar="URL",
        help="registro dei voti altrove, per esempio postgresql://utente@macchina/voti; la password può "
        "stare in ~/.pgpass; per formgrader va scritto anche in nbgrader_config.py",
    )  # fmt: skip
    parser.add_argument(
        "--da-capo", action="store_true", help="corregge di nuovo anche ciò che è già corretto"
    )
    parser.add_argument(
        "--csv-excel", action="store_true", help="CSV con il BOM, per Excel; senza, UTF-8 semplice"
    )
    parser.add_argument(
        "--senza-isolamento", action="store_true", help="senza bubblewrap: solo per consegne fidate"
    )
    parser.add_argument(
        "--accetta-sospetti", action="store_true", help="valuta anche le consegne sospette, già lette a mano"
    )


def only_on_linux(what: str = "la correzione") -> None:
    """Solleva CorsoError dove la correzione non può girare, prima che la si importi.

    what: che cosa si è chiesto, con l'articolo
    """
    if importlib.util.find_spec("fcntl") is None:
        raise CorsoError(
            f"{what} funziona soltanto su Linux, e questo sistema non lo è: usa un computer, o una "
            "macchina virtuale, con Linux. Il resto del corso funziona anche qui."
        )


def run(args: argparse.Namespace) -> int:
    """Corregge, stampa la tabella, dice dove sono CSV e feedback."""
    only_on_linux()
    exercise, root = exercise_name(args.esercizio), project_root()
    from course_lib.building.nbgrader_settings import FEEDBACK
    from course_lib.grading.class_report import write_class_report
    from course_lib.grading.pipeline import Stopped, class_outcomes, grade_class
    from course_lib.grading.register import Register
    from course_lib.grading.report import count, one_line, others_than, table, write_csv
    from course_lib.grading.workers import MOST

    if args.lavoratori is not None and args.lavoratori not in map(str, range(1, MOST + 1)):
        raise CorsoError(f"--lavoratori vuole un numero da 1 a {MOST}: «{args.lavoratori}» non va.")
    source = _source(args)
    workers = int(args.lavoratori) if args.lavoratori else None
    register = Register(root)
    broken = register.broken_diary()  # prima di aggiungervi altre righe
    if broken:
        print(f"! ATTENZIONE: {broken}")
    try:
        with progress_bar() as progress:
            report = grade_class(
                root, exercise, source, isolated=not args.senza_isolamento, db=args.db,
                accept_suspect=args.accetta_sospetti, workers=workers, deadline=args.scadenza,
                again=args.da_capo, progress=progress,
            )  # fmt: skip
    except Stopped as stopped:
        print(f"corso correggi: {stopped}", file=sys.stderr)
        return 130
    if args.senza_isolamento:
        print("ATTENZIONE: corretto senza isolamento: il codice poteva leggere e cambiare ogni tuo file.")
    for line in report.skipped:
        print(f"! {one_line(line)}")
    if not report.outcomes:
        print(f"In {args.da or 'questo scambio'} non c'è nessuna consegna di {exercise}.")
        return 1
    print(f"{table(report)}\n\n{count(report)}.")
    outcomes = class_outcomes(register, exercise)
    others = others_than(report, outcomes)
    if others:
        print(others)
    if report.already:
        print(f"Già corrette prima e rimaste com'erano: {report.already} (--da-capo le corregge di nuovo).")
    path = register.folder / f"{exercise}.csv"
    write_csv(exercise, outcomes, path, excel=args.csv_excel)
    page = write_class_report(register, exercise)
    print(f"\nVoti: {path}\nLa classe: {page}\nFeedback: {root / FEEDBACK}")
    if args.scambio:
        pages = source.publish(register, exercise, [outcome.student for outcome in report.outcomes])
        print(f"Pagine di feedback pubblicate nello scambio: {pages}")
    print(f"Ultima impronta del diario, da conservare altrove: {register.last_link()}")
    return 0


def _source(args: argparse.Namespace):
    """Da dove vengono le consegne: una cartella, o lo scambio che hub.toml indica."""
    if args.scambio:
        from course_lib.grading.exchange import Exchange
        from course_lib.hub.settings import read_settings

        settings = read_settings()
        return Exchange(settings.scambio / settings.corso)
    if not args.da.strip():
        raise CorsoError("--da è vuoto: indica la cartella che contiene le consegne, e nient'altro.")
    return Path(args.da)


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None]]:
    """Una barra con il tempo che manca, soltanto su un terminale; si usa come progress(fatte, tutte)."""
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # niente thread: i lavoratori nascono da questo processo
    bar: tqdm | None = None

    def show(done: int, total: int) -> None:
        nonlocal bar
        if bar is None:
            bar = tqdm(
                total=total, initial=done, desc="Correzione", bar_format=BAR, leave=False, disable=None
            )
        bar.update(done - bar.n)

    try:
        yield show
    finally:
        if bar is not None:
            bar.close()
