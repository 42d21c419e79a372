"""Il comando `corso`: un sottocomando per modulo, importato solo quando serve."""

from __future__ import annotations

import argparse
import importlib
import sys

from course_lib.project import CorsoError

# nome -> (modulo, una riga d'aiuto). Ogni modulo offre add_arguments(parser) e run(args) -> int.
COMMANDS = {
    "apri": ("open_lab", "apre JupyterLab in italiano sul corso"),
    "prova": ("run_tests", "esegue le prove del progetto"),
    "diagnosi": ("diagnose", "controlla l'installazione e dice i rimedi"),
    "costruisci": ("build", "ricostruisce notebooks/, solutions/ ed exercises/ da sources/"),
    "distribuisci": ("distribute", "prepara il pacchetto per chi studia"),
    "controlla": ("check_work", "controlla un esercizio prima della consegna"),
    "consegna": ("hand_in", "prepara la consegna di un esercizio, con ricevuta"),
    "correggi": ("grade", "corregge le consegne di una classe"),
    "giro": ("tour", "mostra tutto il percorso, dal pacchetto al voto, in una cartella temporanea"),
}


def main(argv: list[str] | None = None) -> int:
    """Esegue un sottocomando; un CorsoError diventa una frase su stderr e stato 1."""
    argv = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(prog="corso", description=__doc__)
    names = parser.add_subparsers(dest="command", required=True, metavar="COMANDO")
    chosen = next((word for word in argv if word in COMMANDS), None)
    modules = {}
    for name, (module, line) in COMMANDS.items():
        sub = names.add_parser(name, help=line, description=line)
        if name == chosen:
            modules[name] = importlib.import_module(f"course_lib.cli.{module}")
            modules[name].add_arguments(sub)
    args = parser.parse_args(argv)
    try:
        return modules[args.command].run(args)
    except CorsoError as error:
        print(f"corso {args.command}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
