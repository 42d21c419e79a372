"""`corso correggi`: raccoglie le consegne di una cartella, le corregge e scrive voti e feedback."""

from __future__ import annotations

import argparse
from pathlib import Path

from course_lib.cli.targets import exercise_name
from course_lib.project import project_root


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Gli argomenti di `corso correggi`."""
    parser.add_argument("esercizio", help="per esempio es02")
    parser.add_argument(
        "--da", required=True, type=Path, metavar="CARTELLA", help="dove sono gli zip e i notebook"
    )
    parser.add_argument(
        "--senza-isolamento", action="store_true", help="senza bubblewrap: solo per consegne fidate"
    )
    parser.add_argument(
        "--accetta-sospetti", action="store_true", help="valuta anche le consegne sospette, già lette a mano"
    )


def run(args: argparse.Namespace) -> int:
    """Corregge, stampa la tabella, dice dove sono CSV e feedback."""
    exercise, root = exercise_name(args.esercizio), project_root()
    from tqdm import tqdm

    from course_lib.grading.pipeline import class_outcomes, grade_class
    from course_lib.grading.register import Register
    from course_lib.grading.report import one_line, table, write_csv

    def progress(items: list) -> tqdm:
        return tqdm(items, desc="Correzione", unit="consegna", leave=False, disable=None)

    report = grade_class(
        root, exercise, args.da, isolated=not args.senza_isolamento, accept_suspect=args.accetta_sospetti,
        progress=progress,
    )  # fmt: skip
    if args.senza_isolamento:
        print("ATTENZIONE: corretto senza isolamento: il codice poteva leggere e cambiare ogni tuo file.")
    for line in report.skipped:
        print(f"! {one_line(line)}")
    if not report.outcomes:
        print(f"In {args.da} non c'è nessuna consegna di {exercise}.")
        return 1
    print(table(report))
    path = root / "registro" / f"{exercise}.csv"
    write_csv(exercise, class_outcomes(Register(root), exercise), path)
    print(f"\nVoti: {path}\nFeedback: {root / 'registro' / 'feedback'}")
    return 0
