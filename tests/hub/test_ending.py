"""Come finisce `corso hub --prova`, comunque glielo si chieda; utenti e hub sono finti, e non serve root."""

from __future__ import annotations

import os
import pwd
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from course_lib.hub import trial, trial_leftovers
from course_lib.hub.settings import HubSettings
from course_lib.project import CorsoError
from tests.conftest import ROOT

# Scrive in NOTE che cosa fa; prepara soltanto una cartella con 4000 cartelle una nell'altra, di «bruno».
PROGRAM = """
import os, subprocess, sys, time
from pathlib import Path
from course_lib import cli
from course_lib.cli import hub
from course_lib.hub import ending, trial, trial_leftovers, trial_users

ending.PAUSE = 600
place, stage = Path(sys.argv[1]), sys.argv[2]
def say(word):
    with (place / "note").open("a") as file:
        file.write(word + "\\n")
def wait(name):
    while not (place / name).exists():
        time.sleep(0.01)
def prepare(one, root, users, group, checked):
    one.passwords = dict.fromkeys(users, "finta")
    os.chdir(one.folder)
    for _ in range(4000):
        os.mkdir("x")
        os.chdir("x")
    os.chdir("/")
    say("preparo")
    if stage == "preparazione":
        try:
            wait("mai")
        finally:
            say("smonto")
            wait("insistito")
            say("smontato")
def remove(users, group):
    ending.PAUSE = 0
    say("tolgo")
    wait("avanti")
    say("tolti")
trial.expect_administrator = lambda: None
hub.expect_installed = lambda root: None
hub.find_proxy = lambda root: "proxy"
trial_leftovers.leftovers = lambda: None
trial_users.remove = remove
trial._prepare, trial._wait = prepare, lambda one: None
trial._start = lambda one, root: subprocess.Popen(["sleep", "600"], start_new_session=True)
sys.exit(cli.main(["hub", "--prova"]))
"""


class Program:
    """La prova finta. place: la cartella temporanea di tutto"""

    def __init__(self, place: Path, stage: str, hangup) -> None:
        self.place = place

        def signals() -> None:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # anche da una shell che lo ignora
            signal.signal(signal.SIGHUP, hangup)

        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(place), stage], cwd=ROOT, encoding="utf-8",
            stdout=(place / "uscita").open("w"), stderr=subprocess.STDOUT, preexec_fn=signals,
            env={**os.environ, "TMPDIR": str(place), "PYTHONPATH": str(ROOT)},
        )  # fmt: skip

    def text(self, name: str) -> str:
        path = self.place / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def until(self, name: str, word: str) -> None:
        while word not in self.text(name):
            assert self.process.poll() is None, self.text("uscita")
            time.sleep(0.01)

    def send(self, *numbers: int) -> None:
        for number in numbers:
            self.process.send_signal(number)
            time.sleep(0.02)

    def end(self) -> str:
        """Lascia finire le pulizie; restituisce ciò che ha stampato."""
        (self.place / "avanti").touch()
        self.process.wait(timeout=60)
        return self.text("uscita")


@pytest.fixture
def start(tmp_path):
    """start(stage) accende la prova finta; alla fine, comunque vada, non ne resta nulla."""
    started = []

    def program(stage: str, hangup=signal.SIG_DFL) -> Program:
        started.append(Program(tmp_path, stage, hangup))
        return started[-1]

    yield program
    for one in started:
        one.process.kill()
        one.process.wait()
    subprocess.run(["rm", "-rf", *tmp_path.glob("corso-hub-*")], check=True)  # pytest non saprebbe toglierle


STAGES = {"preparazione": ("note", "preparo"), "lezione": ("uscita", "Per finire premi")}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("asked", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_however_it_is_asked_and_however_often_everything_is_removed(tmp_path, start, stage, asked):
    program = start(stage)
    program.until(*STAGES[stage])
    program.send(*[getattr(signal, asked)] * 5)
    (tmp_path / "insistito").touch()
    program.until("note", "tolgo")
    program.send(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
    printed = program.end()
    more = ["smonto", "smontato"] if stage == "preparazione" else []
    assert program.text("note").split() == ["preparo", *more, "tolgo", "tolti"]
    assert list(tmp_path.glob("corso-hub-*")) == []
    assert "Traceback" not in printed
    if stage == "lezione":
        assert (program.process.returncode, printed.splitlines()[-1]) == (
            0, "Tolti gli utenti, il gruppo e la cartella della prova.",
        )  # fmt: skip
    else:
        assert (program.process.returncode, printed) == (130, "corso hub: interrotto.\n")


def test_with_nohup_the_trial_outlives_the_terminal(start):
    program = start("lezione", signal.SIG_IGN)
    program.until("uscita", "Per finire premi")
    status = Path(f"/proc/{program.process.pid}/status").read_text(encoding="ascii")
    ignored = int(re.search(r"^SigIgn:\s*(\w+)$", status, re.M)[1], 16)
    assert ignored & 1 << signal.SIGHUP - 1
    program.send(signal.SIGTERM)
    assert "Tolti gli utenti" in program.end()


@pytest.mark.parametrize("port", [0, -1, 80_000, 99_999_999_999, 65_535, 65_534])
def test_a_port_that_will_not_do_is_named_as_written_and_leaves_nothing(tmp_path, monkeypatch, port):
    monkeypatch.setattr(trial, "expect_administrator", lambda: None)
    monkeypatch.setattr(trial.tempfile, "tempdir", str(tmp_path))
    with pytest.raises(CorsoError, match=f"^--porta {port}: alla prova servono tre porte libere"):
        with trial.running_trial(ROOT, "proxy", port):
            pass
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def stopped(tmp_path, monkeypatch) -> trial.Trial:
    """Una prova il cui hub non parte."""
    monkeypatch.setattr(trial, "enter", lambda root, proxy: ["sh", "-c", "echo uno; echo due; exit 1"])
    monkeypatch.setattr(trial.tempfile, "tempdir", str(tmp_path))
    settings = HubSettings(
        "docente", tmp_path / "docente", "classe", tmp_path / "p.zip", stato=tmp_path / "s"
    )
    one = trial.Trial(tmp_path, settings)
    one.hub = trial._start(one, ROOT)
    return one


def test_only_the_administrator_reads_the_messages(stopped):
    stopped.hub.wait()
    assert stat.S_IMODE(stopped.log.stat().st_mode) == 0o600


def test_the_messages_of_a_hub_that_does_not_start_are_kept(stopped):
    with pytest.raises(CorsoError) as error:
        trial._wait(stopped)
    assert "JupyterHub non è partito: «due»" in str(error.value)
    kept = Path(str(error.value).removesuffix(".").rpartition(" ")[2])
    assert kept.read_text(encoding="utf-8") == "uno\ndue\n"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def user(name: str, folder: str) -> pwd.struct_passwd:
    return pwd.struct_passwd((name, "x", 1001, 1001, "", f"{folder}/case/{name}", "/bin/bash"))


def test_what_a_killed_trial_left_is_named_with_the_commands_that_remove_it():
    gone = subprocess.Popen(["true"])
    gone.wait()
    dead, alive = f"/tmp/corso-hub-{gone.pid}-abc", f"/tmp/{trial_leftovers.folder_prefix()}abc"
    others = [user("anna-00aa", alive), user("maria", "/home"), user("anna-00bb", "/tmp/corso-hub-abc")]
    said = trial_leftovers.leftovers([user("docente-00cc", dead), user("anna-00cc", dead), *others])
    assert said.startswith("Una prova finita di colpo ha lasciato gli utenti docente-00cc, anna-00cc, con")
    for command in (
        "pkill -KILL -u docente-00cc,anna-00cc;",
        "for u in docente-00cc anna-00cc; do userdel -f $u; done;",
        f"rm -rf {dead}»",
    ):
        assert command in said
    assert trial_leftovers.leftovers(others) is None
