"""Un box serve più consegne: nulla di ciò che fa una passata rallenta, lega o guasta quella dopo."""

from __future__ import annotations

import time

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
MESSES = {
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
            box.end()
    assert seen[0]["error"] is None
    assert seen[2] == seen[0]
