"""Il «Release» di nbgrader: alla classe va il testo delle sorgenti, qualunque cosa ci sia in exercises/."""

from __future__ import annotations

import shutil
import stat

import nbformat
import pytest
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config

from course_lib.building.nbgrader_settings import nbgrader_settings
from course_lib.hub.lab import exchange_config
from course_lib.hub.settings import read_settings
from tests.conftest import ROOT
from tests.grading import samples

MODEL = ROOT / "deploy" / "jupyterhub" / "hub.toml"


@pytest.fixture
def course(tmp_path):
    """Il corso di chi insegna, che ha risposto a es02 nella sua copia e vi ha lasciato un file."""
    root = tmp_path / "corso"
    for name in ("sources/exercises/es02.md", "solutions/es02", "exercises/es02"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, root / name)
    nbformat.write(samples.solved(), root / "exercises" / "es02" / "es02.ipynb")
    (root / "exercises" / "es02" / "appunti.txt").write_text("la soluzione", encoding="utf-8")
    (tmp_path / "scambio").mkdir()
    return root


def release(root, name="es02") -> dict:
    """Ciò che fa il pulsante di formgrader, e ciò che gli risponde nbgrader."""
    config = nbgrader_settings(root)
    settings = read_settings(MODEL)
    config.merge(Config(exchange_config(root, settings)))
    config.Exchange.root = str(root.parent / "scambio")
    config.Exchange.cache = str(root.parent / "cache")
    return NbGraderAPI(config=config).release_assignment(name)


def outbound(root):
    return root.parent / "scambio" / "chiave-di-lettura" / "outbound"


def test_the_class_gets_the_text_not_the_answers_of_who_teaches(course):
    result = release(course)
    assert result["success"], result
    (folder,) = outbound(course).iterdir()
    (file,) = folder.iterdir()
    assert file.read_bytes() == (ROOT / "exercises" / "es02" / "es02.ipynb").read_bytes()
    assert (folder.name, stat.S_IMODE(folder.stat().st_mode)) == ("es02", 0o755)
    assert (file.name, stat.S_IMODE(file.stat().st_mode)) == ("es02.ipynb", 0o644)


def test_what_is_not_in_the_sources_is_refused_in_a_sentence(course):
    (course / "exercises" / "mio").mkdir()
    result = release(course, "mio")
    assert not result["success"]
    assert "alla classe si danno soltanto gli esercizi scritti lì" in result["log"]
    assert not (outbound(course) / "mio").exists()


def test_solutions_of_another_source_are_refused_in_a_sentence(course):
    path = course / "solutions" / "es02" / "es02.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("np.sqrt", "np.cbrt"), encoding="utf-8")
    result = release(course)
    assert not result["success"]
    assert "corrisponde alle sorgenti: solutions/es02/es02.ipynb" in result["log"]
    assert not (outbound(course) / "es02").exists()
