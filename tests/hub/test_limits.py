"""I limiti mordono: chi esagera perde il suo kernel, e il resto della classe non se ne accorge."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from course_lib.hub.leftovers import TABLES, objects_of
from course_lib.hub.limits import CONTROLLERS, PREFIX, find_places
from tests.conftest import unavailable
from tests.hub.test_separation import uid_of

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("hub")]  # la classe è una: un solo processo

HOG = """
import numpy as np
kept = []
while True:
    kept.append(np.ones(2**22))  # 32 MB alla volta, scritti davvero
"""
BOMB = """
import subprocess
made = []
try:
    while len(made) < 2000:
        made.append(subprocess.Popen(['sleep', '60']))
except OSError as error:
    print(type(error).__name__, len(made))
finally:
    for process in made:
        process.kill(); process.wait()
"""
MANY_CORES = """
import os, time
children = []
for _ in range(4):
    if (pid := os.fork()) == 0:
        stop = time.monotonic() + 3
        while time.monotonic() < stop:
            pass
        os._exit(0)
    children.append(pid)
start = time.monotonic()
for pid in children:
    os.waitpid(pid, 0)
used = os.times()
seconds = used.children_user + used.children_system
print(open('/proc/self/cgroup').read(), '|', seconds, time.monotonic() - start)
"""


@pytest.fixture(autouse=True)
def _places():
    if set(find_places()) != {"memory", "cpu", "pids"}:
        unavailable("qui non si possono creare gruppi di controllo: i limiti sono soltanto rlimit")


def alive(person) -> None:
    """Questa persona lavora come se niente fosse."""
    assert person.run("print(6 * 7)") == {"status": "ok", "text": "42\n"}


def test_too_much_memory_ends_the_kernel_only(people, trial, diary):
    bruno = people["bruno"]
    assert bruno.run(HOG, 60)["status"] == "morto"
    assert bruno.status(bruno.base + "api/status") == 200  # il suo server no
    alive(bruno)
    alive(people["anna"])
    assert trial.hub.poll() is None
    diary(f"bruno ha chiesto più di {trial.settings.memoria_mb} MB: è morto soltanto il suo kernel")


def test_a_fork_bomb_is_bounded(people, trial, diary):
    bruno = people["bruno"]
    answer = bruno.run(BOMB, 60)
    name, made = answer["text"].split()
    assert name == "BlockingIOError"
    assert int(made) < trial.settings.processi
    alive(people["anna"])
    alive(people["docente"])
    assert trial.hub.poll() is None
    diary(f"la bomba di fork di bruno si ferma a {made} processi (limite {trial.settings.processi})")


def test_cores_are_shared_by_quota(people, trial):
    """Un kernel sta nei gruppi della sua persona; quattro processi non usano più core di quelli concessi."""
    anna = people["anna"]
    where, _, times = anna.run(MANY_CORES, 60)["text"].rpartition("|")
    groups = {name for line in where.split() for name in line.split(":")[1].split(",")
              if line.endswith(f"/{PREFIX}{anna.name}")}  # fmt: skip
    assert groups >= set(CONTROLLERS) or groups == {""}  # cgroup v1, oppure v2
    used, elapsed = map(float, times.split())
    assert used / elapsed < trial.settings.core * 1.3


def test_a_file_cannot_grow_without_end(people, trial):
    most = trial.settings.file_mb * 2**20
    code = f"file = open('grande.bin', 'wb')\nfile.seek({most})\nfile.write(b'x'); file.flush()"
    answer = people["anna"].run(code)
    assert "OSError" in answer["text"]
    assert "File too large" in answer["text"]


def test_others_cannot_listen_to_a_kernel(people):
    """L'uscita di un kernel passa per un file in casa di anna: bruno ne sa il nome, e non lo apre."""
    anna, bruno = people["anna"], people["bruno"]
    code = """
import json, glob, os, time
from ipykernel.connect import get_connection_file
info = json.load(open(get_connection_file()))
print(f"{info['ip']}-{info['iopub_port']}", flush=True)
for _ in range(300):
    print('segreto di anna', flush=True); time.sleep(0.1)
"""
    listen = """
import socket
try:
    socket.socket(socket.AF_UNIX).connect(%r)
    print('aperto')
except OSError as error:
    print(type(error).__name__)
"""
    channel = _channel_while_running(anna, code)
    assert stat.S_ISSOCK(os.stat(channel).st_mode)
    assert anna.run(listen % channel)["text"] == "aperto\n"  # è proprio quello
    assert bruno.run(listen % channel)["text"] == "PermissionError\n"


SHARED = """
import ctypes, pathlib
pathlib.Path('/dev/shm/di-bruno').write_bytes(b'x' * 2**20)
pathlib.Path('/dev/shm/cartella-di-bruno').mkdir()
pathlib.Path('/dev/shm/cartella-di-bruno/altro').write_bytes(b'x')
print(ctypes.CDLL(None).shmget(0, 2**20, 0o1600))
"""


def test_shared_memory_ends_with_the_server(people):
    """Altrimenti, a server spento e riacceso, starebbe fuori dai limiti: la memoria di tutti finirebbe."""
    bruno, anna = people["bruno"], people["anna"]
    assert anna.run("open('/dev/shm/di-anna', 'w').close()")["status"] == "ok"
    number = int(bruno.run(SHARED)["text"])
    assert number >= 0
    found = [Path("/dev/shm/di-bruno"), Path("/dev/shm/cartella-di-bruno")]
    assert all(path.exists() for path in found)
    assert number in objects_of(TABLES / "shm", found[0].stat().st_uid)
    bruno.restart()
    assert not any(path.exists() for path in found)
    assert number not in objects_of(TABLES / "shm", uid_of(bruno.name))
    assert Path("/dev/shm/di-anna").exists()


def _channel_while_running(person, code) -> str:
    from tests.hub.people import RUN

    background = RUN.replace(
        "if (message.msg_type === 'stream') text += content.text;",
        "if (message.msg_type === 'stream') { text += content.text; setTimeout(() => end('via'), 0); }",
    )
    background = background.replace(
        "await fetch(base + 'api/kernels/' + kernel, {method: 'DELETE', headers});", ""
    )
    return person.page.evaluate(background, [person.base, code, 60])["text"].split()[0]
