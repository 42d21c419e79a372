"""es08.npz viaggia con il notebook: consegna, raccolta, registro; i file ostili non fermano nessuno."""

from __future__ import annotations

import datetime as dt
import io
import json
import os
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course_lib.checks.own_model import OWN_MODEL
from course_lib.grading.collection import collect, collect_class
from course_lib.grading.handin import hand_in
from course_lib.grading.manifest import MANIFEST
from course_lib.grading.receipts import verify
from course_lib.grading.register import Register, sha256
from course_lib.grading.verdicts import Verdict
from tests.own_model import npz

WHEN = dt.datetime(2026, 11, 20, 22, 50, tzinfo=dt.UTC)
NOTEBOOK = nbformat.writes(new_notebook(cells=[new_code_cell("x = 1", id="a")])).encode()
MODEL = "es08.npz"

pytestmark = pytest.mark.usefixtures("sample")


@pytest.fixture
def work(tmp_path) -> Path:
    """La cartella in cui si lavora, con il notebook e il file dei parametri."""
    folder = tmp_path / "lavoro"
    folder.mkdir()
    (folder / "es97.ipynb").write_bytes(NOTEBOOK)
    (folder / MODEL).write_bytes(npz())
    return folder


def prepared(work: Path, name: str = "Anna Bianchi", when: dt.datetime = WHEN):
    return hand_in(work / "es97.ipynb", "es97", name, work.parent / "arrivi", when)


def members(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as file:
        return {name: file.read(name) for name in file.namelist()}


def rewritten(archive: Path, **changed: bytes) -> None:
    """Lo zip di una consegna, con altri byte al posto di una voce («__» sta per il punto)."""
    inside = members(archive) | {name.replace("__", "."): data for name, data in changed.items()}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in inside.items():
            file.writestr(name, data)


def collected(folder: Path, exercise: str = "es97"):
    found, skipped = collect(folder, exercise)
    return {one.student: one for one in found}, skipped


def test_the_archive_the_manifest_and_the_receipt_hold_the_file(work):
    handed, raw = prepared(work), (work / MODEL).read_bytes()
    inside = members(handed.archive)
    assert list(inside) == [MANIFEST, "es97.ipynb", MODEL]
    assert inside[MODEL] == raw
    assert json.loads(inside[MANIFEST])["file"][1] == {"nome": MODEL, "byte": len(raw), "sha256": sha256(raw)}
    assert f"SHA-256 di es08.npz:    {sha256(raw)}\n" in handed.text
    assert handed.notes == []
    assert verify(handed.receipt)[0]


def test_an_exercise_without_files_is_handed_in_as_before(work, tmp_path):
    handed = hand_in(work / "es97.ipynb", "es02", "Anna", tmp_path / "altrove", WHEN)
    assert list(members(handed.archive)) == [MANIFEST, "es02.ipynb"]
    assert "npz" not in handed.text + "".join(handed.notes)


@pytest.mark.parametrize(
    ("raw", "said", "packed"),
    [
        (None, "Accanto al notebook manca es08.npz: esegui la cella dell'addestramento", False),
        (bytes(200_001), "es08.npz supera 200 KB", False),
        (b"ciao", "es08.npz non è un file .npz", True),
    ],
    ids=["manca", "troppo grande", "non è un npz"],
)
def test_a_fault_is_said_before_handing_in_and_the_rest_counts(work, raw, said, packed):
    (work / MODEL).unlink()
    if raw is not None:
        (work / MODEL).write_bytes(raw)
    handed = prepared(work)
    (note,) = handed.notes
    assert note.startswith(said)
    assert note.endswith(" Così la prova che lo usa non sarebbe superata.")
    assert (MODEL in members(handed.archive)) == packed


def test_a_folder_in_its_place_is_said(work):
    (work / MODEL).unlink()
    (work / MODEL).mkdir()
    assert "es08.npz non si legge (" in prepared(work).notes[0]


def test_what_is_handed_in_is_collected_byte_for_byte(work):
    prepared(work)
    found, skipped = collected(work.parent / "arrivi")
    assert found["anna-bianchi"].files == {MODEL: (work / MODEL).read_bytes()}
    assert found["anna-bianchi"].notes == []
    assert skipped == []


def test_a_file_changed_after_the_receipt_is_said(work):
    rewritten(prepared(work).archive, es08__npz=b"altro")
    found, _ = collected(work.parent / "arrivi")
    assert found["anna-bianchi"].files == {MODEL: b"altro"}
    assert found["anna-bianchi"].notes == [
        "L'impronta di es08.npz non è quella del manifesto: il file è cambiato dopo la ricevuta."
    ]


def test_of_a_bomb_only_the_beginning_is_kept(work):
    rewritten(prepared(work).archive, es08__npz=bytes(30_000_000))
    found, _ = collected(work.parent / "arrivi")
    kept = found["anna-bianchi"].files[MODEL]
    assert len(kept) == OWN_MODEL.most + 1
    assert "supera 200 KB" in OWN_MODEL.fault(kept)
    assert found["anna-bianchi"].refused is None


def test_a_damaged_member_leaves_the_notebook(work):
    archive = prepared(work).archive
    raw = bytearray(archive.read_bytes())
    place = raw.rindex(MODEL.encode(), 0, raw.index(b"PK\x01\x02")) + len(MODEL)
    raw[place : place + 40] = bytes(40)
    archive.write_bytes(bytes(raw))
    found, _ = collected(work.parent / "arrivi")
    assert found["anna-bianchi"].refused is None
    assert found["anna-bianchi"].files == {}
    assert found["anna-bianchi"].notes == ["es08.npz è rovinato, o non è lungo quanto dichiara."]


PLACES = {
    "cartelle di Moodle": (
        "Anna Rossi_1_assignsubmission_file_/es97.ipynb",
        "Anna Rossi_1_assignsubmission_file_/es08.npz",
    ),
    "Moodle senza cartelle": (
        "Anna Rossi_1_assignsubmission_file_es97.ipynb",
        "Anna Rossi_1_assignsubmission_file_es08.npz",
    ),
    "una cartella a testa": ("es97/Anna Rossi/es97.ipynb", "es97/Anna Rossi/es08 (1).npz"),
    "nomi nei file": ("es97_anna-rossi.ipynb", "es08_anna-rossi.npz"),
    "un nome solo": ("es97_anna-rossi.ipynb", "es08.npz"),
}


@pytest.mark.parametrize("case", PLACES)
@pytest.mark.parametrize("zipped", [False, True], ids=["cartella", "zip"])
def test_a_loose_file_joins_the_notebook_beside_it(case, zipped, tmp_path):
    arrivals = tmp_path / "arrivi"
    arrivals.mkdir()
    notebook, model = PLACES[case]
    put(arrivals, {notebook: NOTEBOOK, model: npz()}, zipped)
    found, skipped = collected(arrivals)
    assert {student: one.files for student, one in found.items()} == {"anna-rossi": {MODEL: npz()}}
    assert skipped == []


def put(folder: Path, files: dict[str, bytes], zipped: bool = False) -> None:
    if zipped:
        with zipfile.ZipFile(folder / "classe.zip", "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


@pytest.mark.parametrize("zipped", [False, True], ids=["cartella", "zip"])
def test_each_file_goes_to_its_own_author(zipped, tmp_path):
    names = ("Anna Rossi", "Bruno Neri")
    models = {name: npz() + bytes(i) for i, name in enumerate(names)}
    files = {}
    for i, name in enumerate(names):
        files[f"{name}_{i}_assignsubmission_file_es97.ipynb"] = NOTEBOOK
        files[f"{name}_{i}_assignsubmission_file_es08.npz"] = models[name]
    put(tmp_path, files, zipped)
    found, _ = collected(tmp_path)
    assert found["anna-rossi"].files == {MODEL: models["Anna Rossi"]}
    assert found["bruno-neri"].files == {MODEL: models["Bruno Neri"]}


def test_a_file_of_nobody_or_of_another_is_ignored_and_said(tmp_path):
    files = {
        "es97_anna.ipynb": NOTEBOOK,
        "es97_bruno.ipynb": NOTEBOOK,
        "es08.npz": npz(),
        "es08_carla.npz": npz(),
    }
    put(tmp_path, files)
    found, skipped = collected(tmp_path)
    assert [one.files for one in found.values()] == [{}, {}]
    assert skipped == [
        "«es08.npz» non è uno zip né un notebook: ignorato.",
        "«es08_carla.npz» non è uno zip né un notebook: ignorato.",
    ]


def test_two_different_files_beside_a_notebook_are_said(tmp_path):
    put(tmp_path, {"Anna/es97.ipynb": NOTEBOOK, "Anna/es08 (1).npz": b"vecchio", "Anna/es08.npz": npz()})
    found, _ = collected(tmp_path)
    assert found["anna"].files == {MODEL: npz()}
    assert found["anna"].notes == ["Accanto al notebook c'era più di un es08.npz: ne è stato letto uno solo."]


def test_who_sends_only_the_file_is_missing(tmp_path):
    put(tmp_path, {"Anna Rossi_1_assignsubmission_file_/es08.npz": npz()})
    found, _ = collected(tmp_path)
    assert found["anna-rossi"].refused.verdict == Verdict.MISSING


def test_for_other_exercises_the_file_is_one_of_those_ignored(tmp_path):
    put(tmp_path, {"Anna/es02.ipynb": NOTEBOOK, "Anna/es08.npz": npz()})
    found, skipped = collected(tmp_path, "es02")
    assert found["anna"].files == {}
    assert skipped == ["Anna: «es08.npz» non è uno zip né un notebook: ignorato."]


def test_a_link_is_not_followed(tmp_path):
    put(tmp_path, {"Anna/es97.ipynb": NOTEBOOK, "segreto": b"segreto"})
    os.symlink(tmp_path / "segreto", tmp_path / "Anna" / MODEL)
    found, skipped = collected(tmp_path)
    assert found["anna"].files == {}
    assert any("collegamento" in line for line in skipped)


def test_the_register_keeps_the_file_and_reads_it_again(work, tmp_path):
    register = Register(tmp_path / "corso")
    prepared(work)
    (chosen,) = collect_class(register, "es97", work.parent / "arrivi").chosen
    (kept,) = register.received("es97", "anna-bianchi").glob(f"*.{MODEL}")
    assert kept.read_bytes() == (work / MODEL).read_bytes()
    assert kept.stat().st_mode & 0o777 == 0o444
    record = json.loads(chosen.stored.with_suffix(".json").read_bytes())
    assert record["altri file"] == {MODEL: sha256(kept.read_bytes())}
    (work.parent / "arrivi" / chosen.source.name).unlink()
    (work / MODEL).write_bytes(npz() + b"\0")
    prepared(work, when=WHEN - dt.timedelta(days=1))
    (again,) = collect_class(register, "es97", work.parent / "arrivi").chosen
    assert again.files == {MODEL: kept.read_bytes()}
    assert again.digest == chosen.digest


def test_another_file_with_the_same_notebook_is_another_submission(work, tmp_path):
    register = Register(tmp_path / "corso")
    prepared(work)
    (work / MODEL).write_bytes(npz() + b"\0")
    later = WHEN + dt.timedelta(hours=1)
    prepared(work, when=later)
    (chosen,) = collect_class(register, "es97", work.parent / "arrivi").chosen
    assert chosen.files == {MODEL: npz() + b"\0"}
    assert chosen.when == later
    assert "Arrivate 2 consegne: vale l'ultima" in chosen.notes[0]
    assert len(list(register.received("es97", "anna-bianchi").glob("*.ipynb"))) == 2


def test_a_zip_inside_a_class_zip_keeps_its_file(work, tmp_path):
    inner = prepared(work).archive
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.write(inner, f"Anna Bianchi_1_assignsubmission_file_/{inner.name}")
    folder = tmp_path / "classe"
    put(folder, {"tutte.zip": buffer.getvalue()})
    found, _ = collected(folder)
    assert found["anna-bianchi"].files == {MODEL: npz()}
