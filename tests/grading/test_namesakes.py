"""Il file di una persona nella cartella di un'altra: vale, ma lo si dice a chi corregge e a chi consegna."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from course_lib.grading.collection import collect
from course_lib.grading.handin import MANIFEST


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def handed_in(name: str) -> bytes:
    content = {"esercizio": "es02", "nome": name, "quando": "2026-11-10", "file": [{"sha256": ""}]}
    return zipped({MANIFEST: json.dumps(content).encode(), "es02.ipynb": b"{}"})


def gather(tmp_path, *paths: str):
    """Le consegne per persona e le frasi, da notebook, zip di un notebook e zip con il manifesto di Bruno."""
    for path in paths:
        outer, inside, name = path.partition(".zip/")
        target = tmp_path / (outer + ".zip" if inside else path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if inside:
            with zipfile.ZipFile(target, "a") as archive:
                archive.writestr(name, b"{}")
        else:
            target.write_bytes(handed_in("Bruno Rossi") if path.endswith(".zip") else b"{}")
    found, said = collect(tmp_path, "es02")
    return {submission.student: submission for submission in found}, said


@pytest.mark.parametrize(
    "path",
    [
        "Anna Bianchi/es02 - Bruno Rossi.ipynb",
        "2A/Anna Bianchi/consegne/es02 - Bruno Rossi.ipynb",
        "es02_anna-bianchi.zip/es02_bruno-rossi.ipynb",
        "Anna Bianchi/es02_bruno-rossi.zip/es02.ipynb",
        "Anna Bianchi.zip/es02 Bruno Rossi.ipynb",
        "Anna Bianchi/consegna.zip",
        "es02_anna-bianchi.zip",
    ],
)
def test_a_file_in_the_folder_of_another_is_said_to_both(tmp_path, path):
    gather(tmp_path, "Bruno Rossi/es02.ipynb", path)
    everything, said = collect(tmp_path, "es02")
    assert [submission.student for submission in everything] == ["bruno-rossi"] * 2
    (sentence,) = [one for one in said if "stava nella cartella o nello zip di" in one]
    assert "nna" in sentence.partition(": dice")[2]
    notes = [note for submission in everything for note in submission.notes]
    assert sum("stava nella cartella o nello zip di" in note for note in notes) == 1


@pytest.mark.parametrize(
    "path",
    [
        "Anna Bianchi/es02_bianchi-anna.ipynb",
        "Anna Bianchi/es02_anna.ipynb",
        "Anna Bianchi/Anna Bianchi - es02.zip/es02.ipynb",
        "2A/es02 - Anna Bianchi.ipynb",
        "Terza B/es02 - Anna Bianchi.ipynb",
        "arrivi/es02 - Anna Bianchi.ipynb",
        "Compiti di novembre/Anna Bianchi/es02.ipynb",
        "2A es02.zip/es02_anna-bianchi.ipynb",
        "Bianchi Anna_1_assignsubmission_file_/es02_bruno-rossi.ipynb",
    ],
)
def test_an_honest_folder_gets_no_word(tmp_path, path):
    found, said = gather(tmp_path, path)
    assert said == []
    assert all("cartella" not in note for note in found.popitem()[1].notes)


def test_the_zip_of_one_that_names_many_gets_one_sentence(tmp_path):
    found, said = gather(tmp_path, *(f"es02_anna.zip/es02_finto-{i:03}.ipynb" for i in range(200)))
    assert len(found) == 200
    (sentence,) = said
    assert "«anna»" in sentence
    assert "200 persone (finto-000, finto-001, finto-002 e altre 197)" in sentence
    assert all(submission.notes == [] for submission in found.values())


def test_when_one_of_them_gives_the_folder_its_name_the_others_are_told(tmp_path):
    paths = ["es02.ipynb", *(f"es02 - Finto N{chr(97 + i)}.ipynb" for i in range(20))]
    found, said = gather(tmp_path, *(f"Anna Bianchi/{path}" for path in paths))
    assert len(said) == 1
    assert found.pop("anna-bianchi").notes == []
    assert all("di «Anna Bianchi»" in submission.notes[-1] for submission in found.values())


def test_a_name_written_three_ways_is_pointed_out_for_each(tmp_path):
    names = ("Anna Rossi Blu", "Blu Rossi Anna", "Rossi Anna Blu", "Carla")
    _, said = gather(tmp_path, *(f"es02 - {name}.ipynb" for name in names))
    assert [one.partition(" sembrano")[0] for one in said] == [
        "anna-rossi-blu e blu-rossi-anna",
        "anna-rossi-blu e rossi-anna-blu",
    ]
