"""`corso diagnosi`: una tabella di ciò che serve al corso, con il rimedio accanto a ciò che manca."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from course_lib.cli.words import command, pip_install, python, reason
from course_lib.notation import number
from course_lib.project import project_root

OK, FAIL, OPTIONAL = "OK", "FAIL", "facoltativo"
FREE_MB = 500
REBUILD = f"cancella la cartella .venv e ripeti «{command('diagnosi')}»"
REINSTALL = pip_install("-r requirements.lock")
REINSTALL_KERNEL = python("-m ipykernel install --sys-prefix")
TESTED_PYTHON = (3, 11)


@dataclass(frozen=True)
class Line:
    """Una riga della tabella: esito, che cosa si è guardato, che cosa si è visto, rimedio."""

    status: str
    name: str
    seen: str
    remedy: str = ""


def add_arguments(parser) -> None:
    """`corso diagnosi` non ha opzioni."""


def run(args) -> int:
    """Stampa la tabella; stato 1 se c'è almeno un FAIL."""
    failures = 0
    for line in all_checks(project_root()):
        print(f"{line.status:<12}{line.name:<22}{line.seen}", flush=True)
        if line.remedy:
            print(f"{'':<12}{'':<22}→ {line.remedy}", flush=True)
        failures += line.status == FAIL
    print(f"\nDa sistemare: {failures}. Segui i rimedi dopo le frecce." if failures else "\nTutto a posto.")
    return 1 if failures else 0


def all_checks(root: Path) -> Iterator[Line]:
    """Tutti i controlli, nell'ordine in cui conviene rimediare."""
    yield check_python()
    yield check_environment()
    yield check_locked(root)
    yield check_course_lib()
    yield check_lab()
    yield check_kernel()
    yield check_program("nbgrader")
    yield check_program("alembic")
    yield check_materials(root, "notebooks", "*.ipynb")
    yield check_materials(root, "exercises", "*/*.ipynb")
    yield check_writable(root)
    yield check_disk(root)
    torch = "installato" if importlib.util.find_spec("torch") else None
    yield check_optional("Chromium", find_chromium(), "per le prove nel browser", "apt install chromium")
    yield check_optional("bubblewrap", shutil.which("bwrap"), "per correggere", "apt install bubblewrap")
    yield from check_box_memory()
    yield check_optional("PyTorch", torch, "per il confronto con PyTorch", pip_install("torch==2.13.0"))


def check_python() -> Line:
    """La versione di Python che esegue il corso."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < TESTED_PYTHON:
        return Line(
            FAIL, "Python", version, "serve Python 3.11 o successivo: https://www.python.org/downloads/"
        )
    untested = "" if sys.version_info[:2] == TESTED_PYTHON else " (il corso è provato con il 3.11)"
    return Line(OK, "Python", version + untested)


def check_environment() -> Line:
    """Il corso gira in un ambiente suo, non nel Python del sistema."""
    if sys.prefix != sys.base_prefix or (Path(sys.prefix) / "conda-meta").is_dir():
        return Line(OK, "ambiente", sys.prefix)
    return Line(FAIL, "ambiente", f"{sys.prefix} è il Python del sistema", f"usa «{command('diagnosi')}»")


def check_locked(root: Path) -> Line:
    """Ogni libreria di requirements.lock è alla sua versione."""
    name = "librerie"
    try:
        from packaging.requirements import Requirement

        wanted = [Requirement(text) for text in locked_lines(root / "requirements.lock")]
    except ImportError:
        return Line(FAIL, name, "manca packaging", REINSTALL)
    except OSError:
        return Line(FAIL, name, "manca requirements.lock", "scarica di nuovo il corso")
    wanted = [item for item in wanted if item.marker is None or item.marker.evaluate()]
    wrong = [found for item in wanted if (found := difference(item))]
    if not wrong:
        return Line(OK, name, f"{len(wanted)} alle versioni di requirements.lock")
    shown = ", ".join(wrong[:4]) + (f" e altre {len(wrong) - 4}" if len(wrong) > 4 else "")
    return Line(FAIL, name, shown, REINSTALL)


def locked_lines(path: Path) -> list[str]:
    """Le righe di un file di requisiti, senza commenti né righe vuote."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def difference(requirement) -> str:
    """Che cosa non va in una libreria, o stringa vuota se è alla versione fissata."""
    try:
        version = importlib.metadata.version(requirement.name)
    except importlib.metadata.PackageNotFoundError:
        return f"{requirement.name} manca"
    matches = requirement.specifier.contains(version, prereleases=True)
    return "" if matches else f"{requirement.name} è {version}"


def check_course_lib() -> Line:
    """La biblioteca del corso si importa."""
    try:
        importlib.import_module("course_lib.transformer")
    except Exception as error:
        return Line(FAIL, "course_lib", f"{type(error).__name__}: {error}", "scarica di nuovo il corso")
    return Line(OK, "course_lib", str(Path(importlib.import_module("course_lib").__file__).parent))


def check_lab() -> Line:
    """JupyterLab, il suo italiano, i widget."""
    name, missing = "JupyterLab", []
    if importlib.util.find_spec("jupyterlab") is None:
        missing.append("jupyterlab")
    if not importlib.metadata.entry_points(group="jupyterlab.languagepack", name="it_IT"):
        missing.append("la lingua italiana")
    labextensions = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
    for extension in ("@jupyter-widgets/jupyterlab-manager", "anywidget"):
        if not (labextensions / extension / "package.json").is_file():
            missing.append(extension)
    if missing:
        return Line(FAIL, name, "manca: " + ", ".join(missing), REINSTALL + " --force-reinstall")
    return Line(OK, name, f"{importlib.metadata.version('jupyterlab')}, in italiano, con i widget")


def check_kernel() -> Line:
    """Il kernel dei notebook è il Python di questo ambiente."""
    try:
        from jupyter_client.kernelspec import KernelSpecManager

        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except Exception as error:
        return Line(FAIL, "kernel", f"non c'è un kernel python3 ({error})", REINSTALL_KERNEL)
    if (shutil.which(program) or program) not in (sys.executable, shutil.which("python")):
        return Line(FAIL, "kernel", f"è quello di {program}", REINSTALL_KERNEL)
    return Line(OK, "kernel", "python3 di questo ambiente")


def check_program(name: str) -> Line:
    """Un programma dell'ambiente si trova nel PATH e parte."""
    path = shutil.which(name)
    if path is None:
        return Line(FAIL, name, "non è nel PATH", REINSTALL)
    if Path(path).parent != Path(sysconfig.get_path("scripts")):
        return Line(FAIL, name, f"è quello di {path}", REINSTALL)
    try:
        options = {"capture_output": True, "encoding": "utf-8", "errors": "replace", "timeout": 120}
        done = subprocess.run([path, "--version"], **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Line(FAIL, name, f"non parte: {error}", REBUILD)
    if done.returncode:
        return Line(FAIL, name, "non parte", REBUILD)
    return Line(OK, name, done.stdout.strip().splitlines()[-1] if done.stdout.strip() else path)


def check_materials(root: Path, folder: str, pattern: str) -> Line:
    """I notebook o gli esercizi ci sono."""
    count = len(list((root / folder).glob(pattern)))
    if count:
        return Line(OK, folder + "/", f"{count} notebook")
    again = "scarica di nuovo il pacchetto del corso"
    remedy = command("costruisci") if (root / "sources").is_dir() else again
    return Line(FAIL, folder + "/", "nessun notebook", remedy)


def check_writable(root: Path) -> Line:
    """Si può scrivere dove il corso scrive."""
    folders = [root, root / "notebooks", root / "exercises", Path(tempfile.gettempdir())]
    for folder in filter(Path.is_dir, folders):
        try:
            with tempfile.NamedTemporaryFile(dir=folder, prefix=".corso-"):
                pass
        except OSError as error:
            return Line(FAIL, "scrittura", f"{folder}: {reason(error)}", "copia il corso in una cartella tua")
    return Line(OK, "scrittura", "permessa nelle cartelle del corso")


def check_disk(root: Path) -> Line:
    """C'è spazio per lavorare."""
    free = shutil.disk_usage(root).free // 10**6
    if free < FREE_MB:
        return Line(FAIL, "disco", f"{number(free)} MB liberi", f"libera spazio: servono {FREE_MB} MB")
    return Line(OK, "disco", f"{number(free)} MB liberi")


def check_optional(name: str, found: str | None, purpose: str, install: str) -> Line:
    """Ciò che serve solo a chi sviluppa o corregge; in CI (CI=true) è obbligatorio."""
    if found:
        return Line(OK, name, str(found))
    status = FAIL if os.environ.get("CI") == "true" else OPTIONAL
    return Line(status, name, f"manca; serve solo {purpose}", install)


def check_box_memory() -> Iterator[Line]:
    """Chi limita la memoria del codice degli allievi; nulla dove non si può correggere."""
    if shutil.which("bwrap") is None or importlib.util.find_spec("course_lib.grading.memory") is None:
        return
    yield Line(OK, "memoria del box", importlib.import_module("course_lib.grading.memory").in_words())


def find_chromium() -> str | None:
    """Percorso di un Chromium installato, o None."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)
