"""`corso consegna`: lo zip da inviare e la ricevuta da conservare."""

from __future__ import annotations

import argparse
from pathlib import Path

from course_lib.cli.parser import given_path
from course_lib.cli.targets import exercise_and_notebook
from course_lib.cli.words import command
from course_lib.project import CorsoError, project_root


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Gli argomenti di `corso consegna`."""
    parser.add_argument("esercizio", nargs="?", help="es02, oppure il percorso del suo notebook")
    parser.add_argument("--nome", metavar='"NOME COGNOME"', help="il tuo nome, come lo conosce chi insegna")
    parser.add_argument(
        "--in",
        dest="folder",
        type=given_path,
        metavar="CARTELLA",
        help="dove scrivere (di solito: consegne/)",
    )
    parser.add_argument(
        "--verifica",
        type=Path,
        metavar="RICEVUTA",
        help="controlla che lo zip accanto sia quello della ricevuta",
    )


def run(args: argparse.Namespace) -> int:
    """Prepara la consegna e stampa la ricevuta; con --verifica la confronta con lo zip."""
    if args.verifica is not None:
        return _verify(args.verifica)
    if args.esercizio is None or args.nome is None:
        example = command("consegna", args.esercizio or "es01", "--nome", "Nome Cognome")
        raise CorsoError(f"indica l'esercizio e il tuo nome: «{example}».")
    exercise, notebook = exercise_and_notebook(args.esercizio)
    from course_lib.grading.handin import hand_in

    root = project_root()
    prepared = hand_in(notebook, exercise, args.nome, args.folder or root / "consegne", root=root)
    print(prepared.text)
    for line in prepared.notes:
        print(f"! {line}")
    print(f"Consegna pronta: {prepared.archive}")
    print("Invia lo zip a chi insegna. Se poi cambi qualcosa, ripeti il comando: vale l'ultima consegna.")
    return 0


def _verify(path: Path) -> int:
    from course_lib.grading.receipts import verify

    same, sentence = verify(path)
    print(("✓ " if same else "✗ ") + sentence)
    return 0 if same else 1
