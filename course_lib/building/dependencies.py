"""Quali file di `course_lib` può toccare un notebook: se ne cambia uno, il notebook si ricostruisce."""

from __future__ import annotations

import ast
from pathlib import Path

from course_lib.building.code import parse
from course_lib.building.source import Source

PACKAGE = "course_lib"


def library_folder() -> Path:
    """La cartella di `course_lib` in uso."""
    return Path(__file__).resolve().parents[1]


def dependencies(source: Source) -> list[Path]:
    """I file di `course_lib` che le celle della sorgente importano, anche attraverso altri moduli.

    Dove un modulo importa per nome (`importlib`) si prende tutta la sua cartella; di ogni cartella toccata
    si prendono anche i file che non sono Python (JavaScript, stili, dati, anche in cartelle di soli dati).
    """
    waiting = [
        name
        for cell in source.cells
        if cell.kind == "code"
        for name in imported(parse(cell.source), package="")
    ]
    found: set[Path] = set()
    while waiting:
        for path in files_of(waiting.pop()):
            if path in found:
                continue
            found.add(path)
            tree = ast.parse(path.read_text(encoding="utf-8"))
            waiting += imported(tree, package_of(path))
            if "importlib" in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}:
                waiting += [module_name(other) for other in path.parent.rglob("*.py")]
    data = {path for folder in {path.parent for path in found} for path in data_in(folder)}
    return sorted(found | data)


def data_in(folder: Path) -> list[Path]:
    """I file di una cartella che non sono Python, e quelli delle cartelle di soli dati che contiene."""
    found = []
    for path in folder.iterdir():
        if path.name.startswith(".") or path.name == "__pycache__":
            continue
        if path.is_dir() and not any(path.glob("*.py")):
            found += data_in(path)
        elif path.is_file() and path.suffix not in (".py", ".pyc"):
            found.append(path)
    return found


def imported(tree: ast.AST, package: str) -> list[str]:
    """I moduli di course_lib che un albero importa; package: dove si trova, per gli import relativi."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join(parts[: len(parts) - node.level + 1] + ([node.module] if node.module else []))
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return [name for name in names if name == PACKAGE or name.startswith(PACKAGE + ".")]


def files_of(module: str) -> list[Path]:
    """Il file di un modulo e gli `__init__` dei pacchetti che lo contengono; vuoto se non è un modulo."""
    parts = module.split(".")[1:]
    folder, found = library_folder(), []
    for part in [None, *parts]:
        if part is not None:
            if (folder / f"{part}.py").is_file():
                return [*found, folder / f"{part}.py"]
            folder = folder / part
        if not (folder / "__init__.py").is_file():
            break
        found.append(folder / "__init__.py")
    return found


def module_name(path: Path) -> str:
    """Da `course_lib/checks/es02.py` a `course_lib.checks.es02`."""
    relative = path.relative_to(library_folder().parent).with_suffix("")
    return ".".join(part for part in relative.parts if part != "__init__")


def package_of(path: Path) -> str:
    """Il pacchetto in cui si trova un modulo, per gli import relativi."""
    return ".".join(path.parent.relative_to(library_folder().parent).parts)
