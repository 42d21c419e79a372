"""Il comando `corso`: un sottocomando per modulo, importato solo quando serve."""

from __future__ import annotations

import importlib
import os
import sys
import sysconfig

from course_lib.cli import words
from course_lib.cli.parser import ItalianParser
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
    "regia": ("direct", "apre le scene per una lezione dal vivo; oppure un file solo, o la scaletta"),
    "copia": ("back_up", "fa la copia di riserva di una classe, la verifica, la ripristina"),
    "hub": ("hub", "la classe su JupyterHub: dove si legge come; con --prova, su questa macchina"),
    "sito": ("site", "scrive il corso come sito da leggere, anche senza rete"),
    "dispensa": ("handout", "scrive il corso in un PDF da stampare"),
    "giro": ("tour", "mostra tutto il percorso, dal pacchetto al voto, in una cartella temporanea"),
}

DESCRIPTION = f"Chiave di lettura: i comandi del corso. «{words.command('COMANDO', '--help')}» ne spiega uno."


def main(argv: list[str] | None = None) -> int:
    """Esegue un sottocomando; un CorsoError, o un file che il sistema nega, è una frase su stderr e stato 1.

    argv: le parole dopo `corso`; se manca, quelle della riga di comando.
    Le opzioni sconosciute sono un errore, a meno che il modulo dica `PASSES_ON = True`: allora le riceve in
    `args.passed_on`.
    """
    argv = sys.argv[1:] if argv is None else argv
    prepare_process()
    parser = ItalianParser(prog="corso", description=DESCRIPTION)
    names = parser.add_subparsers(dest="command", required=True, metavar="COMANDO", title="comandi")
    chosen = next((word for word in argv if word in COMMANDS), None)
    passes_on = False
    subs = {name: names.add_parser(name, help=line, description=line) for name, (_, line) in COMMANDS.items()}
    if chosen is not None:
        command = importlib.import_module(f"course_lib.cli.{COMMANDS[chosen][0]}")
        command.add_arguments(subs[chosen])
        passes_on = getattr(command, "PASSES_ON", False)
    args, args.passed_on = parser.parse_known_args(argv or ["--help"])
    if args.passed_on and not passes_on:
        subs[args.command].error("unrecognized arguments: " + " ".join(args.passed_on))
    try:
        return command.run(args)
    except CorsoError as error:
        print(f"corso {args.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"corso {args.command}: interrotto.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # chi leggeva la nostra uscita ha chiuso: per esempio `corso diagnosi | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"corso {args.command}: {words.trouble(error)}", file=sys.stderr)
        return 1


def prepare_process() -> None:
    """Rende uguale ogni modo di partire: gli eseguibili dell'ambiente nel PATH, stampe che non falliscono.

    nbgrader chiama `alembic` per nome: senza il PATH giusto non aggiorna il registro dei voti.
    NumPy fa i suoi prodotti con un thread solo, se chi chiama non ha deciso altro: i modelli del corso sono
    piccoli, e chi addestra in due li divide da sé.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    scripts = sysconfig.get_path("scripts")
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if folders[0] != scripts:
        os.environ["PATH"] = os.pathsep.join([scripts, *folders])
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
