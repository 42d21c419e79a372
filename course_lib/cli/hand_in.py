"""`corso consegna`: lo zip da inviare e la ricevuta da conservare."""

from __future__ import annotations

import argparse
from pathlib import Path

from course_lib.cli.targets import exercise_and_notebook
from course_lib.project import project_root


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Gli argomenti di `corso consegna`."""
    parser.add_argument("esercizio", help="es02, oppure il percorso del suo notebook")
    parser.add_argument(
        "--nome", required=True, metavar='"NOME COGNOME"', help="il tuo nome, come lo conosce chi insegna"
    )
    parser.add_argument(
        "--in", dest="folder", type=Path, metavar="CARTELLA", help="dove scrivere (di solito: consegne/)"
    )


def run(args: argparse.Namespace) -> int:
    """Prepara la consegna e stampa la ricevuta."""
    exercise, notebook = exercise_and_notebook(args.esercizio)
    from course_lib.grading.handin import hand_in

    prepared = hand_in(notebook, exercise, args.nome, args.folder or project_root() / "consegne")
    print(prepared.text)
    print(f"Consegna pronta: {prepared.archive}")
    print("Invia lo zip a chi insegna. Se poi cambi qualcosa, ripeti il comando: vale l'ultima consegna.")
    return 0
