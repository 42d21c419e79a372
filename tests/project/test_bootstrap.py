"""corso.py: prima volta, volte dopo, installazioni rotte, e una frase in italiano per ogni guaio."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from tests.conftest import require, unavailable


@pytest.fixture(scope="module", autouse=True)
def _scripts_run():
    if os.name == "nt":
        unavailable("il finto uv delle prove è uno script per Linux e macOS")


FULL_INSTALL = ["venv --allow-existing", "pip install", "pip install"]
UPDATE = ["pip install", "pip install"]


def assert_one_sentence(done, *words):
    """Stato ≠ 0, nessun traceback, e un'ultima riga che comincia con «corso:» e contiene le parole date."""
    assert done.returncode not in (0, 3)
    assert "Traceback" not in done.stderr + done.stdout
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("corso: "), done.stderr
    for word in words:
        assert word in last


def test_first_start_installs_and_hands_over(mini):
    done = mini.start("eco", "con spazi", "tre")
    assert mini.uv_calls() == FULL_INSTALL
    assert done.stdout.strip() == f"ECO ['eco', 'con spazi', 'tre'] {mini.venv}"
    assert done.returncode == 3  # lo stato del comando passa com'è


def test_second_start_installs_nothing(mini):
    mini.start()
    mini.uv_calls()
    done = mini.start()
    assert mini.uv_calls() == []
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["requirements.lock", "pyproject.toml"])
def test_a_changed_file_updates_without_starting_over(mini, name):
    mini.start()
    mini.uv_calls()
    (mini.venv / "segno").write_text("")
    (mini.folder / name).write_text("# cambiato\n")
    assert mini.start().returncode == 0
    assert mini.uv_calls() == UPDATE
    assert (mini.venv / "segno").exists()
    mini.start()
    assert mini.uv_calls() == []


def test_interrupted_installation_starts_over(mini):
    mini.start()
    mini.uv_calls()
    (mini.venv / "corso-stato.txt").write_text("in corso")
    (mini.venv / "resto").write_text("")
    assert mini.start().returncode == 0
    assert mini.uv_calls() == FULL_INSTALL
    assert not (mini.venv / "resto").exists()


def test_failed_update_is_repaired_from_scratch(mini):
    mini.start()
    (mini.folder / "requirements.lock").write_text("# cambiato\n")
    mini.uv_says("qualcosa è andato storto")
    assert_one_sentence(mini.start(), "installazione non è riuscita", "installazione.log")
    mini.uv_says(None)
    mini.uv_calls()
    assert mini.start().returncode == 0
    assert mini.uv_calls() == FULL_INSTALL


def test_environment_copied_from_elsewhere_is_remade(mini, tmp_path):
    mini.start()
    mini.uv_calls()
    other = tmp_path / "altrove"
    shutil.copytree(mini.folder, other, symlinks=True)
    mini.folder = other
    done = mini.start()
    assert mini.uv_calls() == FULL_INSTALL
    assert done.stdout.strip().endswith(str(other / ".venv"))


def test_vanished_interpreter_is_remade(mini):
    mini.start()
    mini.uv_calls()
    for link in (mini.venv / "bin").glob("python*"):
        link.unlink()
        link.symlink_to("/nessun/python")
    assert mini.start().returncode == 0
    assert mini.uv_calls() == FULL_INSTALL


def test_library_that_no_longer_imports_is_reinstalled(mini):
    mini.start()
    mini.uv_calls()
    next(mini.venv.glob("lib/python*/site-packages/corso.pth")).unlink()
    assert mini.start().returncode == 0
    assert mini.uv_calls() == UPDATE


def test_dangling_link_in_place_of_the_environment(mini):
    mini.venv.symlink_to("/non/esiste")
    assert mini.start().returncode == 0


def test_somebody_elses_folder_is_left_alone(mini):
    mini.venv.mkdir()
    (mini.venv / "tesi.txt").write_text("importante")
    assert_one_sentence(mini.start(), ".venv", "spostala")
    assert (mini.venv / "tesi.txt").read_text() == "importante"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("error: Request failed\n  Caused by: dns error: failed to lookup address", "connessione a Internet"),
        (
            "Failed to establish a new connection: [Errno -3] Temporary failure in name resolution",
            "connessione a",
        ),
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            "disco è pieno",
        ),
        ("Caused by: failed to write: No space left on device (os error 28); timed out", "disco è pieno"),
        ("error: Permission denied (os error 13)", "permesso di scrivere"),
        ("ResolutionImpossible", "installazione.log"),
    ],
)
def test_what_the_installer_says_becomes_one_sentence(mini, text, word):
    mini.uv_says(text)
    assert_one_sentence(mini.start(), word)
    assert text.splitlines()[0] in (mini.venv / "installazione.log").read_text(encoding="utf-8")
    mini.uv_says(None)
    assert mini.start().returncode == 0


def test_missing_venv_module_names_the_debian_package(mini, tmp_path):
    (mini.programs / "uv").unlink()
    hidden = tmp_path / "nascosti"
    hidden.mkdir()
    (hidden / "ensurepip.py").write_text("raise ImportError('non installato')\n")
    mini.extra = {"PYTHONPATH": str(hidden)}
    remedy = f"python3.{sys.version_info[1]}-venv" if os.path.exists("/etc/debian_version") else "python.org"
    assert_one_sentence(mini.start(), "ensurepip", remedy)
    assert not mini.venv.exists()


def test_variables_of_another_python_are_dropped(mini, tmp_path):
    (tmp_path / "course_lib.py").write_text("raise SystemExit('libreria sbagliata')\n")
    mini.start()
    mini.extra = {"PYTHONPATH": str(tmp_path)}
    assert mini.start().stdout.startswith("ECO")


def test_incomplete_copy(mini):
    (mini.folder / "requirements.lock").unlink()
    assert_one_sentence(mini.start(), "requirements.lock", "scarica")


def test_help_and_typing_errors_install_nothing(mini):
    for words in (["--help"], ["ecco"]):
        assert mini.start(*words).stdout.startswith("ECO")
    assert mini.uv_calls() == []
    assert not mini.venv.exists()


def test_two_windows_at_once(mini):
    import fcntl

    with (mini.folder / ".venv.lock").open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        assert_one_sentence(mini.start(), "un'altra finestra")
    assert mini.uv_calls() == []
    assert mini.start().returncode == 0


def test_control_c_is_one_sentence_and_the_next_start_repairs(mini):
    (mini.programs / "slow.txt").write_text("")
    process = subprocess.Popen(
        mini.command("eco"),
        env=mini.environment(),
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    for _ in range(600):
        if (mini.programs / "started.txt").exists():
            break
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    stderr = process.communicate(timeout=30)[1]
    assert process.returncode == 130
    assert "Traceback" not in stderr
    assert stderr.strip().splitlines()[-1].startswith("corso: interrotto")
    (mini.programs / "slow.txt").unlink()
    mini.uv_calls()
    assert mini.start().returncode == 0
    assert mini.uv_calls() == FULL_INSTALL


def test_read_only_folder(mini):
    bwrap = require("bwrap")
    wrapper = (bwrap, "--ro-bind", "/", "/", "--dev", "/dev")
    assert_one_sentence(mini.start(wrapper=wrapper), "non posso scrivere", "cartella tua")
    mini.start()
    assert mini.start(wrapper=wrapper).returncode == 0  # già installato, non ha bisogno di scrivere


def test_full_disk(mini, tmp_path):
    bwrap = require("bwrap")
    small = tmp_path / "piccolo"
    small.mkdir()
    script = f'cp -r "{mini.folder}" "{small}/corso" && exec "{sys.executable}" "{small}/corso/corso.py" eco'
    command = [
        bwrap,
        "--bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--size",
        "2000000",
        "--tmpfs",
        str(small),
        "sh",
        "-c",
        script,
    ]
    done = subprocess.run(command, env=mini.environment(), capture_output=True, encoding="utf-8", timeout=60)
    assert_one_sentence(done, "restano 1 MB", "libera spazio")
