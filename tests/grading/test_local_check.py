"""`corso controlla` e `corso consegna`, come li usa chi studia."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from course_lib.cli import main
from course_lib.cli.words import command
from course_lib.grading.local_check import check_notebook
from course_lib.project import CorsoError, project_root
from tests.grading import samples


@pytest.fixture
def work(tmp_path):
    """Scrive un notebook di es02 e ne dà il percorso."""

    def write(notebook) -> str:
        path = tmp_path / "es02.ipynb"
        nbformat.write(notebook, path)
        return str(path)

    return write


@pytest.mark.lento
def test_a_finished_exercise_can_be_handed_in(work, capfd):
    assert main(["controlla", work(samples.solved())]) == 0
    out, err = capfd.readouterr()
    assert "Prove visibili superate: 5 su 5." in out
    assert f"Puoi consegnare: {command('consegna')} es02 --nome" in out
    assert err == ""


@pytest.mark.lento
def test_a_slip_is_named_and_nothing_hidden_or_technical_is_shown(work, capfd):
    assert main(["controlla", work(samples.solved(scaled_scores=samples.NO_SCALE))]) == 1
    out, err = capfd.readouterr()
    assert "✗ scaled_scores  (2 punti)" in out
    assert "«senza scala»" in out
    assert "Prove visibili superate: 3 su 5." in out
    assert "Traceback" not in out + err


@pytest.mark.lento
def test_errors_extra_cells_and_suspicion_are_said_before_handing_in(work, capfd):
    notebook = samples.solved(project="from course_lib.transformer.attention import softmax\n1 / 0")
    notebook.cells.insert(3, nbformat.v4.new_code_cell("x = 1"))
    assert main(["controlla", work(notebook)]) == 1
    out, _ = capfd.readouterr()
    stopped = "si ferma con ZeroDivisionError: division by zero, riga 2: 1 / 0"
    assert f"! Cella «project-risposta»: {stopped}" in out
    assert "Non trovo «project»" in out
    assert "Una cella di codice aggiunta non è stata eseguita" in out
    assert "Nella correzione sarebbe letto a mano" in out


@pytest.mark.lento
def test_the_fault_is_looked_for_where_it_is(work, capfd):
    """Una cella che non è Python, una riga di troppo, una funzione in una cella aggiunta."""
    notebook = samples.solved(
        project="def project(x, W)\n    return x @ W",
        scaled_scores="def scaled_scores(q, K):\n    return q\n\nprint(otherr)",
        softmax_row="def softmax_row(scores):\n    return helper(scores)",
    )
    notebook.cells.insert(3, nbformat.v4.new_code_cell("def helper(scores):\n    return scores"))
    assert main(["controlla", work(notebook)]) == 1
    out, _ = capfd.readouterr()
    assert "Cella «project-risposta»: non è Python corretto, riga 1: def project(x, W)" in out
    stopped = "si ferma perché il nome «otherr» non è definito, riga 4: print(otherr)"
    assert f"Cella «scaled-scores-risposta»: {stopped}" in out
    assert "«helper» sta in una cella aggiunta" in out
    assert "SyntaxError" not in out


@pytest.mark.lento
@pytest.mark.parametrize(
    ("code", "said", "points"),
    [("while True: pass", "Non finisce in tempo", 5), ("import os; os._exit(1)", "si è fermato", 0)],
)
def test_cells_that_hang_or_die_are_said(code, said, points, tmp_path):
    path = tmp_path / "es02.ipynb"
    nbformat.write(samples.solved(project=code), path)
    check = check_notebook(path, "es02", project_root(), seconds=4)
    assert said in check.errors[0]
    assert (check.points, check.most) == (points, 10)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["controlla", "es99"], "gli esercizi presenti sono: es01"),
        (["controlla", "boh.ipynb"], "non capisco quale esercizio è"),
        (["controlla", "es02-che-non-esiste.ipynb"], "Non trovo"),
        (["consegna", "es02-che-non-esiste.ipynb", "--nome", "Anna"], "Non trovo"),
        (["consegna", "es02", "--nome", "…"], "non contiene lettere latine"),
        (["correggi", "es02", "--da", "cartella-che-non-c-e"], "non è una cartella"),
        (["correggi", "es2", "--da", "."], "Non c'è un esercizio «es2»"),
        (["correggi", "es02", "--da", ""], "--da è vuoto: indica la cartella"),
        (["correggi", "es02", "--da", str(project_root())], "--da vuole una cartella con le sole consegne"),
    ],
)
def test_wrong_words_get_one_italian_sentence(require, words, said, capfd):
    if words[0] == "correggi":
        require("bwrap")
    assert main(words) == 1
    out, err = capfd.readouterr()
    assert said in err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in out + err


@pytest.mark.parametrize("command", ["controlla", "consegna"])
def test_a_notebook_without_permission_gets_one_sentence(work, capfd, monkeypatch, command):
    path = work(samples.only())

    def denied(self, *rest):
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", denied)
    assert main([command, path, *(["--nome", "Anna"] if command == "consegna" else [])]) == 1
    err = capfd.readouterr().err
    assert err.startswith(f"corso {command}: {path} non si legge (manca il permesso): dammi un notebook")
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["correggi", "es02", "--da", "arrivi"], "la correzione"),
        (["giro"], "la correzione"),
        (["copia", "--in", "copie"], "la copia di riserva"),
    ],
)
def test_without_fcntl_grading_says_what_it_needs(words, what):
    code = (
        "import sys\nsys.modules['fcntl'] = None\n"  # come su Windows
        "from course_lib.cli import main\nsys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=project_root(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert done.stderr.startswith(f"corso {words[0]}: {what} funziona soltanto su Linux")


def test_handing_in_prints_the_receipt(work, capfd, tmp_path):
    path = work(samples.solved())
    assert main(["consegna", path, "--nome", "Anna Bianchi", "--in", str(tmp_path / "c")]) == 0
    (archive,) = (tmp_path / "c").glob("*.zip")
    (receipt,) = (tmp_path / "c").glob("*.ricevuta.txt")
    out, _ = capfd.readouterr()
    assert receipt.read_text("utf-8") in out
    assert str(archive) in out


def test_a_broken_notebook_is_refused_without_a_traceback(tmp_path):
    path = tmp_path / "es02.ipynb"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(CorsoError, match="JSON"):
        check_notebook(path, "es02", project_root())


@pytest.mark.lento
def test_where_the_course_is_written_the_text_itself_is_not_called_untouched(tmp_path):
    """In un clone il notebook in exercises/ è il testo con cui si confronta; nel pacchetto no."""
    text = tmp_path / "exercises" / "es02" / "es02.ipynb"
    text.parent.mkdir(parents=True)
    nbformat.write(samples.solved(), text)
    assert check_notebook(text, "es02", tmp_path).notes == []
    kept = tmp_path / "exercises" / ".originali" / "es02.ipynb"
    kept.parent.mkdir()
    nbformat.write(samples.solved(), kept)
    assert check_notebook(text, "es02", tmp_path).notes == [
        "Non hai ancora modificato nessuna cella di risposta."
    ]
