"""Ciò che nello scambio di nbgrader si fa a modo nostro: consegnare e raccogliere."""

from __future__ import annotations

import stat
from pathlib import Path

from nbgrader.exchange.default import ExchangeCollect, ExchangeSubmit

OWNER_AND_TEACHER = 0o770  # chi consegna, e il gruppo di chi insegna


class ClosedSubmit(ExchangeSubmit):
    """La consegna di nbgrader, che poi aprono soltanto chi l'ha scritta e chi insegna.

    Quella di nbgrader la può leggere, cambiare e cancellare chiunque ne sappia il nome, e il nome sta nei
    messaggi del server. Il gruppo di chi insegna lo eredita da `inbound`, che ha il bit setgid.
    """

    def copy_files(self) -> None:
        """Consegna, poi chiude la cartella agli altri."""
        super().copy_files()
        close_to_others(Path(self.inbound_path), self.assignment_filename)


def close_to_others(inbound: Path, name: str) -> None:
    """Toglie agli altri la consegna `name`; se il suo gruppo non è quello di `inbound`, resta com'è.

    Senza il gruppo chi insegna non la leggerebbe più.
    """
    above, folder = inbound.stat(), inbound / name
    if not above.st_mode & stat.S_ISGID or folder.stat().st_gid != above.st_gid:
        return
    folder.chmod(OWNER_AND_TEACHER)  # basta: in ciò che contiene non si arriva


class RefusedCollect(ExchangeCollect):
    """Il pulsante «Collect» di formgrader: qui non raccoglie, e dice come si fa."""

    def start(self) -> None:
        """Solleva l'errore che formgrader mostra."""
        self.fail(
            "Qui le consegne si raccolgono e si correggono insieme, da un terminale: "
            f"corso correggi {self.coursedir.assignment_id or 'es02'} --scambio"
        )
