"""`corso hub --prova` come lo lancia una persona: che cosa stampa, e che alla fine non resta nulla."""

from __future__ import annotations

import pwd
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.hub.limits import PREFIX, find_places
from tests.conftest import ROOT
from tests.hub.conftest import PORT, require_hub

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("hub")]  # la classe è una: un solo processo


def groups() -> list[Path]:
    """I gruppi di controllo di server di una classe, adesso."""
    return [path for place in find_places().values() for path in place.folder.glob(PREFIX + "*")]


def test_the_trial_prints_what_is_needed_and_leaves_nothing():
    require_hub()
    process = subprocess.Popen(
        [sys.executable, "-m", "course_lib.cli", "hub", "--prova", "--porta", str(PORT + 5)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # anche da una shell che lo ignora
    )  # fmt: skip
    printed = ""
    for line in process.stdout:
        printed += line
        if line.startswith("Per finire premi Ctrl+C"):
            break
    users = re.findall(r"^  ((?:docente|anna|bruno)-\w{4}) +\w{4}-\w{4}-\w{4}$", printed, re.M)
    found = re.search(r"^File della prova: (\S+)", printed, re.M)
    assert len(users) == 3, printed
    folder = Path(found.group(1))
    assert re.search(r"soltanto per questa macchina: http://127\.0\.0\.1:\d+$", printed, re.M)
    assert [pwd.getpwnam(user).pw_dir for user in users] == [str(folder / "case" / user) for user in users]
    assert (folder / "hub.toml").is_file()
    assert stat.S_IMODE((folder / "hub.log").stat().st_mode) == 0o600
    process.send_signal(signal.SIGINT)
    printed += process.communicate(timeout=90)[0]
    assert process.returncode == 0
    assert "Tolti gli utenti, il gruppo e la cartella della prova." in printed
    assert not folder.exists()
    assert [path for path in groups() if path.name.endswith(users[0][-4:])] == []
    names = {entry.pw_name for entry in pwd.getpwall()}
    assert names & set(users) == set()
    assert "classe-" + users[0][-4:] not in Path("/etc/group").read_text(encoding="utf-8")
