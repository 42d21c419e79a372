"""Su un server governato da systemd i server li avvia lui, con SystemdSpawner, e i limiti sono i suoi."""

from __future__ import annotations

import functools
import importlib.util

from traitlets.config import Config

from course_lib.hub.settings import MORE, HubSettings
from course_lib.project import CorsoError, pip_install


def configure_systemd(config: Config, settings: HubSettings) -> None:
    """Scrive in `config` lo spawner e i limiti; ogni persona ha un suo servizio, con una sua /tmp.

    Solleva CorsoError se manca SystemdSpawner.
    """
    if importlib.util.find_spec("systemdspawner") is None:
        raise CorsoError(
            f"manca SystemdSpawner: installalo con «{pip_install('-r requirements-hub.lock')}», "
            'oppure scrivi avvio = "locale" in hub.toml.'
        )
    config.JupyterHub.spawner_class = "systemdspawner.SystemdSpawner"
    spawner = config.SystemdSpawner
    spawner.unit_name_template = "corso-{USERNAME}"
    config.Spawner.pre_spawn_hook = functools.partial(more_for_instructor, settings)
    spawner.mem_limit = settings.memoria_mb * 2**20
    spawner.cpu_limit = settings.core
    spawner.isolate_tmp = True
    spawner.disable_user_sudo = True
    spawner.unit_extra_properties = {  # OOMPolicy=continue la mette già SystemdSpawner: muore solo il kernel
        "TasksMax": str(settings.processi),
        "MemorySwapMax": "0",
        "RemoveIPC": "yes",  # anche /dev/shm: a server spento non conta più nei limiti
        "LimitFSIZE": str(settings.file_mb * 2**20),
        "LimitCORE": "0",
        "UMask": "0077",
    }


def more_for_instructor(settings: HubSettings, spawner: object) -> None:
    """Prima di avviare il server di chi insegna, che corregge una classe intera, ne quadruplica i limiti."""
    if settings.is_instructor(spawner.user.name):
        spawner.mem_limit = MORE * settings.memoria_mb * 2**20
        spawner.cpu_limit = MORE * settings.core
        more = {
            "TasksMax": str(MORE * settings.processi),
            "LimitFSIZE": str(MORE * settings.file_mb * 2**20),
        }
        spawner.unit_extra_properties = {**spawner.unit_extra_properties, **more}
