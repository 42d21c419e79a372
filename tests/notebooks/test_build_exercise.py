"""L'esercizio costruito: metadati di nbgrader, nessuna uscita; e quello che nbgrader ne fa per chi studia."""

from __future__ import annotations

import nbformat
import pytest

from course_lib.building.exercises import build_release, build_solution, generate_assignment
from course_lib.building.nbgrader_settings import CODE_STUB
from course_lib.building.source import SourceError


def read(path):
    return {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}


@pytest.fixture(scope="module")
def solution(costruito):
    return read(costruito / "solutions" / "es99" / "es99.ipynb")


@pytest.fixture(scope="module")
def release(costruito):
    return read(costruito / "exercises" / "es99" / "es99.ipynb")


def test_ids_are_the_grade_ids(solution, release):
    assert list(solution) == [
        "esercizio-campione",
        "esercizio-campione-preparazione",
        "il-prodotto-scalare",
        "il-prodotto-scalare-risposta",
        "il-prodotto-scalare-testo",
        "il-prodotto-scalare-codice",
        "il-prodotto-scalare-prova",
        "prodotto-lungo-prova",
        "la-risposta-e-piu-in-la",
        "scala-risposta",
        "scala-prova",
        "scala-nascosta-prova",
    ]
    assert list(release) == list(solution)
    for cells in (solution, release):
        assert all(cell.metadata.nbgrader.grade_id == name for name, cell in cells.items())


def test_metadata_of_each_kind_of_cell(solution):
    common = {"schema_version": 3, "task": False}
    assert solution["il-prodotto-scalare-risposta"].metadata == {
        "tags": ["risposta"],
        "nbgrader": {
            **common,
            "cell_type": "code",
            "grade": False,
            "solution": True,
            "locked": False,
            "grade_id": "il-prodotto-scalare-risposta",
        },
    }
    assert solution["il-prodotto-scalare-prova"].metadata == {
        "tags": ["prova"],
        "nbgrader": {
            **common,
            "cell_type": "code",
            "grade": True,
            "solution": False,
            "locked": True,
            "points": 3,
            "grade_id": "il-prodotto-scalare-prova",
        },
    }
    for name, kind in [("esercizio-campione", "markdown"), ("il-prodotto-scalare-codice", "code")]:
        assert solution[name].metadata == {
            "nbgrader": {
                **common,
                "cell_type": kind,
                "grade": False,
                "solution": False,
                "locked": True,
                "grade_id": name,
            },
        }
    assert solution["esercizio-campione-preparazione"].metadata.tags == ["preparazione"]
    assert solution["esercizio-campione-preparazione"].metadata.nbgrader.locked


def test_nbgrader_accepts_both(solution, release):
    from nbgrader.nbgraderformat import MetadataValidator

    for cells in (solution, release):
        MetadataValidator().validate_nb(nbformat.v4.new_notebook(cells=list(cells.values())))


def test_points_sum_to_ten(release):
    assert sum(cell.metadata.nbgrader.get("points", 0) for cell in release.values()) == 10


def test_no_outputs_anywhere(solution, release):
    for cells in (solution, release):
        code = [cell for cell in cells.values() if cell.cell_type == "code"]
        assert len(code) == 8
        assert all(cell.outputs == [] and cell.execution_count is None for cell in code)


def test_the_pupil_gets_an_italian_stub_in_place_of_the_answer(solution, release):
    assert "componenti" in solution["il-prodotto-scalare-risposta"].source
    assert release["il-prodotto-scalare-risposta"].source == (
        'def prodotto(q, k):\n    """Prodotto scalare di q: (d,) e k: (d,)."""\n'
        + "\n".join("    " + line for line in CODE_STUB.splitlines())
    )
    assert release["scala-risposta"].source == CODE_STUB
    assert "YOUR CODE" not in str(release)


def test_hidden_tests_are_gone_and_visible_ones_stay(solution, release):
    assert "64.5" in solution["prodotto-lungo-prova"].source
    assert release["prodotto-lungo-prova"].source == "assert prodotto(np.ones(7), np.ones(7)) == 7"
    assert release["scala-nascosta-prova"].source == "# prova nascosta: punteggi negativi"
    everything = "\n".join(cell.source for cell in release.values())
    assert not any(word in everything for word in ("BEGIN", "END", "HIDDEN", "SOLUTION"))


def test_everything_but_the_answers_is_locked(release):
    for name, cell in release.items():
        assert cell.metadata.deletable is False
        assert cell.metadata.get("editable", True) is name.endswith("-risposta")
        assert cell.metadata.nbgrader.locked is not name.endswith("-risposta")


def test_checksums_are_those_of_nbgrader(release):
    from nbgrader.utils import compute_checksum

    assert all(cell.metadata.nbgrader.checksum == compute_checksum(cell) for cell in release.values())


def test_formgrader_would_generate_the_same_bytes(costruito, tmp_path):
    """Il pulsante «Generate» di formgrader dà lo stesso esercizio (a capo finale a parte)."""
    source = tmp_path / "solutions" / "es99"
    source.mkdir(parents=True)
    source.joinpath("es99.ipynb").write_bytes((costruito / "solutions" / "es99" / "es99.ipynb").read_bytes())
    assert generate_assignment(tmp_path, "es99")["success"]
    made = (tmp_path / "exercises" / "es99" / "es99.ipynb").read_bytes()
    assert made.rstrip(b"\n") + b"\n" == (costruito / "exercises" / "es99" / "es99.ipynb").read_bytes()


def test_generating_is_silent(leggi, esercizio, capfd):
    build_release("es99", build_solution(leggi(esercizio)))
    assert capfd.readouterr() == ("", "")


def test_control_c_while_nbgrader_works_is_not_an_error_of_the_exercise(leggi, esercizio, monkeypatch):
    from nbgrader.converters import GenerateAssignment

    def interrupted(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(GenerateAssignment, "convert_single_notebook", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build_release("es99", build_solution(leggi(esercizio)))


def test_what_nbgrader_refuses_is_said_in_a_sentence(leggi, esercizio):
    broken = build_solution(leggi(esercizio)).replace('"schema_version": 3', '"schema_version": 2')
    with pytest.raises(SourceError) as error:
        build_release("es99", broken)
    assert str(error.value).startswith("es99: nbgrader non ha prodotto l'esercizio (")
    assert "\n" not in str(error.value)
