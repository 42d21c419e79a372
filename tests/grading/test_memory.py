"""La memoria di tutto il box: ciò che i processi non mostrano, contato dal nucleo o dal guardiano."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.cli import diagnose
from course_lib.grading import memory
from course_lib.grading.box import Box
from course_lib.grading.limits import Limits
from course_lib.grading.sandbox import Isolation
from course_lib.grading.verdicts import BoxFailure, Verdict
from tests.conftest import administrator_only, unavailable

MIB = 2**20
SMALL = Limits(cell_seconds=30, memory=300 * MIB)
SLEEP = "\nimport time; time.sleep(30)"
HIDDEN = """
import mmap
m = mmap.mmap(-1, 600 * 2**20, flags=mmap.MAP_SHARED)
for i in range(600):
    m[i * 2**20:(i + 1) * 2**20] = b'x' * 2**20
    m.madvise(mmap.MADV_DONTNEED)
"""
ZERO = """
import mmap, os
m = mmap.mmap(os.open('/dev/zero', os.O_RDWR), 600 * 2**20)
for i in range(600):
    m[i * 2**20:(i + 1) * 2**20] = b'x' * 2**20
    m.madvise(mmap.MADV_DONTNEED)
"""
FOLDERS = """
import os
for i in range(2_000_000):
    try: os.mkdir(f'/tmp/{i}')
    except OSError: break
"""
TOGETHER = """
import os
for name in ('a', 'b'):
    with open('/tmp/' + name, 'wb') as f:
        for _ in range(24): f.write(os.urandom(2**20))
if os.fork() == 0:
    x = b'x' * 140_000_000
else:
    x = b'y' * 140_000_000
"""


@pytest.fixture(params=["gruppo", "guardiano"])
def way(request, monkeypatch, isolation):
    """Le due maniere di contare; la prima dove cgroup è scrivibile, la seconda ovunque."""
    if request.param == "guardiano":
        monkeypatch.setattr(memory, "find_parent", lambda: None)
    elif memory.find_parent() is None:
        no_groups()
    return request.param


def no_groups() -> None:
    if os.geteuid() == 0:
        unavailable("cgroup non è scrivibile su questa macchina")
    administrator_only("cgroup è dell'amministratore")


def verdict_of(isolation, source: str, limits: Limits = SMALL) -> str:
    with Box(isolation, limits) as box:
        box.begin(silent=False)
        try:
            answer, _ = box.ask({"kind": "cell", "source": source}, [], limits.cell_seconds)
        except BoxFailure as failure:
            return str(failure.verdict)
        return answer["error"] or "finita"


@pytest.mark.parametrize("source", [FOLDERS, TOGETHER], ids=["cartelle", "file e processi"])
def test_memory_that_no_single_process_shows_is_counted(way, isolation, source):
    assert verdict_of(isolation, source + SLEEP) == Verdict.MEMORY


@pytest.mark.parametrize(
    ("source", "expected"),
    [(HIDDEN, "PermissionError"), (ZERO, "OSError")],
    ids=["senza file", "/dev/zero"],
)
def test_shared_memory_that_hides_cannot_be_had(way, isolation, source, expected):
    assert verdict_of(isolation, source) == expected


def test_ordinary_work_is_within_the_limit(way, isolation):
    assert verdict_of(isolation, "import numpy as np\nx = np.ones(10_000_000)\nprint(x.sum())") == "finita"


def test_the_watchdog_sees_what_is_written_in_the_box(isolation, monkeypatch):
    monkeypatch.setattr(memory, "find_parent", lambda: None)
    write_40 = "for i in (1, 2):\n    with open(f'/tmp/{i}', 'wb') as f: f.write(bytes(20 * 2**20))"
    with Box(isolation, SMALL) as box:
        box.begin(silent=False)
        box.ask({"kind": "cell", "source": "1"}, [], 30)
        before = box.meter.used()
        box.ask({"kind": "cell", "source": write_40}, [], 30)
        assert 38 * MIB < box.meter.used() - before < 60 * MIB


def test_the_watchdog_counts_what_sockets_can_hold(isolation, monkeypatch):
    """Prese a coppie, piene, tengono memoria nel nucleo che nessun processo mostra."""
    monkeypatch.setattr(memory, "find_parent", lambda: None)
    make = "import socket\nkept = [socket.socketpair() for _ in range(50)]"
    with Box(isolation, SMALL) as box:
        box.begin(silent=False)
        box.ask({"kind": "cell", "source": "import socket"}, [], 30)
        before = box.meter.used()
        box.ask({"kind": "cell", "source": make}, [], 30)
        assert box.meter.used() - before > 100 * memory.SOCKET


def test_without_isolation_the_sockets_of_the_machine_are_not_the_box_s(monkeypatch):
    """Lì la rete è quella di tutti: le prese di un tavolo da lavoro basterebbero a superare il limite."""
    monkeypatch.setattr(memory, "_sockets", lambda pid: 100_000)
    with Box(Isolation("none"), SMALL) as box:
        box.begin(silent=False)
        assert box.ask({"kind": "cell", "source": "1"}, [], 30)[0]["error"] is None
        assert box.meter.used() < SMALL.memory


def test_the_machine_would_give_up_the_box_first(way, isolation):
    with Box(isolation, SMALL) as box:
        box.begin(silent=False)
        source = "print(open('/proc/self/oom_score_adj').read())"
        assert box.ask({"kind": "cell", "source": source}, [], 30)[0]["outputs"][0]["text"] == "1000\n\n"


def test_a_call_that_exceeds_leaves_the_next_pass_alone(way, isolation):
    with Box(isolation, SMALL) as box:
        box.begin(silent=False)
        greedy = "x = []\nwhile True: x.append(b'x' * 10**7)"
        with pytest.raises(BoxFailure) as caught:
            box.ask({"kind": "cell", "source": greedy}, [], 30)
        assert caught.value.verdict == Verdict.MEMORY
        box.begin(silent=False)
        assert box.ask({"kind": "cell", "source": "print(1)"}, [], 30)[0]["error"] is None


def test_no_group_is_left_behind(isolation):
    if memory.find_parent() is None:
        no_groups()
    with Box(isolation, SMALL) as box:
        folder = box.meter.folder
        assert folder.is_dir()
        assert box.process.pid in map(int, (folder / "cgroup.procs").read_text().split())
    assert not folder.exists()


def test_the_group_of_a_dead_grader_is_removed_and_that_of_a_living_one_is_not(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for name in (f"{dead.pid}-77-0", f"{os.getpid()}-{memory._started_at(os.getpid())}-9", "strano"):
        (tmp_path / (memory.PREFIX + name)).mkdir()
    memory.remove_stale(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        [f"{memory.PREFIX}{os.getpid()}-{memory._started_at(os.getpid())}-9", memory.PREFIX + "strano"]
    )


def test_clean_up_waits_for_the_boxes_of_finished_workers(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "find_parent", lambda: memory.Parent(tmp_path, 1))
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    group = tmp_path / f"{memory.PREFIX}{dead.pid}-77-0"
    (group / "vivo").mkdir(parents=True)
    monkeypatch.setattr(memory.time, "sleep", lambda seconds: (group / "vivo").rmdir())
    memory.clean_up()
    assert list(tmp_path.iterdir()) == []


MOUNTS = """\
24 1 0:22 / /sys rw - sysfs sysfs rw
30 24 0:26 {root} {place}/memory rw - cgroup cgroup rw,memory
31 24 0:27 / {place}/pids rw - cgroup cgroup rw,pids
32 24 0:28 / {place}/unified rw - cgroup2 cgroup2 rw
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("root", "below"), [("/", "svc/a"), ("/svc", "a"), ("/altro/posto", "")])
def test_version_1_is_found_where_the_process_is(tmp_path, root, below):
    own = write(tmp_path / "cgroup", "4:memory:/svc/a\n8:pids:/x\n0::/\n")
    mounts = write(tmp_path / "mounts", MOUNTS.format(place=tmp_path / "cg", root=root))
    assert memory.candidates(own, mounts) == [memory.Parent(tmp_path / "cg" / "memory" / below, 1)]


def test_version_2_needs_the_memory_controller_below_the_place(tmp_path):
    """Il gruppo del processo contiene processi: si usa quello di sopra, se dà la memoria a chi ne nasce."""
    own = write(tmp_path / "cgroup", "0::/app.slice/corso.scope\n")
    mounts = write(tmp_path / "mounts", f"9 1 0:28 / {tmp_path}/cg rw - cgroup2 cgroup2 rw\n")
    slice_ = tmp_path / "cg" / "app.slice"
    write(slice_ / "corso.scope" / "cgroup.subtree_control", "\n")
    control = write(slice_ / "cgroup.subtree_control", "cpu pids\n")
    assert memory.candidates(own, mounts) == []
    control.write_text("cpu memory pids\n")
    assert memory.candidates(own, mounts) == [memory.Parent(slice_, 2)]


def test_version_2_writes_its_own_files_and_reads_its_own_count(tmp_path, monkeypatch):
    """Un finto albero: cartelle vere al posto del nucleo, con i file che il nucleo vi metterebbe."""
    parent = memory.Parent(tmp_path, 2)
    monkeypatch.setattr(memory.Path, "mkdir", made_by_the_kernel(memory.Path.mkdir))
    group = memory.Group(parent, Limits(memory=5 * MIB))
    assert (group.folder / "memory.max").read_text() == str(5 * MIB)
    assert (group.folder / "memory.swap.max").read_text() == "0"
    assert not group.exceeded()
    (group.folder / "memory.events").write_text("low 0\nmax 7\noom 1\noom_kill 1\n")
    assert group.exceeded()
    group.forgive()
    assert not group.exceeded()
    assert group.peak() == 4096


def made_by_the_kernel(mkdir):
    def make(path, *args, **kwargs):
        mkdir(path, *args, **kwargs)
        for name, text in {
            "memory.max": "max",
            "memory.swap.max": "max",
            "memory.events": "oom_kill 0\n",
            "memory.peak": "4096\n",
        }.items():
            (path / name).write_text(text)

    return make


@pytest.mark.parametrize(
    ("parent", "said"),
    [(memory.Parent(Path("/x"), 1), "dal nucleo (cgroup v1)"), (None, "cgroup non scrivibile")],
)
def test_diagnosi_says_who_counts(monkeypatch, parent, said):
    monkeypatch.setattr(memory, "find_parent", lambda: parent)
    monkeypatch.setattr(diagnose.shutil, "which", lambda name: "/usr/bin/bwrap")
    (line,) = diagnose.check_box_memory()
    assert said in line.seen
