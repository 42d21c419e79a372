"""La cartella dello scambio: chi la possiede e con quali permessi."""

from __future__ import annotations

import grp
import os
import pwd
from pathlib import Path

from course_lib.hub.own_folders import expect_own_folders
from course_lib.hub.settings import HubSettings
from course_lib.project import CorsoError, reason

# Lo sticky (1…) impedisce di togliere o rinominare ciò che è di un altro. In inbound si consegna e non si
# guarda, e ciò che vi nasce è anche del gruppo di chi insegna (il setgid, 2…), che lo legge; in feedback si
# apre soltanto ciò di cui si sa il nome, che viene dal segreto della consegna.
ROOT_MODE = 0o1777
MODES = {"": 0o755, "outbound": 0o755, "inbound": 0o3733, "feedback": 0o711}


def prepare_exchange(settings: HubSettings) -> None:
    """Crea ciò che manca e rimette a posto proprietario e permessi. La esegue l'hub, da amministratore.

    Solleva CorsoError se sulla macchina non c'è chi insegna o il gruppo di chi studia, se la cartella è di
    altri o lì non si può scrivere, o se una di quelle dentro l'ha creata chi studia: potrebbe averci messo
    esercizi suoi.
    """
    try:
        owner = pwd.getpwnam(settings.docente)
    except KeyError:
        raise CorsoError(
            f"l'utente «{settings.docente}» (docente, in hub.toml) su questa macchina non c'è: crealo, per "
            f"esempio con «adduser {settings.docente}»."
        ) from None
    try:
        grp.getgrnam(settings.gruppo_studenti)
    except KeyError:
        raise CorsoError(
            f"il gruppo «{settings.gruppo_studenti}» (gruppo_studenti, in hub.toml) su questa macchina non "
            f"c'è, e nessuno di chi studia potrebbe entrare: crealo, per esempio con «addgroup "
            f"{settings.gruppo_studenti}», o scrivi quello giusto."
        ) from None
    expect_own_folders(settings)
    try:
        settings.scambio.mkdir(parents=True, exist_ok=True)
        os.chmod(settings.scambio, ROOT_MODE)
        for name, mode in MODES.items():
            _own_folder(settings.scambio / settings.corso / name, owner, mode, settings.gruppo_studenti)
    except OSError as error:
        raise CorsoError(
            f"non posso preparare lo scambio in {settings.scambio} ({reason(error)}): l'hub va avviato "
            "dall'amministratore, e lì non devono esserci altri file."
        ) from None


def _own_folder(folder: Path, owner: pwd.struct_passwd, mode: int, students: str) -> None:
    """Una cartella di chi insegna; un collegamento, o la cartella di chi studia, è rifiutato."""
    folder.mkdir(exist_ok=True)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        uid = os.fstat(handle).st_uid
        if uid not in (0, owner.pw_uid) and _belongs(uid, students):
            raise CorsoError(
                f"la cartella {folder} dello scambio l'ha creata «{pwd.getpwuid(uid).pw_name}», che studia: "
                "guarda che cosa contiene, toglila, e riavvia l'hub."
            )
        os.fchown(handle, owner.pw_uid, owner.pw_gid)
        os.fchmod(handle, mode)
    finally:
        os.close(handle)


def _belongs(uid: int, group: str) -> bool:
    """Se un utente è in un gruppo del sistema; no, se uno dei due non c'è."""
    try:
        user = pwd.getpwuid(uid)
        return grp.getgrnam(group).gr_gid in os.getgrouplist(user.pw_name, user.pw_gid)
    except KeyError:
        return False
