"""La memoria di che cosa è stato costruito da che cosa: `.costruzione/impronte.json`, ignorato da git.

In un clone fresco non c'è, e allora si ricostruisce tutto.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from course_lib.building.dependencies import library_folder

STAMPS = Path(".costruzione") / "impronte.json"
# Gli strumenti da cui dipende ciò che si scrive: se ne cambia la versione, si ricostruisce.
TOOLS = (
    "numpy",
    "matplotlib",
    "jupytext",
    "nbformat",
    "nbclient",
    "nbconvert",
    "nbgrader",
    "ipykernel",
    "ipython",
)


def digest(*parts: bytes) -> str:
    """Un'impronta SHA-256 delle parti, in ordine; le parti non si confondono fra loro."""
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()


def files_digest(paths: list[Path]) -> str:
    """L'impronta di un gruppo di file di course_lib: nomi relativi e contenuto."""
    parts = []
    for path in sorted(paths):
        parts += [path.relative_to(library_folder()).as_posix().encode("utf-8"), path.read_bytes()]
    return digest(*parts)


# Distribuiscono: ciò che si costruisce non dipende da loro.
NOT_BUILDERS = ("bundle.py", "for_class.py", "leaks.py")


def builder_digest() -> str:
    """L'impronta di chi costruisce: questi moduli e le versioni degli strumenti."""
    versions = [f"python {sys.version_info.major}.{sys.version_info.minor}"]
    for tool in TOOLS:
        try:
            versions.append(f"{tool} {version(tool)}")
        except PackageNotFoundError:
            versions.append(f"{tool} assente")
    modules = [path for path in Path(__file__).parent.glob("*.py") if path.name not in NOT_BUILDERS]
    return digest(files_digest(modules).encode(), "\n".join(versions).encode())


class Stamps:
    """Le impronte di un corso, lette all'inizio e riscritte dopo ogni costruzione riuscita."""

    def __init__(self, root: Path):
        self.root = root
        try:
            self.known = json.loads((root / STAMPS).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.known = {}

    def get(self, target: str) -> dict:
        """L'impronta di un prodotto, o un dizionario vuoto."""
        found = self.known.get(target, {}) if isinstance(self.known, dict) else {}
        return found if isinstance(found, dict) else {}

    def is_fresh(self, target: str, inputs: dict[str, str]) -> bool:
        """True se il prodotto viene proprio da questi ingressi e i suoi file sono come li si era scritti."""
        stamp = self.get(target)
        outputs = stamp.get("outputs")
        return (
            bool(outputs)
            and stamp.get("inputs") == inputs
            and all(file_digest(self.root / name) == value for name, value in outputs.items())
        )

    def record(self, target: str, inputs: dict[str, str], outputs: list[Path]) -> None:
        """Ricorda un prodotto appena scritto."""
        if not isinstance(self.known, dict):
            self.known = {}
        written = {path.relative_to(self.root).as_posix(): file_digest(path) for path in outputs}
        self.known[target] = {"inputs": inputs, "outputs": written}
        text = json.dumps(self.known, indent=1, sort_keys=True) + "\n"
        write_if_different(self.root / STAMPS, text)


def file_digest(path: Path) -> str | None:
    """L'impronta di un file, o None se non c'è."""
    try:
        return digest(path.read_bytes())
    except OSError:
        return None


def write_if_different(path: Path, content: str | bytes) -> bool:
    """Scrive un file tutto insieme: se qualcosa va storto resta quello di prima. True se è cambiato."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".nuovo")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return True
