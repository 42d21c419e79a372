"""Un box serve più consegne: nulla di ciò che fa una passata rallenta, lega o guasta quella dopo."""

from __future__ import annotations

import time

import psutil
import pytest

from course_lib.grading.box import Box
from course_lib.grading.limits import Limits

HONEST = """
import os, resource
open("appunti.txt", "w").close()
print(os.getpriority(os.PRIO_PROCESS, 0), resource.getrlimit(resource.RLIMIT_CPU), os.sched_getscheduler(0))
print(len(os.sched_getaffinity(0)), oct(os.stat(".").st_mode), oct(os.umask(0o22)))
"""
UNBLOCK = """
import fcntl
for fd in range(3, 60):
    try: fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK)
    except OSError: pass
"""
SIGNAL = """
import fcntl, signal
for fd in range(3, 60):  # solo il capo da cui si legge: sull'altro il segnale colpirebbe subito chi lo mette
    try:
        if fcntl.fcntl(fd, fcntl.F_GETFL) & 3: continue
        for command, value in ((8, 1), (10, signal.SIGINT), (fcntl.F_SETFL, fcntl.FASYNC)):
            fcntl.fcntl(fd, command, value)
    except OSError: pass
"""
MESSES = {
    "segnale": SIGNAL,
    "interruzione": "import signal\ntry: os.kill(os.getppid(), signal.SIGINT)\nexcept OSError: pass",
    "descrittori": UNBLOCK,
    "limiti": "import resource\nresource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))",
    "priorita": "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
    "coda": "os.sched_setscheduler(os.getppid(), os.SCHED_IDLE, os.sched_param(0))",
    "processori": "os.sched_setaffinity(os.getppid(), {min(os.sched_getaffinity(0))})",
    "cartella": "os.chmod('.', 0o555)",
    "attributi": "os.setxattr('.', 'user.visto', b'1')",
}


@pytest.mark.parametrize("mess", MESSES.values(), ids=MESSES)
def test_the_next_pass_finds_everything_as_it_was(isolation, mess):
    limits = Limits(cell_seconds=30)
    with Box(isolation, limits) as box:
        seen = []
        for source in (HONEST, f"import os\n{mess}", HONEST):
            box.begin(silent=False)
            answer, _ = box.ask({"kind": "cell", "source": source}, [], limits.cell_seconds)
            seen.append(answer)
            time.sleep(0.2)  # chi legge un filo lasciato senza attesa, qui sarebbe già caduto
            if source is HONEST:
                box.ask({"kind": "cell", "source": "1"}, [], limits.cell_seconds)
                time.sleep(0.2)
                box.ask({"kind": "cell", "source": "2"}, [], limits.cell_seconds)
            box.end()
    assert seen[0]["error"] is None
    assert seen[2] == seen[0]


def test_a_box_that_died_waiting_is_made_again(isolation):
    limits = Limits(cell_seconds=30)
    with Box(isolation, limits) as box:
        for _ in range(2):
            box.begin(silent=False)
            answer, _ = box.ask({"kind": "cell", "source": "print(1)"}, [], limits.cell_seconds)
            assert answer["error"] is None
            box.end()
            for child in psutil.Process(box.process.pid).children():
                child.kill()


def test_many_files_in_a_folder_make_the_box_new(isolation):
    """Toglierli uno per uno consumerebbe il tempo di CPU del capostipite, che serve anche agli altri."""
    limits = Limits(cell_seconds=30)
    source = "import os\nos.mkdir('d')\nfor i in range(501): open(f'd/{i}', 'w').close()"
    with Box(isolation, limits) as box:
        box.begin(silent=False)
        box.ask({"kind": "cell", "source": source}, [], limits.cell_seconds)
        box.end()
        assert box.process is None
