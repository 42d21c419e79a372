"""`corso correggi` come lo usa chi insegna: scarico di Moodle, scadenza, pagina della classe, diario."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile

import nbformat
import pytest

from course_lib.cli import grade, main
from course_lib.project import project_root
from tests.grading import samples

pytestmark = pytest.mark.lento


@pytest.fixture
def course(require, tmp_path, monkeypatch):
    """Un corso in una cartella a parte, con lo scarico di una classe di due persone."""
    require("bwrap")
    for name in ("exercises", "solutions"):
        shutil.copytree(project_root() / name, tmp_path / name)
    monkeypatch.setattr(grade, "project_root", lambda: tmp_path)
    (tmp_path / "arrivi").mkdir()
    with zipfile.ZipFile(tmp_path / "arrivi" / "2A-es02-1.zip", "w") as archive:
        for name, work in (
            ("Rossi Anna_1", samples.solved()),
            ("Però Eva_2", samples.solved(scaled_scores=samples.NO_SCALE)),
        ):
            info = zipfile.ZipInfo(f"{name}_assignsubmission_file/es02.ipynb", (2026, 11, 21, 0, 5, 0))
            archive.writestr(info, nbformat.writes(work))
    os.utime(tmp_path / "arrivi" / "2A-es02-1.zip")
    return tmp_path


def test_a_class_from_the_download_to_the_page(course, capfd):
    words = ["correggi", "es02", "--da", str(course / "arrivi"), "--lavoratori", "1"]
    assert main([*words, "--scadenza", "20/11/2026 23:59", "--csv-excel"]) == 0
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    assert re.search(r"rossi-anna +valutato +10 / 10 ", out)
    assert re.search(r"pero-eva +valutato +5 / 10 ", out)
    csv = (course / "registro" / "es02.csv").read_bytes()
    assert csv.startswith(b"\xef\xbb\xbf")
    assert "Consegnata in ritardo di 6 minuti: 21/11/2026 alle 00:05:00" in csv.decode()
    page = (course / "registro" / "resoconti" / "es02.html").read_text("utf-8")
    assert "«senza scala»: 1 su 2" in page
    assert 'href="../feedback/rossi-anna/es02/es02.html"' in page
    feedback = (course / "registro" / "feedback" / "rossi-anna" / "es02" / "es02.html").read_text("utf-8")
    assert "Consegnata in ritardo di 6 minuti" in feedback

    diary = course / "registro" / "diario.jsonl"
    last = hashlib.sha256(diary.read_bytes().splitlines()[-1]).hexdigest()
    assert f"Ultima impronta del diario, da conservare altrove: {last}" in out
    assert main(words) == 0
    assert "ATTENZIONE" not in capfd.readouterr().out
    diary.write_bytes(diary.read_bytes().replace(b'"punti": 5.0', b'"punti": 9.0'))
    assert main(words) == 0
    assert "! ATTENZIONE: Il diario diario.jsonl è stato modificato: la riga" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--scadenza", "domani"], "non è una data e un'ora"),
        (["--scadenza", "manca.toml"], "Non trovo il file delle scadenze"),
    ],
)
def test_a_wrong_deadline_gets_one_sentence(course, capfd, more, said):
    assert main(["correggi", "es02", "--da", str(course / "arrivi"), *more]) == 1
    err = capfd.readouterr().err
    assert said in err
    assert len(err.strip().splitlines()) == 1


def test_a_wrong_pattern_gets_one_sentence(course, capfd):
    (course / "registro").mkdir(exist_ok=True)
    (course / "registro" / "nomi.toml").write_text("[[schema]]\nespressione = '('", "utf-8")
    assert main(["correggi", "es02", "--da", str(course / "arrivi")]) == 1
    err = capfd.readouterr().err
    assert "In nomi.toml, schema 1" in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("number", ["0", "17", "due", "-1", "1.5"])
def test_a_wrong_number_of_workers_gets_one_sentence(capfd, number):
    assert main(["correggi", "es02", "--da", "arrivi", "--lavoratori", number]) == 1
    assert capfd.readouterr().err == (
        f"corso correggi: --lavoratori vuole un numero da 1 a 16: «{number}» non va.\n"
    )


def test_an_unknown_option_is_answered_with_the_usage_of_the_command(capfd):
    with pytest.raises(SystemExit):
        main(["correggi", "es02", "--da", "arrivi", "--forte"])
    err = capfd.readouterr().err
    assert err.startswith("uso: corso correggi ")
    assert err.endswith("corso correggi: argomenti che non conosco: --forte\n")


def test_a_register_that_is_no_folder_gets_one_sentence(course, capfd):
    (course / "registro").write_text("x", "utf-8")
    assert main(["correggi", "es02", "--da", str(course / "arrivi")]) == 1
    err = capfd.readouterr().err
    assert err.startswith(f"corso correggi: Nel registro {course}/registro non posso scrivere (")
    assert len(err.strip().splitlines()) == 1


def test_a_diary_that_cannot_be_written_stops_before_grading(course, capfd):
    (course / "registro" / "diario.jsonl").mkdir(parents=True)
    assert main(["correggi", "es02", "--da", str(course / "arrivi")]) == 1
    err = capfd.readouterr().err
    assert err.startswith(f"corso correggi: Nel registro {course}/registro non posso scrivere (è una cart")
    assert len(err.strip().splitlines()) == 1
    assert not (course / "registro" / "esiti").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("/voti/es02\x1b.csv", "non posso leggere o scrivere /voti/es02.csv (manca il permesso): controlla"),
        (None, "il sistema ha rifiutato un'operazione (manca il permesso): controlla che ci siano memoria e"),
    ],
)
def test_whatever_the_system_denies_gets_one_sentence(capfd, monkeypatch, name, said):
    def denied(args):
        raise PermissionError(errno.EACCES, "Permission denied", name)

    monkeypatch.setattr(grade, "run", denied)
    assert main(["correggi", "es02", "--da", "arrivi"]) == 1
    err = capfd.readouterr().err
    assert err.startswith(f"corso correggi: {said}")
    assert len(err.strip().splitlines()) == 1


def test_a_missing_driver_gets_one_sentence_and_no_warning():
    code = (
        "from course_lib.grading.gradebook import prepare\nfrom course_lib.project import CorsoError\n"
        "try:\n    prepare('mysql://a@b/voti')\nexcept CorsoError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=project_root(), capture_output=True, text=True)
    assert done.stdout.startswith("Per un registro dei voti mysql manca la libreria «MySQLdb»")
    assert done.stderr == ""
