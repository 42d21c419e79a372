"""Un corso in miniatura per provare la costruzione: un notebook e un esercizio campione."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.notebooks import texts

DATA = Path(__file__).parent / "dati"


@pytest.fixture(scope="session")
def campione() -> str:
    """Il testo del notebook campione."""
    return (DATA / "99-campione.md").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def esercizio() -> str:
    """Il testo dell'esercizio campione."""
    return (DATA / "es99.md").read_text(encoding="utf-8")


@pytest.fixture
def leggi(tmp_path):
    """Scrive un testo in un file e lo legge come sorgente."""
    from course_lib.building.source import read_source

    def read(text: str | bytes, name: str = "es99.md"):
        path = tmp_path / name
        path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
        return read_source(path, f"sources/{name}")

    return read


def make_course(root: Path, *names: str) -> Path:
    """Una cartella di corso con dentro soltanto le sorgenti campione date."""
    for name in names:
        kind = "exercises" if name.startswith("es") else "notebooks"
        folder = root / "sources" / kind
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(DATA / name, folder / name)
    return root


@pytest.fixture(scope="session")
def costruito(tmp_path_factory) -> Path:
    """Il corso in miniatura già costruito; chi lo usa non lo cambia."""
    from course_lib.building.pipeline import build

    root = make_course(tmp_path_factory.mktemp("campione"), "99-campione.md", "es99.md")
    build(root, say=lambda line: None)
    return root


@pytest.fixture
def corso(costruito, tmp_path) -> Path:
    """Una copia tutta sua del corso in miniatura già costruito, con le sue impronte."""
    root = tmp_path / "corso"
    shutil.copytree(costruito, root)
    return root


@pytest.fixture(scope="module")
def prose(request) -> str:
    """La prosa del notebook che il modulo chiama NAME."""
    return texts.prose(texts.source(request.module.NAME))


@pytest.fixture(scope="module")
def code(request) -> list[str]:
    """Le celle di codice del notebook che il modulo chiama NAME."""
    return texts.code(texts.source(request.module.NAME))
