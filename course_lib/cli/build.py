"""`corso costruisci`: rifà notebooks/, solutions/ ed exercises/ da sources/."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Le opzioni del comando."""
    parser.add_argument("--tutto", action="store_true", help="ricostruisce anche ciò che è già aggiornato")


def run(args: argparse.Namespace) -> int:
    """Costruisce; restituisce lo stato d'uscita."""
    from course_lib.building.pipeline import build
    from course_lib.project import project_root

    rebuilt = build(project_root(), force=args.tutto)
    print(f"Ricostruiti: {len(rebuilt)}." if rebuilt else "Era già tutto aggiornato.")
    return 0
