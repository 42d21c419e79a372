"""Il box dall'interno: che cosa non si vede, non si scrive, non si raggiunge, non sopravvive."""

from __future__ import annotations

import os
import time

import psutil
import pytest

from course_lib.grading import sandbox
from course_lib.grading.box import Box
from course_lib.grading.limits import Limits
from course_lib.grading.verdicts import BoxFailure, Verdict
from course_lib.project import project_root

FORK_BOMB = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"


def text_of(answer: dict) -> str:
    return "".join(output.get("text", output.get("message", "")) for output in answer["outputs"])


def test_streams_results_and_errors_are_kept_in_order(run_in_box):
    answer = run_in_box("print('uno')\nimport sys; print('due', file=sys.stderr)\n1 / 0")[0]
    kinds = [(o["output_type"], o["name"]) for o in answer["outputs"]]
    assert kinds == [("stream", "stdout"), ("stream", "stderr"), ("error", "ZeroDivisionError")]
    assert answer["outputs"][2]["line"] == "riga 3: 1 / 0"


def test_a_figure_becomes_a_png(run_in_box):
    answer = run_in_box("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")[0]
    assert any("image/png" in output.get("data", {}) for output in answer["outputs"])


def test_html_is_never_kept(run_in_box):
    source = (
        "from IPython.display import HTML, Javascript, display\n"
        "display(HTML('<script>1</script>'))\nJavascript('1')"
    )
    assert all("data" not in output for output in run_in_box(source)[0]["outputs"])


def test_output_is_cut(run_in_box):
    answer = run_in_box("while_ = [print('x' * 1000) for _ in range(100_000)]")[0]
    assert len(text_of(answer)) < 30_000
    assert "il resto non è stato tenuto" in text_of(answer)


SECRETS = "solutions", "registro", "sources", ".git", "tests", "course_lib"


def test_the_course_and_the_persons_files_are_not_there(run_in_box, tmp_path):
    canary = tmp_path / "segreto.txt"
    canary.write_text("CANARINO", encoding="utf-8")
    root = project_root()
    probe = (
        "import os\nfound = []\n"
        "for top in ('/', ):\n"
        "    for folder, names, files in os.walk(top):\n"
        "        names[:] = [n for n in names if os.path.join(folder, n) not in ('/proc', '/usr')]\n"
        "        found += [os.path.join(folder, f) for f in files]\n"
        f"there = {{n: os.path.exists(os.path.join({str(root)!r}, n)) for n in {SECRETS!r}}}\n"
        f"print(os.path.exists({str(canary)!r}), there)\n"
        "mine = lambda f: 'site-packages' not in f and '/share/' not in f\n"
        "print([f for f in found if f.endswith(('.ipynb', '.db')) and mine(f)])"
    )
    seen, notebooks = text_of(run_in_box(probe)[0]).splitlines()
    assert seen == f"False {dict.fromkeys(SECRETS, False)}"
    assert notebooks == "[]"


def test_the_environment_holds_nothing_of_the_person(run_in_box, monkeypatch):
    monkeypatch.setenv("CANARINO", "segreto")
    text = text_of(run_in_box("import os; print(dict(os.environ))")[0])
    assert "CANARINO" not in text
    assert set(eval(text)) == {*sandbox.box_environment(), "PWD"}


def test_other_processes_cannot_be_seen_or_read(run_in_box):
    probe = (
        "import os\nfor pid in filter(str.isdigit, os.listdir('/proc')):\n"
        "    for name in ('environ', 'mem', 'maps', 'fd'):\n"
        "        path = f'/proc/{pid}/{name}'\n"
        "        try:\n"
        "            ok = bool(os.listdir(path)) if name == 'fd' else bool(open(path, 'rb').read(1))\n"
        "        except OSError: ok = False\n"
        "        if ok and int(pid) != os.getpid(): print(path)\n"
        "print(len(list(filter(str.isdigit, os.listdir('/proc')))))"
    )
    text = text_of(run_in_box(probe)[0])
    assert "/proc/" not in text
    assert int(text) <= 4


@pytest.mark.parametrize(
    "place",
    ["/x", "/usr/x", "/etc/x", "/dev/shm/x", "/corso/x", "/corso/corso_box/wire.py", "{prefix}/x", "/proc/x"],
)
def test_nothing_outside_tmp_can_be_written(run_in_box, place):
    import sys

    path = place.format(prefix=sys.prefix)
    assert "NO" in text_of(run_in_box(f"try: open({path!r}, 'a').write('x')\nexcept OSError: print('NO')")[0])


def test_there_is_no_network(run_in_box):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        probe = (
            f"import socket\ntry: socket.create_connection(('127.0.0.1', {port}), 1); print('DENTRO')\n"
            "except OSError as e: print(type(e).__name__)\n"
            "print([line.split(':')[0].strip() for line in open('/proc/net/dev') if ':' in line])\n"
            "for family in (1, 2, 10, 16, 17, 38, 40):\n"
            "    try: socket.socket(family, socket.SOCK_DGRAM); print('PRESA', family)\n"
            "    except OSError: pass\n"
            "print(len(socket.socketpair()))"
        )
        text = text_of(run_in_box(probe)[0])
    assert "DENTRO" not in text
    assert "PRESA" not in text
    assert text.endswith("2\n")
    assert "['lo']" in text


def test_no_privilege_is_left_and_none_can_be_gained(run_in_box):
    probe = (
        "import os, ctypes\nprint(os.getuid() == 0, os.getgroups())\n"
        "print(*[l for l in open('/proc/self/status') if l.startswith(('Cap', 'NoNewPrivs'))])\n"
        "for f in (lambda: os.setuid(0), lambda: os.chroot('/tmp'), lambda: os.mkfifo('/x')):\n"
        "    try: f(); print('RIUSCITO')\n    except OSError: pass\n"
        "print(ctypes.CDLL(None).unshare(0x10000000), ctypes.CDLL(None).mount(b'x', b'/tmp', b'tmpfs', 0, 0))"
    )
    text = text_of(run_in_box(probe)[0])
    assert text.startswith("False []")
    assert "NoNewPrivs:\t1" in text
    assert all(set(line.split()[1]) == {"0"} for line in text.splitlines() if line.strip().startswith("Cap"))
    assert "RIUSCITO" not in text


def test_only_the_offered_modules_of_the_library_are_there(run_in_box):
    probe = (
        "from course_lib.checks import verifica\nprint(verifica('es02', print))\n"
        "import course_lib.notation\n"
        "for name in ('transformer', 'checks.es02', 'grading', 'project'):\n"
        "    try: __import__('course_lib.' + name); print('C È', name)\n    except ImportError: pass"
    )
    assert text_of(run_in_box(probe, modules=("course_lib.notation",))[0]) == "None\n"


@pytest.mark.parametrize(
    ("source", "verdicts"),
    [
        ("while True: pass", {Verdict.TIMEOUT}),
        ("x = []\nwhile True: x.append(bytearray(50_000_000))", {Verdict.MEMORY}),
        (
            "import os, time\nfor _ in range(4):\n    if os.fork() == 0: break\n"
            "x = b'x' * 500_000_000\ntime.sleep(60)",
            {Verdict.MEMORY},
        ),
        (FORK_BOMB, {Verdict.TIMEOUT, Verdict.MEMORY}),
    ],
    ids=["ciclo", "lista", "quattro processi", "bomba"],
)
def test_limits_hold(isolation, source, verdicts):
    patience = 2 if Verdict.TIMEOUT in verdicts else 60  # chi riempie la memoria può metterci molto
    limits = Limits(cell_seconds=patience, memory=700 * 2**20)
    with Box(isolation, limits) as box:
        box.begin(silent=False)
        try:
            answer, _ = box.ask({"kind": "cell", "source": source}, [], limits.cell_seconds)
            verdict = Verdict.MEMORY if answer["error"] == "MemoryError" else None
        except BoxFailure as failure:
            verdict = failure.verdict
        assert verdict in verdicts
        assert len(processes_of(box)) <= 3  # bwrap, il suo init, il capostipite


def test_memory_is_said_before_time(isolation, monkeypatch):
    """Una macchina carica può accorgersi dell'una quando anche l'altro è passato."""
    with Box(isolation, Limits()) as box:
        box.begin(silent=False)
        monkeypatch.setattr(box.meter, "exceeded", lambda: True)
        with pytest.raises(BoxFailure) as caught:
            box.ask({"kind": "cell", "source": "import time\ntime.sleep(9)"}, [], -1)
        assert caught.value.verdict == Verdict.MEMORY


def processes_of(box: Box) -> list[psutil.Process]:
    parent = psutil.Process(box.process.pid)
    return [parent, *parent.children(recursive=True)]


def test_files_are_bounded(run_in_box):
    probe = (
        "try:\n"
        "    with open('/tmp/grande', 'wb') as f:\n"
        "        for _ in range(200): f.write(b'x' * 2**20)\n"
        "except OSError as e: print(e.errno)\n"
        "import os; print(os.path.getsize('/tmp/grande') <= 40 * 2**20)"
    )
    assert text_of(run_in_box(probe)[0]).endswith("True\n")


def test_nothing_survives_a_pass(isolation):
    source = (
        "import os, time\n"
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        while True: time.sleep(0.01)\n    os._exit(0)"
    )
    with Box(isolation, Limits()) as box:
        box.begin(silent=False)
        box.ask({"kind": "cell", "source": source}, [], 5)
        box.end()
        assert len(processes_of(box)) <= 3
        box.begin(silent=False)
        answer, _ = box.ask(
            {"kind": "cell", "source": "print('source' in globals(), 'time' in globals())"}, [], 5
        )
        assert text_of(answer) == "False False\n"
        pids = [process.pid for process in processes_of(box)]
    deadline = time.monotonic() + 10
    while any(map(psutil.pid_exists, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(psutil.pid_exists, pids))


def test_bytes_left_on_the_wire_do_not_reach_the_next_pass(isolation):
    source = (
        "import os\nfor fd in range(3, 128):\n    try: os.write(fd, b'\\0' * 8)\n    except OSError: pass"
    )
    with Box(isolation, Limits()) as box:
        box.begin(silent=False)
        with pytest.raises(BoxFailure) as caught:
            [box.ask({"kind": "cell", "source": source}, [], 5) for _ in range(20)]
        assert caught.value.verdict == Verdict.SUSPECT
        box.begin(silent=False)
        answer, _ = box.ask({"kind": "cell", "source": "print(6 * 7)"}, [], 5)
        assert text_of(answer) == "42\n"


def test_the_ancestor_cannot_be_stopped_or_killed_from_inside(isolation):
    source = (
        "import os, signal\n"
        "for s in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM): os.kill(os.getppid(), s)\nprint('vivo')"
    )
    with Box(isolation, Limits()) as box:
        for _ in range(2):
            box.begin(silent=False)
            assert text_of(box.ask({"kind": "cell", "source": source}, [], 5)[0]) == "vivo\n"
            box.end()
        assert box.process is not None


def test_strings_hash_the_same_in_every_box(run_in_box):
    probe = "import sys; print(sys.flags.hash_randomization, hash('chiave'), list({'a', 'b', 'c', 'd'}))"
    assert text_of(run_in_box(probe)[0]) == text_of(run_in_box(probe)[0])


def test_common_notebook_lines_work_in_the_box(run_in_box):
    source = "%matplotlib inline\nimport matplotlib.pyplot as plt\nprint('uno')\nexit()\nprint('due')"
    answers = run_in_box(source, "print('tre')")
    assert [answer["error"] for answer in answers] == [None, None]
    assert "uno" in text_of(answers[0])
    assert text_of(answers[1]) == "tre\n"


def test_no_descriptor_leaks(isolation):
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with Box(isolation, Limits()) as box:
            box.begin(silent=True)
    assert len(os.listdir("/proc/self/fd")) == before


def test_the_root_and_dev_are_mounted_read_only(run_in_box):
    """Da utente la radice appartiene al box: solo il montaggio la difende."""
    text = text_of(run_in_box("print(open('/proc/self/mounts').read())")[0])
    flags = {line.split()[1]: line.split()[3].split(",") for line in text.splitlines() if line.strip()}
    assert "ro" in flags["/"]
    assert "ro" in flags["/dev"]
    assert "nosuid" in flags["/tmp"]


def test_system_calls_that_would_widen_the_box_are_refused(run_in_box):
    probe = (
        "import ctypes, os, subprocess, threading\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "print(libc.unshare(0x10000000), libc.unshare(0x20000))\n"
        "print(libc.memfd_create(b'm', 0), libc.shmget(0, 9, 0o1600))\n"
        "try: os.memfd_create('m')\nexcept OSError as e: print(e.errno)\n"
        "thread = threading.Thread(target=print, args=('filo',)); thread.start(); thread.join()\n"
        "child = os.posix_spawn('/usr/bin/true', ['true'], {})\n"
        "print(subprocess.run(['true']).returncode, os.waitpid(child, 0)[1])"
    )
    assert text_of(run_in_box(probe)[0]) == "-1 -1\n-1 -1\n1\nfilo\n0 0\n"
