"""`corso hub`: la classe su JupyterHub. Con --prova la accende su questa macchina, per provarla."""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import time
from pathlib import Path

from course_lib.cli.words import command, pip_install
from course_lib.project import CorsoError, project_root

PROXY = "configurable-http-proxy"
# 5.1 è l'ultima che prevede Node.js 18, quello di Debian 12
NPM = f"npm install --no-save --no-package-lock --prefix .corso/npm {PROXY}@5.1.0"
NODE = "sudo apt install nodejs npm"
TRY = """\
Che cosa provare:
  1. entra come {docente}; menu File → Nuovo → Terminale, e scrivi: nbgrader release_assignment es02
  2. in una finestra anonima entra come {anna}: menu Consegne → Elenco degli esercizi, «Scarica»;
     risolvi, «Controlla» sopra il notebook, e dall'elenco «Consegna»
  3. nel terminale di {docente}: corso correggi es02 --scambio
  4. {anna} trova nell'elenco il feedback; {bruno} non vede nulla di suo"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Le opzioni di `corso hub`."""
    parser.add_argument(
        "--prova",
        action="store_true",
        help="accende una classe finta su questa macchina, finché non premi Ctrl+C",
    )
    parser.add_argument(
        "--porta", type=int, default=8000, metavar="N", help="porta da provare per prima (8000)"
    )


def run(args: argparse.Namespace) -> int:
    """Accende la prova e resta finché non si preme Ctrl+C; senza --prova dice dove si legge il resto."""
    root = project_root()
    guide = root / "deploy" / "jupyterhub" / "README.md"
    if not guide.is_file():
        raise CorsoError(
            "Questo è il pacchetto per chi studia: per la classe su JupyterHub serve una copia completa del "
            "corso."
        )
    if not args.prova:
        print(f"Come si mette la classe su un server: {guide}")
        print(f"Per provare su questa macchina: {command('hub', '--prova')}")
        return 0
    expect_installed(root)
    from course_lib.hub.ending import end_when_asked
    from course_lib.hub.trial import running_trial
    from course_lib.hub.trial_leftovers import leftovers

    if left := leftovers():
        print(f"{left}\n")
    end_when_asked()
    with running_trial(root, find_proxy(root), args.porta) as trial:
        try:
            _welcome(trial)
            while trial.hub.poll() is None:
                time.sleep(1)
            raise CorsoError(f"JupyterHub si è fermato da solo: leggi perché in {trial.keep_log()}.")
        except KeyboardInterrupt:
            print("\nChiudo: può volerci mezzo minuto…", flush=True)
    if trial.folder.exists():
        raise CorsoError(f"tolti gli utenti, ma non la cartella: toglila con «rm -rf {trial.folder}».")
    print("Tolti gli utenti, il gruppo e la cartella della prova.")
    return 0


def _welcome(trial) -> None:
    """Che cosa c'è e che cosa provare."""
    instructor, (anna, bruno) = trial.settings.docente, trial.pupils
    print(f"JupyterHub è acceso, soltanto per questa macchina: {trial.settings.indirizzo}\n")
    for name, password in trial.passwords.items():
        print(f"  {name:<14} {password}")
    print("\n" + TRY.format(docente=instructor, anna=anna, bruno=bruno))
    print(f"\nFile della prova: {trial.folder}   Messaggi: {trial.log}")
    print("Per finire premi Ctrl+C: utenti, gruppo e cartella si tolgono.", flush=True)


def expect_installed(root: Path) -> None:
    """Solleva CorsoError, con i comandi che installano, se manca JupyterHub, il suo proxy o Node.js."""
    missing = {}
    if not all(importlib.util.find_spec(name) for name in ("jupyterhub", "jupyterhub_idle_culler")):
        missing["JupyterHub"] = pip_install("-r requirements-hub.lock")
    if shutil.which("node") is None:
        missing["Node.js, che esegue il proxy"] = NODE
    if find_proxy(root) is None:
        missing["il proxy di JupyterHub"] = NPM
    if missing:
        raise CorsoError(
            f"per la prova manca {'; manca '.join(missing)}: nella cartella del corso scrivi «"
            + "» e poi «".join(missing.values())
            + "»."
        )


def find_proxy(root: Path) -> str | None:
    """Il programma del proxy: quello in .corso/npm, altrimenti quello nel PATH."""
    own = root / ".corso" / "npm" / "node_modules" / ".bin" / PROXY
    return str(own) if own.exists() else shutil.which(PROXY)
