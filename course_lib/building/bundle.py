"""Il pacchetto per chi studia: uno zip con un elenco chiuso di file, sempre con gli stessi byte."""

from __future__ import annotations

import io
import tomllib
import zipfile
from pathlib import Path

from course_lib.building.for_class import class_texts
from course_lib.building.leaks import find_leaks, secrets
from course_lib.building.pipeline import targets
from course_lib.building.stamps import write_if_different
from course_lib.project import CorsoError

TOP_FILES = (
    "corso.py",
    "pyproject.toml",
    "requirements.lock",
    "environment.yml",
    "README.md",
    "LICENSE",
    "LICENSE-testi",
)
# In cima al README di questo pacchetto.
STUDENTS = """\
> Questo è il pacchetto per chi studia, e si comincia da `LEGGIMI.txt`. Ciò che qui sotto riguarda chi
> insegna o chi scrive il corso (`GUIDA.md`, `CONTRIBUTING.md`, `deploy/`) sta nella copia completa.

"""
# Della biblioteca si prendono soltanto questi tipi di file, e nessuna cartella che comincia con «.» o «__».
LIBRARY_SUFFIXES = {
    ".py",
    ".js",
    ".css",
    ".json",
    ".txt",
    ".md",
    ".html",
    ".j2",
    ".tpl",
    ".csv",
    ".npz",
    ".png",
    ".svg",
}
ORIGINALS = "exercises/.originali"
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # la prima data che uno zip sa scrivere: quella vera cambierebbe i byte


def bundle_files(root: Path) -> dict[str, bytes]:
    """I file del pacchetto: percorso -> contenuto, in ordine di percorso.

    Solleva CorsoError se manca un file che deve esserci, o se non corrisponde alle sorgenti.
    """
    paths = {name: root / name for name in TOP_FILES} | library_files(root)
    missing = sorted(name for name, path in paths.items() if not path.is_file())
    if missing:
        raise CorsoError(
            f"nel corso manca {missing[0]}, che nel pacchetto deve esserci: rimettilo e riprova."
        )
    files = {name: path.read_bytes() for name, path in paths.items()}
    for name, text in class_texts(root).items():
        files[name] = text.encode("utf-8")
        if name.startswith("exercises/"):  # la copia intatta con cui `corso controlla` confronta
            files[f"{ORIGINALS}/{Path(name).name}"] = files[name]
    files["README.md"] = STUDENTS.encode() + files["README.md"]
    files["LEGGIMI.txt"] = (Path(__file__).parent / "leggimi.txt").read_bytes()
    return dict(sorted(files.items()))


def library_files(root: Path) -> dict[str, Path]:
    """I file della biblioteca che entrano nel pacchetto: percorso -> dove sta."""
    found = {}
    for path in (root / "course_lib").rglob("*"):
        parts = path.relative_to(root).parts
        hidden = any(part.startswith((".", "__")) for part in parts[:-1]) or parts[-1].startswith(".")
        if path.is_file() and path.suffix in LIBRARY_SUFFIXES and not hidden:
            found["/".join(parts)] = path
    return found


def version(root: Path) -> str:
    """La versione del corso, da pyproject.toml."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def zip_bytes(files: dict[str, bytes], folder: str) -> bytes:
    """Uno zip con i file dati dentro una cartella sola; stessi file, stessi byte."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(f"{folder}/{name}", LONG_AGO)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # come su Unix, anche da Windows: altrimenti i byte cambierebbero
            info.external_attr = 0o100644 << 16
            archive.writestr(info, data, compresslevel=9)
    return buffer.getvalue()


def distribute(root: Path, folder: Path) -> tuple[Path, dict[str, bytes]]:
    """Scrive il pacchetto in `folder` e restituisce il suo percorso e i file che contiene.

    Solleva CorsoError, senza scrivere nulla, se ciò che è costruito non corrisponde alle sorgenti o se
    nel pacchetto finirebbe una soluzione o una prova nascosta.
    """
    files = bundle_files(root)
    expect_no_leaks(root, files)
    name = f"chiave-di-lettura-{version(root)}"
    path = folder / f"{name}.zip"
    try:
        write_if_different(path, zip_bytes(files, name))
    except OSError as error:
        raise CorsoError(
            f"non riesco a scrivere {path}: libera spazio, "
            "o scegli con --in una cartella in cui puoi scrivere."
        ) from error
    return path, files


def expect_no_leaks(root: Path, files: dict[str, bytes]) -> None:
    """Solleva CorsoError se in un file del pacchetto c'è qualcosa di nascosto."""
    wanted = [
        secret for target in targets(root) if not target.is_notebook for secret in secrets(target.read())
    ]
    # le copie intatte in fondo: nell'errore si vuole il file da correggere
    leaks = sorted(find_leaks(files, wanted), key=lambda leak: leak.startswith(ORIGINALS))
    if leaks:
        more = f" (e altre {len(leaks) - 1})" if len(leaks) > 1 else ""
        raise CorsoError(f"il pacchetto non si fa, perché {leaks[0]}{more}: toglila dal file e riprova.")
