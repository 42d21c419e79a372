"""`corso dispensa`: il corso intero in un PDF da stampare."""

from __future__ import annotations

import argparse

from course_lib.cli.parser import given_path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Le opzioni del comando."""
    usual = "dove scriverla (di solito: dist/dispensa.pdf)"
    parser.add_argument("--in", dest="file", type=given_path, metavar="FILE.pdf", help=usual)


def run(args: argparse.Namespace) -> int:
    """Scrive la dispensa e dice dove; restituisce lo stato d'uscita. Solleva CorsoError se non si può."""
    from course_lib.cli.diagnose import find_chromium
    from course_lib.notation import number
    from course_lib.project import CorsoError, project_root, reason

    root = project_root()
    target = (args.file or root / "dist" / "dispensa.pdf").resolve()
    if target.suffix.lower() != ".pdf":
        raise CorsoError(f"mi aspettavo un nome che finisce con .pdf, è arrivato «{args.file}»: aggiungilo.")
    if target.is_dir():
        raise CorsoError(f"{target} è una cartella: scegli con --in il nome di un file.")
    from course_lib.publishing.handout.book import build_handout

    try:
        pages = build_handout(root, target, find_chromium())
    except OSError as error:
        said = f"non posso scrivere {target}: {reason(error)}; scegli un altro posto con --in."
        raise CorsoError(said) from error
    print(f"Dispensa: {target}")
    print(f"{pages} pagine, {number(target.stat().st_size / 1e6, 1)} MB.")
    return 0
