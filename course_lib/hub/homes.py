"""La casa di chi studia: il corso, messo lì al primo ingresso e poi mai più toccato."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import zipfile
from pathlib import Path

from course_lib.hub.settings import HubSettings
from course_lib.project import CorsoError, reason

FOLDER = "chiave-di-lettura"
README = Path(__file__).with_name("leggimi.txt")
FROM_EXCHANGE = re.compile(r"exercises/es\d\d/")  # questi li dà lo scambio, quando chi insegna li assegna


def prepare_home(home: Path, settings: HubSettings) -> Path:
    """La cartella del corso nella casa; se manca la si crea dal pacchetto, intera o per niente.

    La casa si chiude agli altri utenti. Solleva CorsoError se il pacchetto non si legge o la casa è piena.
    """
    folder = home / FOLDER
    try:
        os.chmod(home, home.stat().st_mode & 0o700)
        if not folder.exists():
            _unpack(settings.pacchetto, folder)
        (folder / "exercises").mkdir(exist_ok=True)  # lo scambio mette qui gli esercizi
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else "non è il pacchetto di «corso distribuisci»"
        raise CorsoError(
            f"non riesco a preparare {folder} da {settings.pacchetto} ({why}): "
            "controlla il pacchetto e lo spazio sul disco."
        ) from None
    return folder


def _unpack(bundle: Path, folder: Path) -> None:
    """Estrae il pacchetto senza gli esercizi accanto alla cartella, poi le dà il nome."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".corso-") as scratch:
        with zipfile.ZipFile(bundle) as archive:
            names = archive.namelist()
            tops = {name.partition("/")[0] for name in names}
            if len(tops) != 1:
                raise ValueError(bundle)
            (top,) = tops
            wanted = [name for name in names if not FROM_EXCHANGE.match(name.removeprefix(top + "/"))]
            archive.extractall(scratch, wanted)
        shutil.copyfile(README, Path(scratch, top, "LEGGIMI.txt"))
        os.replace(Path(scratch, top), folder)
