"""`corso hub --prova`: una classe finta su questa macchina, con utenti veri che alla fine si tolgono.

Tutto sta in una cartella temporanea: case, scambio, registro, stato dell'hub. Fuori restano soltanto gli
utenti e il gruppo, che si tolgono all'uscita, anche con Ctrl+C o se si chiude il terminale.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from course_lib.building.bundle import bundle_files, distribute, zip_bytes
from course_lib.cli.open_lab import free_port
from course_lib.hub import limits, trial_users
from course_lib.hub.ending import undisturbed
from course_lib.hub.namespace import enter
from course_lib.hub.settings import VARIABLE, HubSettings, as_toml
from course_lib.hub.trial_leftovers import folder_prefix
from course_lib.project import CorsoError

COURSE_PARTS = (
    "course_lib", "exercises", "notebooks", "solutions", "sources", "corso.py", "nbgrader_config.py",
    "pyproject.toml", "requirements.lock", "README.md", "environment.yml", "LICENSE", "LICENSE-testi",
    "GUIDA.md",
)  # fmt: skip
START_SECONDS = 60


@dataclass
class Trial:
    """Una prova in corso: la cartella, le impostazioni, le password, il processo dell'hub."""

    folder: Path
    settings: HubSettings
    passwords: dict[str, str] = field(default_factory=dict)
    hub: subprocess.Popen | None = None

    @property
    def log(self) -> Path:
        """I messaggi dell'hub e dei server."""
        return self.folder / "hub.log"

    @property
    def pupils(self) -> list[str]:
        """Gli utenti che studiano."""
        return [name for name in self.passwords if name != self.settings.docente]

    def home(self, user: str) -> Path:
        """La casa di un utente della prova."""
        return self.folder / "case" / user

    def keep_log(self) -> Path:
        """Copia i messaggi dove restano quando la cartella si toglie; li legge soltanto l'amministratore."""
        handle, kept = tempfile.mkstemp(prefix="corso-hub-", suffix=".log")
        os.close(handle)
        return Path(shutil.copyfile(self.log, kept))


def expect_administrator() -> None:
    """Solleva CorsoError se chi lancia la prova non può creare utenti."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        raise CorsoError(
            "la prova crea tre utenti di sistema e li toglie alla fine: serve l'amministratore di una "
            "macchina Linux, per esempio «sudo python3 corso.py hub --prova»."
        )


@contextlib.contextmanager
def running_trial(
    root: Path, proxy: str, port: int = 8000, checked: bool = True, **changes: object
) -> Iterator[Trial]:
    """Una prova dall'inizio alla fine: utenti, cartelle, hub acceso; all'uscita si toglie tutto.

    root: il corso intero   proxy: il programma configurable-http-proxy   port: la prima da provare
    checked: se il pacchetto si controlla come fa «corso distribuisci» (una decina di secondi)
    changes: impostazioni diverse da quelle di sempre (memoria_mb=…)
    Solleva CorsoError se qualcosa manca o se l'hub non parte.
    """
    expect_administrator()
    tag = secrets.token_hex(2)
    users = [f"{name}-{tag}" for name in ("docente", "anna", "bruno")]
    group = f"classe-{tag}"
    ports = three_ports(port)
    folder = Path(tempfile.mkdtemp(prefix=folder_prefix()))
    trial = Trial(folder, replace(_settings(folder, users[0], group, proxy, ports), **changes))
    try:
        folder.chmod(0o755)
        _prepare(trial, root, users, group, checked)
        trial.hub = _start(trial, root)
        _wait(trial)
        yield trial
    finally:
        with undisturbed(), contextlib.ExitStack() as cleaning:  # dal fondo in su, anche se una non riesce
            # non shutil.rmtree: mille cartelle una nell'altra, di chi studia, lo fermerebbero a metà
            cleaning.callback(subprocess.run, ["rm", "-rf", "--", folder], capture_output=True, check=False)
            cleaning.callback(limits.remove_empty)
            cleaning.callback(trial_users.remove, users, group)
            cleaning.callback(_stop, trial)


def three_ports(first: int) -> list[int]:
    """Le prime tre porte libere da `first` in su: dell'indirizzo, dell'hub, del proxy.

    Solleva CorsoError se da lì non ce ne sono tre.
    """
    found: list[int] = []
    try:
        while len(found) < 3:
            found.append(free_port(found[-1] + 1 if found else first))
    except CorsoError:
        raise CorsoError(
            f"--porta {first}: alla prova servono tre porte libere da lì in su, fra 1 e 65535: scegli un "
            "altro numero, per esempio 8000."
        ) from None
    return found


def _settings(folder: Path, instructor: str, group: str, proxy: str, ports: list[int]) -> HubSettings:
    return HubSettings(
        docente=instructor,
        cartella_docente=folder / "case" / instructor / "chiave-di-lettura",
        gruppo_studenti=group,
        pacchetto=folder / "pacchetto.zip",
        scambio=folder / "scambio",
        stato=folder / "stato",
        indirizzo=f"http://127.0.0.1:{ports[0]}",
        porta_hub=ports[1],
        porta_proxy=ports[2],
        proxy=proxy,
        avvio="locale",
    )


def _prepare(trial: Trial, root: Path, users: list[str], group: str, checked: bool) -> None:
    """Utenti, corso di chi insegna, pacchetto, impostazioni."""
    homes = trial.folder / "case"
    homes.mkdir(mode=0o755)
    homes.chmod(0o755)
    trial_users.add_group(group)
    for name in users:
        trial.passwords[name] = trial_users.new_password()
        belongs = None if trial.settings.is_instructor(name) else group
        user = trial_users.add_user(name, homes, trial.passwords[name], belongs)
        if belongs is None:
            _copy_course(root, trial.settings.cartella_docente)
            for path in (trial.settings.cartella_docente, *trial.settings.cartella_docente.rglob("*")):
                os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)
    _write_bundle(root, trial.settings.pacchetto, checked)
    (trial.folder / "hub.toml").write_text(as_toml(trial.settings), encoding="utf-8")


def _write_bundle(root: Path, target: Path, checked: bool) -> None:
    if checked:
        scratch = target.with_suffix("")
        archive, _ = distribute(root, scratch)
        os.replace(archive, target)
        scratch.rmdir()
    else:
        target.write_bytes(zip_bytes(bundle_files(root), "chiave-di-lettura"))
    target.chmod(0o644)


def _copy_course(root: Path, target: Path) -> None:
    target.mkdir()
    ignore = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "*.npz~")
    for name in COURSE_PARTS:
        source = root / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=ignore)
        elif source.is_file():
            shutil.copy2(source, target / name)


def _start(trial: Trial, root: Path) -> subprocess.Popen:
    """L'hub, in uno spazio di montaggio suo: si vedono Python e biblioteca, non il resto del corso."""
    config = root / "deploy" / "jupyterhub" / "jupyterhub_config.py"
    command = [sys.executable, "-m", "jupyterhub", "-f", str(config)]
    env = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "PYTHON"))}
    env |= {
        VARIABLE: str(trial.folder / "hub.toml"),
        "HOME": str(trial.folder / "stato"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    trial.settings.stato.mkdir(mode=0o700)
    # chiuso agli altri: nbgrader vi scrive il nome della cartella di ogni consegna, che è segreto
    with open(os.open(trial.log, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as log:
        return subprocess.Popen(
            [*enter(root, trial.settings.proxy), *command],
            cwd=trial.settings.stato, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True,
        )  # fmt: skip


def _wait(trial: Trial) -> None:
    """Attende che l'hub risponda attraverso il proxy."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if trial.hub.poll() is not None:
            break
        with contextlib.suppress(OSError, ValueError):
            with urllib.request.urlopen(trial.settings.indirizzo + "/hub/api/", timeout=2) as answer:
                if json.load(answer).get("version"):
                    return
        time.sleep(0.2)
    lines = trial.log.read_text("utf-8", "replace").strip().splitlines()
    said = next((line for line in lines if line.startswith("corso hub: ")), lines[-1] if lines else "")
    raise CorsoError(
        f"JupyterHub non è partito: «{said.removeprefix('corso hub: ').strip()[-300:]}»; tutti i suoi "
        f"messaggi sono in {trial.keep_log()}."
    )


def _stop(trial: Trial) -> None:
    """Ferma l'hub, che ferma proxy e server; se non lo fa in tempo, lo si uccide con il suo spazio."""
    if trial.hub is None or trial.hub.poll() is not None:
        return
    import psutil

    inside = psutil.Process(trial.hub.pid).children(recursive=True)
    leader = next((p for p in inside if "jupyterhub" in " ".join(_words(p))), None)
    with contextlib.suppress(psutil.Error):
        (leader or psutil.Process(trial.hub.pid)).send_signal(signal.SIGTERM)
    try:
        trial.hub.wait(timeout=30)
    except subprocess.TimeoutExpired:
        trial.hub.kill()
        trial.hub.wait()
    for process in inside:
        with contextlib.suppress(psutil.Error):
            process.kill()


def _words(process) -> list[str]:
    import psutil

    try:
        return process.cmdline()
    except psutil.Error:
        return []
