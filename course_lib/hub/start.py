"""Avvia il server di una persona, con i suoi privilegi: prepara la casa e le impostazioni, poi JupyterLab.

L'hub esegue `python -I -m course_lib.hub.start`: con -I conta la biblioteca installata accanto all'hub, mai
quella che chi studia ha in casa, che può averla rotta. Kernel e terminali invece usano quella di casa.
"""

from __future__ import annotations

import getpass
import os
import sys
import sysconfig
from pathlib import Path

from course_lib.cli.open_lab import first_notebook
from course_lib.hub.channels import prepare_channels
from course_lib.hub.homes import prepare_home
from course_lib.hub.lab import prepare_lab
from course_lib.hub.settings import HubSettings, read_settings
from course_lib.project import CorsoError


def main() -> None:
    """Prepara e avvia; non ritorna finché il server vive."""
    try:
        settings = read_settings()
        folder = course_folder(settings, getpass.getuser(), Path.home())
        channels = prepare_channels(Path.home())
        lab = prepare_lab(folder, settings, getpass.getuser(), "ipc" if channels else "tcp")
        prepare_environment(folder, lab)
        if channels:
            os.environ["JUPYTER_RUNTIME_DIR"] = str(channels)
    except CorsoError as error:
        sys.exit(f"corso hub: {error}")
    from jupyterhub.singleuser import main as serve

    from course_lib.cli import lab_italian

    lab_italian.install()
    serve()


def course_folder(settings: HubSettings, user: str, home: Path) -> Path:
    """La cartella del corso di questa persona; quella di chi studia si prepara se manca.

    Solleva CorsoError se la cartella di chi insegna non c'è.
    """
    if not settings.is_instructor(user):
        return prepare_home(home, settings)
    if not (settings.cartella_docente / "corso.py").is_file():
        raise CorsoError(
            f"in {settings.cartella_docente} non c'è il corso di {user}: mettilo lì, o cambia "
            "«cartella_docente» in hub.toml."
        )
    return settings.cartella_docente


def prepare_environment(folder: Path, lab: Path) -> None:
    """Le variabili del server e di tutto ciò che avvia, e la cartella in cui lavora."""
    scripts = sysconfig.get_path("scripts")
    os.environ |= {
        "JUPYTER_CONFIG_DIR": str(lab),
        "JUPYTER_PATH": str(lab),  # il nostro kernel prima di quello installato
        "JUPYTERLAB_SETTINGS_DIR": str(lab / "user-settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(lab / "workspaces"),
        "PYTHONPATH": str(folder),
        "PATH": os.pathsep.join([scripts, os.environ.get("PATH", os.defpath)]),
        "OPENBLAS_NUM_THREADS": "1",
        "LANG": "C.UTF-8",
        "JUPYTERHUB_ROOT_DIR": str(folder),
        "JUPYTERHUB_DEFAULT_URL": "/lab" + ("" if (lab / "workspaces").is_dir() else first_notebook(folder)),
    }
    os.chdir(folder)


if __name__ == "__main__":
    main()
