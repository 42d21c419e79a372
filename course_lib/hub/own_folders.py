"""Quali cartelle l'hub, che è l'amministratore, può fare sue: mai quelle del sistema o di altri."""

from __future__ import annotations

import os
from pathlib import Path

from course_lib.hub.settings import HubSettings
from course_lib.project import CorsoError, reason

SYSTEM = {
    "/": "bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys tmp usr var",
    "/etc": "default pam.d security ssh ssl systemd",
    "/run": "lock user",
    "/usr": "bin include lib lib32 lib64 libexec local sbin share src",
    "/usr/local": "bin etc include lib libexec sbin share src",
    "/var": "backups cache lib local lock log mail opt run spool tmp www",
}
MARK = ".chiave-di-lettura"  # in «stato»: chi rifà la memoria dell'hub toglie gli altri file
STATE = (MARK, "jupyterhub.sqlite", "jupyterhub_cookie_secret")


def expect_own_folders(settings: HubSettings) -> None:
    """Solleva CorsoError se «scambio» o «stato» sono cartelle di altri, o una sta dentro un'altra.

    Va chiamata prima di cambiare qualsiasi permesso.
    """
    names = ("scambio", "stato", "cartella_docente")
    real = {name: Path(os.path.realpath(getattr(settings, name))) for name in names}
    for name in ("scambio", "stato"):
        _expect_own(name, getattr(settings, name), real[name], settings.corso)
    for name in ("scambio", "stato"):
        for other in names:
            if other != name and real[name].is_relative_to(real[other]):
                raise CorsoError(
                    f"{name} = «{getattr(settings, name)}», in hub.toml, sta dentro «{other}», che è "
                    f"«{getattr(settings, other)}»: attese cartelle separate."
                )
        if real["cartella_docente"].is_relative_to(real[name]):
            raise CorsoError(
                f"{name} = «{getattr(settings, name)}», in hub.toml, contiene «cartella_docente», che è "
                f"«{settings.cartella_docente}»: attese cartelle separate."
            )


def prepare_state(settings: HubSettings) -> None:
    """Crea la cartella dell'hub, chiusa agli altri, con il segno che è sua.

    Solleva CorsoError se lì non si può scrivere.
    """
    try:
        settings.stato.mkdir(parents=True, exist_ok=True)
        settings.stato.chmod(0o700)  # qui stanno la banca dati, il segreto dei cookie, i registri
        (settings.stato / MARK).touch(0o600)
    except OSError as error:
        raise CorsoError(
            f"non posso preparare la cartella dell'hub in {settings.stato} ({reason(error)}): l'hub va "
            "avviato dall'amministratore; la cartella è «stato», in hub.toml."
        ) from None


def _expect_own(name: str, written: Path, folder: Path, course: str) -> None:
    system = {os.path.join(above, one) for above, names in SYSTEM.items() for one in names.split()}
    if str(folder) in system | {"/"}:
        raise CorsoError(
            f"{name} = «{written}», in hub.toml, è una cartella del sistema, di cui l'hub cambierebbe i "
            f"permessi: atteso un posto suo, per esempio «{getattr(HubSettings, name)}»."
        )
    try:
        found = sorted(set(os.listdir(folder)) - {"lost+found"})  # quella di un disco appena fatto
    except FileNotFoundError:
        return
    except OSError as error:
        raise CorsoError(
            f"{name} = «{written}», in hub.toml: non posso leggere quella cartella ({reason(error)})."
        ) from None
    own = _is_exchange(folder, course) if name == "scambio" else not set(STATE).isdisjoint(found)
    if found and not own:
        raise CorsoError(
            f"{name} = «{written}», in hub.toml: quella cartella contiene già altro (per esempio "
            f"«{found[0]}») e l'hub ne cambierebbe i permessi: indica una cartella nuova, o vuota."
        )


def _is_exchange(folder: Path, course: str) -> bool:
    """Se è già uno scambio: vi sta il corso, o un altro con la forma che gli dà nbgrader."""
    if os.path.lexists(folder / course):
        return True
    return any((one / "inbound").is_dir() and (one / "outbound").is_dir() for one in folder.iterdir())
