"""`corso sito`: il corso come sito da leggere, che non chiede nulla alla rete."""

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
        help="dove scriverlo (di solito: dist/sito)",
    )
    parser.add_argument("--apri", action="store_true", help="alla fine lo apre nel browser")


def run(args: argparse.Namespace) -> int:
    """Scrive il sito e dice dove; restituisce lo stato d'uscita."""
    from course_lib.notation import number
    from course_lib.project import project_root
    from course_lib.publishing.site import build_site

    root = project_root()
    target = (args.folder or root / "dist" / "sito").resolve()
    pages, size = build_site(root, target)
    print(f"Sito: {target / 'index.html'}")
    print(f"{pages} pagine, {number(size / 1e6, 1)} MB. Si apre con un doppio clic, o si copia su un server.")
    if args.apri:
        import webbrowser

        webbrowser.open((target / "index.html").as_uri())
    return 0
