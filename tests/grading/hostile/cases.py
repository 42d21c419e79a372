"""I casi: ciascuno è una consegna di es02, con il verdetto e il voto che deve avere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nbformat import NotebookNode

from tests.grading import samples
from tests.grading.hostile import forgeries, malformed, probe

NAMES = ("project", "scaled_scores", "softmax_row", "combine", "attend")
GRADED, TIMEOUT, CRASHED = "valutato", "tempo scaduto", "interrotto"
MEMORY, UNREADABLE, SUSPECT = "memoria esaurita", "illeggibile", "sospetto"


@dataclass(frozen=True)
class Place:
    """Ciò che un attacco può sapere della macchina: il corso, una porta aperta, il segno del superstite."""

    root: str
    port: int
    marker: str


@dataclass(frozen=True)
class Case:
    """kind: famiglia   make(place): la consegna, notebook o byte   verdicts, mark: ciò che deve avere"""

    name: str
    kind: str
    make: Callable[[Place], NotebookNode | bytes]
    verdicts: tuple[str, ...] = (GRADED,)
    mark: float | None = None


def right_with(extra: str) -> Callable[[Place], NotebookNode]:
    """Tutte le risposte giuste, e nella prima cella anche `extra` (dopo la funzione)."""
    right = next(c.source for c in samples.read("solutions").cells if c.id == "project-risposta")
    return lambda place: samples.solved(project=f"{right}\n{extra}".replace("@ROOT@", place.root)
                                        .replace("@PORT@", str(place.port))
                                        .replace("@MARKER@", place.marker))  # fmt: skip


def all_wrong(prelude: str, body: str) -> Callable[[Place], NotebookNode]:
    """Le cinque funzioni sbagliate, con un trucco prima (prelude) e uno dentro (body)."""
    lines = body.replace("\n", "\n    ")
    return lambda place: samples.only(
        **{name: f"{prelude}\ndef {name}(*args):\n    {lines}\n" for name in NAMES}
    )


def harmless(name: str, kind: str, extra: str) -> Case:
    """Risposte giuste più un attacco: l'attacco non riesce, il voto resta quello delle risposte."""
    return Case(name, kind, right_with(extra), (GRADED,), 10)


def forged(name: str, prelude: str, body: str, verdicts: tuple[str, ...] = (GRADED,)) -> Case:
    """Risposte sbagliate più un trucco: nessun punto."""
    return Case(name, "falsi", all_wrong(prelude, body), verdicts, 0 if GRADED in verdicts else None)


def stopped(name: str, kind: str, extra: str, *verdicts: str) -> Case:
    """Una cella che supera un limite: verdetto, e voto vuoto."""
    return Case(name, kind, right_with(extra), verdicts, None)


SQL = """
import glob, os, shutil, sqlite3
found = [f for top in ("/tmp", "/root", "/home", "/srv") for f in glob.glob(top + "/**/*.db", recursive=True)]
for place in ["@ROOT@", *found, os.getcwd() + "/../.."]:
    try:
        base = sqlite3.connect(place if place.endswith(".db") else place + "/registro/gradebook.db")
        base.execute("UPDATE grade SET manual_score = 10, auto_score = 10"); base.commit()
    except Exception as error: print(type(error).__name__)
shutil.rmtree("@ROOT@", ignore_errors=True)
os.system("rm -rf @ROOT@ 2>/dev/null")
print("RADICE", os.path.exists("@ROOT@"))
"""
HOOK = """
seen = []
def show(info): print("SPIA", info.raw_cell)
get_ipython().events.register("pre_run_cell", show)
get_ipython().events.register("pre_execute", lambda: seen.append(1))
"""
SWALLOW = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
SIGNALS = """
import signal, time
for number in range(1, 32):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: time.sleep(1)
"""
FOUR = """
import os, time
for _ in range(3):
    if os.fork() == 0: break
x = b"x" * 600_000_000
time.sleep(60)
"""
BOMB = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
BIG_FILE = """
import os
try:
    with open("/tmp/grande", "wb") as f:
        for _ in range(10_000): f.write(b"x" * 2**20)
except OSError as error: print("LIMITE", error.errno)
"""
MANY_FILES = """
import os
for i in range(1500):
    with open(f"/tmp/{i}", "wb") as f: f.write(b"x" * 1000)
"""
OUTPUT = "for _ in range(20_000): print('x' * 10_000)"
PICTURES = """
from IPython.display import Image, display
import os, struct, zlib
chunk = lambda k, d: struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d))
raw = b"".join(b"\\0" + os.urandom(600) for _ in range(200))
head = struct.pack(">IIBBBBB", 200, 200, 8, 2, 0, 0, 0)
png = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head)
png += chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")
for _ in range(200): display(Image(png))
"""
SCRIPT = """
from IPython.display import HTML, Javascript, display
display(HTML("<script>ATTACCO</script>")); display(Javascript("ATTACCO"))
print("<script>ATTACCO</script><img src=x onerror=ATTACCO>")
raise type("<script>ATTACCO</script>", (Exception,), {})("<script>ATTACCO</script>")
"""
NETWORK = """
import socket
for family, where in ((2, ("127.0.0.1", @PORT@)), (10, ("::1", @PORT@)), (40, (2, @PORT@)), (1, "\\0corso")):
    try:
        s = socket.socket(family, 1); s.settimeout(1); s.connect(where)
        s.send(b"DENTRO"); print("DENTRO", family)
    except OSError as error: print(type(error).__name__)
try: print(socket.getaddrinfo("example.org", 80))
except OSError as error: print(type(error).__name__)
"""
SURVIVOR = """
import os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(1, 32):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        os.execv("/usr/bin/sleep", ["@MARKER@", "600"])
    os._exit(0)
"""
KILL = """
import os, signal
for pid in [-1, 1, os.getppid()]:
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGHUP):
        try:
            if pid != -1: os.kill(pid, number)
        except OSError: pass
"""


CASES = [
    *forgeries.cases(forged),
    harmless("sql-e-cancellazione", "spie", SQL),
    harmless("aggancio-pre-run-cell", "spie", HOOK),
    harmless("canarini", "spie", probe.cell()),
    harmless("rete", "spie", NETWORK),
    stopped("os-exit", "crolli", "import os; os._exit(0)", CRASHED),
    stopped("sigsegv", "crolli", "import os; os.kill(os.getpid(), 11)", CRASHED),
    stopped("ciclo", "attese", "while True: pass", TIMEOUT),
    stopped("ciclo-che-inghiotte", "attese", SWALLOW, TIMEOUT),
    stopped("sonno-senza-segnali", "attese", SIGNALS, TIMEOUT),
    stopped("otto-gigabyte", "ingordi", "x = bytearray(8 * 2**30)", MEMORY),
    stopped("quattro-processi", "ingordi", FOUR, MEMORY),
    stopped("bomba", "ingordi", BOMB, TIMEOUT, MEMORY),
    harmless("file-di-10-gb", "ingordi", BIG_FILE),
    harmless("molti-file", "ingordi", MANY_FILES),
    harmless("uscita-di-200-mb", "ingordi", OUTPUT),
    harmless("duecento-figure", "ingordi", PICTURES),
    harmless("html-e-script", "pagine", SCRIPT),
    harmless("superstite", "superstiti", SURVIVOR),
    harmless("segnali-al-capostipite", "superstiti", KILL),
    harmless("all-uscita", "superstiti", "import atexit, os\natexit.register(os._exit, 3)\ndel os"),
    Case("motore-del-box", "sospetti", right_with("import corso_box.pupil"), (SUSPECT,)),
    Case("funzioni-del-corso", "sospetti", right_with("import course_lib.transformer"), (SUSPECT,)),
    *(Case(f"{name}", "malformati", make, verdicts, mark) for name, make, verdicts, mark in malformed.CASES),
]
