"""Le impostazioni di JupyterLab e di nbgrader per una persona, scritte nella sua cartella del corso."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from course_lib.cli.open_lab import LAB_OVERRIDES, writing_in
from course_lib.hub.nbgrader_italian import write_italian
from course_lib.hub.settings import HubSettings

NAME = "hub"  # sotto .corso/
FORMGRADER, LIST, VALIDATE = "formgrader", "assignment-list", "validate-assignment"
FIRST_TO_GO = 'echo 500 > /proc/self/oom_score_adj; exec "$@"'
NOBODY = ("course-list", "create-assignment")
SERVER_SIDE = {FORMGRADER: "formgrader", LIST: "assignment_list", VALIDATE: "validate_assignment",
               "course-list": "course_list"}  # fmt: skip


def prepare_lab(folder: Path, settings: HubSettings, user: str, transport: str = "tcp") -> Path:
    """Scrive in `.corso/hub` le impostazioni e restituisce quella cartella.

    folder: il corso di questa persona   transport: fra server e kernel, "tcp" o "ipc"
    Chi studia ha l'elenco degli esercizi e il controllo; chi insegna ha formgrader.
    Solleva CorsoError se lì non si può scrivere.
    """
    instructor = settings.is_instructor(user)
    off = {*NOBODY, *((LIST, VALIDATE) if instructor else (FORMGRADER,))}
    place = folder / ".corso" / NAME
    hidden = {f"@jupyter/nbgrader:{name}": True for name in sorted(off)}
    if not instructor:
        hidden["jupyterlab-jupytext"] = True
    files = {
        "overrides.json": LAB_OVERRIDES,
        "page_config.json": {"disabledExtensions": hidden},
        "jupyter_server_config.json": server_config(place, off, transport),
        "nbgrader_config.json": exchange_config(folder, settings),
        "kernels/python3/kernel.json": kernel(),
    }
    with writing_in(place):
        (place / "kernels" / "python3").mkdir(parents=True, exist_ok=True)
        write_italian(place / "labextensions")
        for name, content in files.items():
            (place / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return place


def server_config(place: Path, off: set[str], transport: str) -> dict:
    """La configurazione del server: estensioni di nbgrader, Lab in italiano, canali cifrati con i kernel.

    Senza cifratura, con le porte di una macchina di tutti, chiunque ascolterebbe l'uscita dei kernel altrui.
    """
    extensions = {
        f"nbgrader.server_extensions.{module}": name not in off for name, module in SERVER_SIDE.items()
    }
    server = {
        "jpserver_extensions": {"jupyterlab": True, **extensions},
        "terminado_settings": {
            "shell_command": ["/bin/bash"]
        },  # non «di ingresso»: perderebbe il nostro PATH
    }
    if (
        FORMGRADER not in off
    ):  # formgrader sta in una cornice dentro JupyterLab: serve che la pagina lo permetta
        server["tornado_settings"] = {"headers": {"Content-Security-Policy": "frame-ancestors 'self'"}}
    return {
        "ServerApp": server,
        "LabApp": {
            "app_settings_dir": str(place),
            "extra_labextensions_path": [str(place / "labextensions")],
            "extension_manager": "readonly",
            "news_url": None,
        },
        "KernelManager": {"transport": transport, "transport_encryption": "auto"},
    }


def kernel() -> dict:
    """Il kernel installato, che però si offre per primo quando la memoria della persona è finita.

    Altrimenti il nucleo potrebbe scegliere il server: se ha tanti figli, il kernel è più piccolo di lui.
    """
    spec = Path(sys.prefix, "share", "jupyter", "kernels", "python3", "kernel.json")
    found = json.loads(spec.read_text(encoding="utf-8"))
    command = [sys.executable, *found["argv"][1:]]
    return {**found, "argv": ["/bin/sh", "-c", FIRST_TO_GO, "kernel", *command], "display_name": "Python 3"}


def exchange_config(folder: Path, settings: HubSettings) -> dict:
    """Lo scambio di nbgrader: dove sta, come si chiama il corso, dove finiscono gli esercizi scaricati."""
    return {
        "ExchangeFactory": {
            "collect": "course_lib.grading.exchange_actions.RefusedCollect",
            "submit": "course_lib.grading.exchange_actions.ClosedSubmit",
            "release_assignment": "course_lib.hub.release.ReleaseFromSources",
        },
        "Exchange": {"root": str(settings.scambio), "assignment_dir": str(folder / "exercises")},
        "CourseDirectory": {"course_id": settings.corso},
        "KernelManager": {"transport_encryption": "auto"},  # il kernel di «Controlla», che sta su una porta
    }
