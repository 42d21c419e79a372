"""Il comando `corso`: aiuto ed errori in italiano, errori in una frase, prova che passa la mano a pytest."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import types

import pytest

from course_lib import cli
from course_lib.cli import run_tests
from course_lib.cli.parser import ItalianParser, translate
from course_lib.project import CorsoError, reason
from tests.conftest import ROOT


@pytest.fixture
def stub_command(monkeypatch):
    """Un sottocomando `eco` finto: il suo modulo si configura cambiando gli attributi."""
    module = types.ModuleType("course_lib.cli.eco")
    module.add_arguments = lambda parser: parser.add_argument("--volte", type=int, default=1)
    module.run = lambda args: 7
    monkeypatch.setitem(sys.modules, "course_lib.cli.eco", module)
    monkeypatch.setitem(cli.COMMANDS, "eco", ("eco", "ripete"))
    return module


def exit_status(words, capsys):
    """Stato d'uscita, uscita ed errori di `corso` quando si ferma già sugli argomenti."""
    with pytest.raises(SystemExit) as stop:
        cli.main(words)
    streams = capsys.readouterr()
    return stop.value.code, streams.out, streams.err


def test_status_of_a_command_is_passed_on(stub_command):
    assert cli.main(["eco"]) == 7


def test_a_course_error_is_one_sentence(stub_command, capsys):
    def run(args):
        raise CorsoError("manca il sale: aggiungilo.")

    stub_command.run = run
    assert cli.main(["eco"]) == 1
    assert capsys.readouterr().err == "corso eco: manca il sale: aggiungilo.\n"


def test_control_c_is_one_sentence(stub_command, capsys):
    def run(args):
        raise KeyboardInterrupt

    stub_command.run = run
    assert cli.main(["eco"]) == 130
    assert capsys.readouterr().err == "corso eco: interrotto.\n"


def test_unknown_options_are_an_error_unless_passed_on(stub_command, capsys):
    status, _, err = exit_status(["eco", "--forte"], capsys)
    assert (status, "argomenti che non conosco: --forte" in err) == (2, True)
    stub_command.PASSES_ON = True
    stub_command.run = lambda args: args.passed_on == ["-k", "nome", "cartella"]
    assert cli.main(["eco", "-k", "nome", "cartella"]) is True


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["eco", "--volte", "tre"], "--volte: il valore «tre» non è valido"),
        (["eco", "--volte"], "--volte: manca il valore"),
        (["ecco"], "«ecco» non è fra le scelte (apri, "),
    ],
)
def test_typing_errors_are_in_italian(stub_command, capsys, words, sentence):
    status, _, err = exit_status(words, capsys)
    assert status == 2
    assert err.startswith("uso: corso")
    assert sentence in err


@pytest.mark.parametrize("name", ["consegna", "copia", "dispensa", "distribuisci", "sito"])
def test_nothing_is_written_where_one_is_if_the_place_is_empty(name, capsys, tmp_path, monkeypatch):
    """Come in `--in "$COPIE"`, se nessuno ha scritto COPIE."""
    monkeypatch.chdir(tmp_path)
    status, _, err = exit_status([name, "--in", ""], capsys)
    assert status == 2
    assert "--in vuole un percorso, e qui è vuoto: scrivilo («.» è la cartella in cui sei)." in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["consegna", "copia", "dispensa", "distribuisci", "sito"])
def test_a_place_that_links_to_itself_is_told(name, capsys, tmp_path):
    (tmp_path / "giro.pdf").symlink_to(tmp_path / "giro.pdf")
    status, _, err = exit_status([name, "--in", str(tmp_path / "giro.pdf")], capsys)
    assert status == 2
    assert "giro.pdf è un collegamento che torna su sé stesso: scrivine un altro." in err


@pytest.mark.parametrize("words", [[], ["--help"], ["eco", "-h"]])
def test_help_is_in_italian(stub_command, capsys, words):
    status, out, _ = exit_status(words, capsys)
    assert (status, out.count("uso: ")) == (0, 1)
    assert "mostra questo aiuto" in out
    assert not [word for word in ("usage", "options:", "show this", "positional") if word in out]


def test_required_argument_and_choices_are_in_italian(capsys):
    parser = ItalianParser(prog="corso x")
    parser.add_argument("esercizio", choices=["es01"])
    for words, sentence in (([], "manca: esercizio"), (["es99"], "«es99» non è fra le scelte (es01)")):
        with pytest.raises(SystemExit):
            parser.parse_args(words)
        assert sentence in capsys.readouterr().err


def test_a_value_with_an_apostrophe_keeps_it():
    assert translate('argument --n: invalid int value: "l\'uno"') == "--n: il valore «l'uno» non è valido"


def test_an_unknown_message_is_left_as_it_is():
    assert translate("qualcosa di nuovo") == "qualcosa di nuovo"


def test_every_command_is_told_in_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in cli.COMMANDS if f"corso.py {name}" not in readme] == []


@pytest.mark.parametrize(("before", "after"), [(None, "1"), ("4", "4")])
def test_products_use_one_thread_unless_told_otherwise(monkeypatch, before, after):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", before or "")
    if before is None:
        monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    cli.prepare_process()
    assert os.environ["OPENBLAS_NUM_THREADS"] == after


def test_programs_of_this_environment_come_first(monkeypatch):
    import sysconfig

    monkeypatch.setenv("PATH", "/usr/bin")
    cli.prepare_process()
    cli.prepare_process()
    assert os.environ["PATH"] == os.pathsep.join([sysconfig.get_path("scripts"), "/usr/bin"])


def test_pytest_command_line():
    quick = run_tests.pytest_command(True, ["tests/x"])
    assert quick[1:] == ["-m", "pytest", "-m", "not lento", "-n", "2", "--dist", "loadgroup", "tests/x"]
    assert run_tests.pytest_command(False, ["-n0", "-x"])[1:] == ["-m", "pytest", "-n0", "-x"]


@pytest.mark.parametrize(
    ("chosen", "status", "closing"), [("test_bene", 0, "1 passed"), ("test_male", 1, "1 failed")]
)
def test_prova_prints_the_closing_line_and_passes_the_status_on(tmp_path, chosen, status, closing):
    (tmp_path / "test_due.py").write_text(
        "def test_bene():\n    assert 1 + 1 == 2\ndef test_male():\n    assert 1 + 1 == 3\n", encoding="utf-8"
    )
    words = ["prova", "--rapida", "-n", "0", "-p", "no:cacheprovider", "-k", chosen, str(tmp_path)]
    command = [sys.executable, "-m", "course_lib.cli", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == status
    assert closing in done.stdout.strip().splitlines()[-1]


def test_prova_in_a_pupils_bundle_says_why_not(monkeypatch, tmp_path):
    monkeypatch.setattr(run_tests, "project_root", lambda: tmp_path)
    with pytest.raises(CorsoError, match="non contiene le prove"):
        run_tests.run(types.SimpleNamespace(rapida=False, passed_on=[]))


def test_reader_that_closes_early_sees_no_traceback():
    command = f'"{sys.executable}" -m course_lib.cli diagnosi | true'
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.stderr == ""


def test_a_full_quota_has_its_own_words():
    """Sul server della classe lo spazio di ognuno ha un tetto: un numero d'errore non direbbe nulla."""
    assert reason(OSError(errno.EDQUOT, "")) == "il tuo spazio sul disco è finito"
    assert reason(OSError(errno.ENOSPC, "")) == "il disco è pieno"
