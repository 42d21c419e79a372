"""`corso controlla`: le prove visibili di un esercizio, prima di consegnarlo."""

from __future__ import annotations

import argparse

from course_lib.cli.targets import exercise_and_notebook
from course_lib.cli.words import command
from course_lib.project import project_root


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Gli argomenti di `corso controlla`."""
    parser.add_argument("esercizio", help="es02, oppure il percorso del suo notebook")


def run(args: argparse.Namespace) -> int:
    """Controlla e stampa; stato 0 se ogni prova visibile è superata."""
    exercise, notebook = exercise_and_notebook(args.esercizio)
    from course_lib.grading.feedback import function_of, points
    from course_lib.grading.local_check import check_notebook

    print(f"Controllo {notebook.name} con le prove visibili: qualche secondo…", flush=True)
    check = check_notebook(notebook, exercise, project_root())
    for name, worth, passed, message in check.tests:
        unit = "punto" if worth == 1 else "punti"
        print(f"{'✓' if passed else '✗'} {function_of(name)}  ({points(worth)} {unit})")
        if message:
            print("    " + message.removeprefix("✗ ").replace("\n", "\n    "))
    for line in check.errors + check.notes:
        print(f"! {line}")
    if check.suspect:
        print(f"! Nella correzione sarebbe letto a mano: {check.suspect}.")
    passed = sum(test[2] for test in check.tests)
    print(f"Prove visibili superate: {passed} su {len(check.tests)}.")
    print("I punti si prendono se passano anche le prove nascoste, che fa chi corregge.")
    complete = check.points == check.most and not check.errors and not check.suspect
    if complete:
        print(f'Puoi consegnare: {command("consegna")} {exercise} --nome "Nome Cognome"')
    elif not check.suspect:
        print("Puoi consegnare anche così, e consegnare di nuovo quando va: vale l'ultima consegna.")
    return 0 if complete else 1
