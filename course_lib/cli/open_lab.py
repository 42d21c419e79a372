"""`corso apri`: JupyterLab in italiano sul corso, con impostazioni sue che non toccano quelle dell'utente."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import socket
import sys
import threading
import traceback
import webbrowser
from pathlib import Path
from urllib.parse import quote

from course_lib.cli import lab_italian
from course_lib.cli.words import reason
from course_lib.project import CorsoError, project_root

FIRST_PORT = 8888
PORTS_TRIED = 50
LOCALE = "it_IT"
# Chiavi e valori come negli schemi installati: jupyterlab/schemas e @jupyter-widgets/jupyterlab-manager.
LAB_OVERRIDES = {
    "@jupyterlab/translation-extension:plugin": {"locale": LOCALE},
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}

# Parti di estensioni che a chi studia non servono, in inglese; restano a chi scrive o corregge il corso.
AUTHOR_TOOLS = ("@jupyter/nbgrader:menu", "@jupyter/nbgrader:formgrader", "jupyterlab-jupytext")
# Queste invece non servono a nessuno: gli esercizi si scrivono in sources/ e si controllano con `verifica`.
UNUSED_TOOLS = (
    "@jupyter/nbgrader:create-assignment",
    "@jupyter/nbgrader:assignment-list",
    "@jupyter/nbgrader:course-list",
    "@jupyter/nbgrader:validate-assignment",
)


def add_arguments(parser) -> None:
    """Le opzioni di `corso apri`."""
    parser.add_argument("--no-browser", action="store_true", help="non apre il browser: stampa l'indirizzo")
    parser.add_argument(
        "--porta",
        type=int,
        metavar="N",
        help=f"porta da provare per prima (se è occupata si usa la successiva); di norma {FIRST_PORT}",
    )


def run(args) -> int:
    """Avvia JupyterLab sul corso e resta in ascolto finché non si preme Ctrl+C."""
    root = project_root()
    return serve(args, root, prepare_settings(root), first_notebook(root))


def serve(args, folder: Path, settings: Path, where: str, *more: str) -> int:
    """Avvia JupyterLab su `folder` e resta in ascolto finché non si preme Ctrl+C.

    args: porta e no_browser   settings: le impostazioni   where: la parte d'indirizzo dopo /lab
    more: altre opzioni del server
    """
    port = free_port(FIRST_PORT if args.porta is None else args.porta)
    token = secrets.token_hex(16)
    with messages_to(settings / "jupyter.log"):
        server = lab_server(folder, settings, port, token, *more)
        address = f"http://localhost:{server.port}/lab{where}?token={token}"
        stop_when_asked(server)
        print(f"JupyterLab è pronto: {address}", flush=True)
        print("Per chiuderlo premi Ctrl+C in questa finestra.", flush=True)
        if not args.no_browser and not webbrowser.open(address):
            print("Non trovo un browser: copia l'indirizzo qui sopra in quello che usi.", flush=True)
        server.start()
    print("JupyterLab è chiuso.", flush=True)
    leave_waiting_threads()
    return 0


def leave_waiting_threads() -> None:
    """Esce subito se al server è rimasto un thread in attesa: Python lo aspetterebbe per sempre.

    Succede quando ci si ferma con un notebook aperto: anyio tiene un thread per leggere e salvare i file.
    """
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        sys.stdout.flush()
        os._exit(0)


@contextlib.contextmanager
def messages_to(log: Path):
    """Manda in un file ciò che server e kernel scrivono su stderr: è in inglese e non serve a chi studia.

    Se il server non parte o si ferma, l'errore diventa un CorsoError che dice dove leggere.
    """
    sys.stderr.flush()
    kept = os.dup(2)
    with log.open("wb") as file:
        os.dup2(file.fileno(), 2)
        try:
            yield
        except (Exception, SystemExit):
            traceback.print_exc()
            raise CorsoError(f"JupyterLab si è fermato: leggi perché in {log}.") from None
        finally:
            sys.stderr.flush()
            os.dup2(kept, 2)
            os.close(kept)


def stop_when_asked(server) -> None:
    """Ctrl+C e la chiusura del sistema fermano server e kernel, senza le domande in inglese di Jupyter."""

    def stop(number, frame) -> None:
        print("\nChiudo: può volerci mezzo minuto…", flush=True)
        server.stop(from_signal=True)

    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, stop)


def prepare_settings(root: Path, name: str = "lab", more: dict | None = None) -> Path:
    """Scrive in `.corso/NAME` le impostazioni del corso e restituisce quella cartella.

    more: altre impostazioni di JupyterLab, per nome di estensione
    Le scelte che chi studia fa dal menu restano nella stessa cartella e hanno la precedenza.
    """
    folder = root / ".corso" / name
    with writing_in(folder):
        folder.mkdir(parents=True, exist_ok=True)
        hidden = UNUSED_TOOLS if (root / "sources").is_dir() else UNUSED_TOOLS + AUTHOR_TOOLS
        page = {"disabledExtensions": {name: True for name in hidden}}
        for name, content in (("overrides.json", LAB_OVERRIDES | (more or {})), ("page_config.json", page)):
            (folder / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return folder


@contextlib.contextmanager
def writing_in(folder: Path):
    """Se lì non si può scrivere, l'errore diventa una frase con il rimedio: un CorsoError."""
    try:
        yield
    except OSError as error:
        raise CorsoError(
            f"non posso scrivere in {folder} ({reason(error)}): copia il corso in una cartella tua."
        ) from None


def first_notebook(root: Path) -> str:
    """Parte d'indirizzo che apre il primo notebook di `notebooks/`; vuota se non ce ne sono."""
    found = sorted((root / "notebooks").glob("*.ipynb"))
    return "/tree/" + quote(found[0].relative_to(root).as_posix()) if found else ""


def free_port(first: int) -> int:
    """La prima porta libera da `first` in su.

    Solleva CorsoError se `first` non è una porta o se ne sono occupate troppe di seguito.
    """
    if not 1 <= first <= 65535:
        raise CorsoError(f"{first} non è un numero di porta: scegline uno fra 1024 e 65535.")
    last = min(first + PORTS_TRIED, 65536)
    for port in range(first, last):
        if is_free(port):
            return port
    raise CorsoError(f"le porte da {first} a {last - 1} sono occupate: scegline un'altra con --porta N.")


def is_free(port: int) -> bool:
    """Vero se su questa macchina si può mettersi in ascolto su `port`, in IPv4 e, dove c'è, in IPv6."""
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                if os.name != "nt":  # su Windows SO_REUSEADDR prenderebbe anche una porta occupata
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((host, port))
        except OSError:
            if family == socket.AF_INET:
                return False
            if socket.has_ipv6 and answers(host, port):
                return False
    return True


def answers(host: str, port: int) -> bool:
    """Vero se qualcuno risponde su quella porta."""
    try:
        with socket.create_connection((host, port), timeout=0.5):
            return True
    except OSError:
        return False


def lab_server(root: Path, settings: Path, port: int, token: str, *more: str):
    """Un server di JupyterLab già in ascolto, ancora da avviare con `.start()`."""
    os.environ["JUPYTER_CONFIG_DIR"] = str(settings)
    os.environ["JUPYTERLAB_SETTINGS_DIR"] = str(settings / "user-settings")
    os.environ["JUPYTERLAB_WORKSPACES_DIR"] = str(settings / "workspaces")
    os.environ["JUPYTER_TOKEN"] = token
    os.chdir(root)
    import zmq
    from jupyterlab.labapp import LabApp

    lab_italian.install()
    options = [
        f"--ServerApp.root_dir={root}",
        f"--ServerApp.port={port}",
        f"--ServerApp.port_retries={PORTS_TRIED}",  # fra la prova e l'avvio un altro può prendersi la porta
        "--ServerApp.open_browser=False",
        f"--LabApp.app_settings_dir={settings}",
        "--LabApp.extension_manager=readonly",
        "--LabApp.news_url=None",
        *more,
    ]
    if zmq.has("curve"):
        options.append("--KernelManager.transport_encryption=auto")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")
    return LabApp.initialize_server(argv=options)
