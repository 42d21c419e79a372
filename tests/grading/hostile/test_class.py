"""La classe ostile corretta una volta, e ciò che ogni garanzia vi chiede. Con -s stampa la tabella."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest
from nbgrader.api import Gradebook

from tests.grading.hostile import probe
from tests.grading.hostile.batch import GOOD, PLACES, file_name, grade, printed, table, wrong
from tests.grading.hostile.cases import CASES
from tests.grading.test_path import hidden_texts, written_files

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def batch(require):
    """Non in tmp_path: le cartelle di pytest sono chiuse agli altri, e difenderebbero al posto del box."""
    require("bwrap")
    with tempfile.TemporaryDirectory(prefix="corso-ostile-") as folder:
        found = grade(Path(folder))
        print("\n" + table(found))
        yield found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_bad_one_gets_what_it_deserves(batch, case):
    assert wrong(case, batch.of(case)) == []


def test_the_good_ones_keep_verdict_and_mark_wherever_they_stand(batch):
    assert len(batch.good()) == 6
    assert {name: result for name, result in batch.good().items()} == {
        name: ("valutato", GOOD[name.rsplit("-", 1)[1]]) for name in batch.good()
    }
    order = sorted(batch.outcomes)
    assert "-buona-" not in order[0] + order[-1]
    assert all(len(batch.of(case)) == 3 for case in CASES)


def test_what_was_not_graded_has_no_mark_anywhere(batch):
    with Gradebook(f"sqlite:///{batch.root}/registro/gradebook.db") as gradebook:
        marks = {s.student_id: s.score for s in gradebook.assignment_submissions("es02")}
    assert marks == {n: o.points for n, o in batch.outcomes.items() if o.verdict == "valutato"}
    assert None not in marks.values()
    assert {o.points for o in batch.outcomes.values() if o.verdict != "valutato"} == {None}


def test_no_canary_is_reached_from_a_box(batch):
    for place in PLACES:
        text = printed(batch, f"{place}-canarini")
        assert "GUARDATI True True" in text
        assert "TROVATI []" in text


def test_the_probe_finds_what_is_there(tmp_path, monkeypatch):
    """Senza box, la stessa sonda trova il canarino nell'ambiente: cerca davvero.

    Guarda soltanto il suo processo: leggere i tubi degli altri, da amministratore, li guasterebbe.
    """
    fake = "CANA" + "RINO-" + "0123456789abcdef"
    script = "import sys; sys.prefix = sys.base_prefix = '/usr'\n"
    script += (
        "import os; walk = os.walk; os.walk = lambda top, **k: walk(sys.argv[1]) if top == '/' else []\n"
        "listed = os.listdir; own = [str(os.getpid())]\n"
        "os.listdir = lambda path='.': own if path == '/proc' else listed(path)\n"
    )
    (tmp_path / "registro").mkdir()
    (tmp_path / "registro" / "voti.txt").write_text(fake, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", script + probe.cell(), str(tmp_path)],
        capture_output=True, text=True, env={"SEGRETO": fake}, timeout=120, cwd=tmp_path,
    )  # fmt: skip
    assert "voti.txt" in done.stdout
    assert "/environ'" in done.stdout
    assert "('environ'" in done.stdout
    assert "mem " in done.stdout


def test_no_secret_is_in_anything_a_pupil_gets(batch):
    """Feedback, notebook corretti, esiti, diario, CSV: né prove nascoste né canarini altrui."""
    secrets = hidden_texts() | {batch.canaries[k] for k in ("soluzione", "prova nascosta", "ambiente")}
    secrets.add(batch.canaries["file di chi corregge"])
    own = {batch.canaries["registro"], batch.canaries["altra consegna"]}
    files = [p for p in written_files(batch.root) if "esercizi" not in p.parts]
    assert len(files) > len(batch.outcomes)
    for path in files:
        text = path.read_text("utf-8", "replace")
        assert not [secret for secret in secrets if secret in text], path
        if not any("-buona-" in part for part in path.parts) and "-buona-" not in path.name:
            assert not [mark for mark in own if mark in text], path


def test_the_hook_printed_no_test(batch):
    for name in [n for n in batch.outcomes if n.endswith("-aggancio-pre-run-cell")]:
        text = printed(batch, name)
        assert "SPIA" in text
        assert "verifica(" not in text.replace("import verifica", "")


def test_nothing_came_in_from_a_box(batch):
    assert batch.connections == 0
    for name in [n for n in batch.outcomes if n.endswith("-rete")]:
        assert "DENTRO" not in printed(batch, name)
        assert printed(batch, name).count("PermissionError") >= 4


def test_nothing_survives(batch):
    deadline = time.monotonic() + 10
    while survivors(batch.marker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert survivors(batch.marker) == []


def survivors(marker: str) -> list[int]:
    return [p.pid for p in psutil.process_iter(["cmdline"]) if marker in (p.info["cmdline"] or [])]


def test_the_course_and_the_submissions_are_untouched(batch):
    for name in [n for n in batch.outcomes if n.endswith("-sql-e-cancellazione")]:
        assert "RADICE False" in printed(batch, name)
    assert (batch.root / "solutions/es02/es02.ipynb").is_file()
    for name, raw in batch.sent.items():
        assert (batch.root / "arrivi" / file_name(name, raw)).read_bytes() == raw


def test_pages_hold_no_script_of_a_pupil(batch):
    for path in (batch.root / "registro/feedback").rglob("*.html"):
        page = path.read_text("utf-8")
        assert not re.search(r"<script|<iframe|<img src=x|<[^>]*\son\w+=", page), path
        assert len(page) < 10_000_000, path
    name = next(n for n in batch.outcomes if n.endswith("-html-e-script"))
    assert "&lt;script&gt;ATTACCO" in (batch.root / f"registro/feedback/{name}/es02/es02.html").read_text(
        "utf-8"
    )


def test_a_module_beside_the_notebook_is_ignored_and_said(batch):
    outcome = next(o for n, o in batch.outcomes.items() if n.endswith("-numpy-py-accanto"))
    assert any("numpy.py" in note for note in outcome.notes)
