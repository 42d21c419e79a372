"""nbval rilegge i notebook che stanno in git: eseguiti di nuovo devono mostrare le stesse cose."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from course_lib.building.notebooks import kernel_environment
from course_lib.building.pipeline import targets
from course_lib.project import project_root

DATA = Path(__file__).parent / "dati"
NOTEBOOKS = [target.paths()[0] for target in targets(project_root()) if target.is_notebook]

pytestmark = pytest.mark.lento


def nbval(path: Path, folder: Path) -> subprocess.CompletedProcess:
    """Esegue nbval su una copia del notebook, in una cartella sua che deve restare com'era."""
    place = folder / "notebook"
    place.mkdir()
    shutil.copy(path, place)
    (folder / "ipython").mkdir()
    done = subprocess.run(
        [
            sys.executable, "-m", "pytest", "-q", "-c", str(DATA / "nbval.ini"), f"--rootdir={place}",
            "-p", "no:cacheprovider", "--nbval", "--nbval-current-env",
            "--nbval-sanitize-with", str(DATA / "nbval.cfg"), path.name,
        ],
        cwd=place, env=kernel_environment(folder / "ipython"),
        capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert [left.name for left in place.iterdir()] == [path.name], "il notebook ha lasciato dei file"
    return done


def summary(done: subprocess.CompletedProcess) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).strip().splitlines()[-1]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_shows_the_same_again(path, tmp_path):
    done = nbval(path, tmp_path)
    assert done.returncode == 0, done.stdout[-3000:]
    code = sum(cell.cell_type == "code" for cell in nbformat.read(path, as_version=4).cells)
    assert f"{code} passed" in summary(done)


def altered(path: Path, folder: Path, cell_id: str, old: str, new: str) -> Path:
    """Una copia del notebook con un testo cambiato nell'uscita di una cella."""
    notebook = nbformat.read(path, as_version=4)
    cell = next(cell for cell in notebook.cells if cell.id == cell_id)
    found = False
    for output in cell.outputs:
        places = [(output, "text")] if "text" in output else [(output.get("data", {}), "text/plain")]
        for where, key in places:
            if old in where.get(key, ""):
                where[key], found = where[key].replace(old, new, 1), True
    assert found
    folder.mkdir()
    nbformat.write(notebook, folder / path.name)
    return folder / path.name


@pytest.fixture
def sample(costruito):
    return costruito / "notebooks" / "99-campione.ipynb"


def test_one_printed_number_changed_makes_it_fail(sample, tmp_path):
    done = nbval(
        altered(sample, tmp_path / "a", "notebook-campione-codice", "somma: 5", "somma: 6"), tmp_path
    )
    assert done.returncode == 1
    assert summary(done).startswith("1 failed, 5 passed")


def test_one_digit_of_a_result_changed_makes_it_fail(sample, tmp_path):
    done = nbval(altered(sample, tmp_path / "a", "coefficienti", "0.66524096", "0.66524097"), tmp_path)
    assert summary(done).startswith("1 failed, 5 passed")


def test_a_number_of_the_course_changed_makes_it_fail(tmp_path):
    path = project_root() / "notebooks" / "02-attenzione-a-mano.ipynb"
    notebook = nbformat.read(path, as_version=4)
    cell = next(
        cell for cell in notebook.cells if "0,665" in str((cell.get("outputs") or [{}])[0].get("text"))
    )
    done = nbval(altered(path, tmp_path / "a", cell.id, "0,665", "0,666"), tmp_path)
    assert summary(done).startswith("1 failed")


def test_variable_cells_addresses_and_widgets_are_not_compared(sample, tmp_path):
    changed = altered(sample, tmp_path / "a", "prima-prevedi-2-codice", "1", "2")
    done = nbval(
        altered(changed, tmp_path / "b", "notebook-campione-codice", "0x...", "0x7f0123456789"), tmp_path
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "6 passed" in summary(done)
