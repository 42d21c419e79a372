"""`corso distribuisci`: il pacchetto per chi studia, senza soluzioni e senza prove nascoste."""

from __future__ import annotations

import argparse

from course_lib.cli.parser import given_path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Le opzioni del comando."""
    parser.add_argument(
        "--in",
        dest="folder",
        type=given_path,
        metavar="CARTELLA",
        help="dove scrivere lo zip (di solito: dist/)",
    )


def run(args: argparse.Namespace) -> int:
    """Scrive lo zip e dice che cosa contiene; restituisce lo stato d'uscita."""
    import hashlib

    from course_lib.building.bundle import distribute
    from course_lib.project import project_root

    root = project_root()
    path, files = distribute(root, (args.folder or root / "dist").resolve())
    notebooks = sum(name.startswith("notebooks/") for name in files)
    exercises = sum(name.startswith("exercises/es") for name in files)
    size = f"{path.stat().st_size / 1e6:.1f}".replace(".", ",")
    print(f"Pacchetto: {path}")
    counted = f"{exercises} eserciz{'io' if exercises == 1 else 'i'}"
    print(f"{notebooks} notebook, {counted}, {len(files)} file in tutto, {size} MB")
    print(f"SHA-256: {hashlib.sha256(path.read_bytes()).hexdigest()}")
    print("Controllato: nessuna soluzione, nessuna prova nascosta.")
    return 0
