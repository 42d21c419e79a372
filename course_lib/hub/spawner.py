"""Chi avvia il server di una persona: il processo locale di JupyterHub, con i limiti."""

from __future__ import annotations

import contextlib
import os
import pwd

from jupyterhub.spawner import LocalProcessSpawner

from course_lib.hub.leftovers import remove_shared_memory
from course_lib.hub.limits import Fence, Limits, find_places
from course_lib.hub.settings import MORE, HubSettings, read_settings


def limits_of(settings: HubSettings) -> Limits:
    """I limiti scritti nelle impostazioni, in byte."""
    return Limits(settings.memoria_mb * 2**20, settings.core, settings.processi, settings.file_mb * 2**20)


class ClassSpawner(LocalProcessSpawner):
    """LocalProcessSpawner che prima di diventare l'utente entra nei suoi gruppi di controllo.

    Chi insegna ha gli stessi limiti, con memoria, core e processi quadrupli: corregge una classe intera.
    """

    _fence: Fence | None = None

    @property
    def fence(self) -> Fence:
        """I gruppi di questa persona."""
        if self._fence is None:
            settings = read_settings()
            limits = limits_of(settings)
            if settings.is_instructor(self.user.name):
                limits = Limits(
                    MORE * limits.memory,
                    MORE * limits.cores,
                    MORE * limits.processes,
                    MORE * limits.file_size,
                )
            self._fence = Fence(self.user.name, limits, find_places())
        return self._fence

    def make_preexec_fn(self, name: str):
        """La funzione che il processo nuovo esegue da amministratore, prima di diventare `name`."""
        become = super().make_preexec_fn(name)
        fence = self.fence
        fence.make()
        if fence.missing:
            self.log.warning("%s: senza gruppi di controllo per %s", name, ", ".join(fence.missing))

        def before() -> None:
            fence.enter()
            os.umask(0o077)  # ciò che nasce in casa sua è suo soltanto
            become()

        return before

    async def poll(self) -> int | None:
        """Se il server vive (None); finito da solo, si toglie anche ciò che ha lasciato in giro."""
        status = await super().poll()
        if status is not None and self._fence is not None:
            self._clear()
            self._fence = None
        return status

    async def stop(self, now: bool = False) -> None:
        """Ferma il server e ciò che gli è rimasto in giro."""
        await super().stop(now)
        self._clear()

    def _clear(self) -> None:
        """Finisce i processi rimasti; di chi studia toglie anche la memoria condivisa."""
        self.fence.close()
        if not read_settings().is_instructor(self.user.name):
            with contextlib.suppress(KeyError):  # l'utente nel frattempo è stato tolto
                remove_shared_memory(pwd.getpwnam(self.user.name).pw_uid)
