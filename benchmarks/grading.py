"""Quanto costa correggere: le stesse consegne oneste di es02 con `nbgrader autograde` e con noi.

python benchmarks/grading.py: cinque minuti su una macchina libera; serve un gruppo di controllo scrivibile
(da amministratore), perché solo lì si vedono la CPU e la memoria di tutti i processi, box e kernel compresi.
Raccolta e pagine di feedback sono escluse, le importazioni comprese. Poi trecento consegne nostre con un
lavoratore ucciso.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import common

common.in_clean_process()

import es02_class  # noqa: E402

GROUPS = Path("/sys/fs/cgroup")
CONFIG = "c = get_config()\nc.CourseDirectory.root = {root!r}\n"


class Group:
    """Un gruppo di controllo: la CPU usata da tutti i suoi processi, anche finiti, e la loro memoria."""

    def __init__(self, name):
        first = GROUPS / "cpuacct" if (GROUPS / "cpuacct").is_dir() else GROUPS
        self.folder = first / f"confronto-{name}-{os.getpid()}"
        try:
            self.folder.mkdir()
        except OSError as error:
            sys.exit(f"Non posso creare il gruppo di controllo {self.folder} ({error.strerror}): serve root.")
        self.samples = []  # (secondi, byte)

    def run(self, command, **options):
        """Esegue un comando nel gruppo. Restituisce i secondi di orologio e di CPU."""
        before, start, over = self.cpu(), time.perf_counter(), threading.Event()
        process = subprocess.Popen(command, preexec_fn=self._enter, **options)
        watcher = threading.Thread(target=self._watch, args=(start, over))
        watcher.start()
        status = process.wait()
        seconds = time.perf_counter() - start
        over.set()
        watcher.join()
        if status:
            sys.exit(f"Il comando {command[:4]} è finito con stato {status}.")
        return seconds, self.cpu() - before

    def _enter(self):
        (self.folder / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")

    def cpu(self):
        """Secondi di CPU di tutto il gruppo."""
        old = self.folder / "cpuacct.usage"
        if old.is_file():
            return int(old.read_text(encoding="ascii")) / 1e9
        lines = (self.folder / "cpu.stat").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("usage_usec")) / 1e6

    def _watch(self, start, over):
        while not over.wait(0.5):
            total = 0
            for pid in (self.folder / "cgroup.procs").read_text(encoding="ascii").split():
                with contextlib.suppress(OSError):
                    lines = Path("/proc", pid, "smaps_rollup").read_text(encoding="ascii").splitlines()
                    total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
            self.samples.append((time.perf_counter() - start, total))

    def close(self):
        """Toglie il gruppo, che ormai è vuoto."""
        for _ in range(50):
            with contextlib.suppress(OSError):
                self.folder.rmdir()
                return
            time.sleep(0.1)


def plain(folder, count):
    """`nbgrader autograde` in un corso suo, con le sue impostazioni."""
    root = folder / "loro"
    shutil.copytree(common.ROOT / "solutions", root / "source")
    es02_class.write(common.ROOT, count, lambda i: root / "submitted" / name(i) / "es02" / "es02.ipynb")
    (root / "nbgrader_config.py").write_text(CONFIG.format(root=str(root)), encoding="utf-8")
    programs = Path(sys.executable).parent
    path = os.pathsep.join([str(programs), os.environ["PATH"]])  # nbgrader vi cerca alembic
    quiet = {
        "cwd": root, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
        "env": {**os.environ, "PATH": path},
    }  # fmt: skip
    program = str(programs / "nbgrader")
    subprocess.run([program, "generate_assignment", "es02"], check=True, **quiet)
    group = Group("loro")
    seconds, cpu = group.run([program, "autograde", "es02"], **quiet)
    group.close()
    found = marks(f"sqlite:///{root}/gradebook.db")
    return side(count, seconds, cpu, group), found


def new_course(folder):
    """Un corso nostro in cui es02 è già nel registro dei voti."""
    for kind in ("exercises", "solutions"):
        shutil.copytree(common.ROOT / kind, folder / kind)
    (folder / "vuota").mkdir()
    subprocess.run([sys.executable, __file__, "--noi", str(folder), "--da", "vuota"], check=True)
    return folder


def ours(folder, count, label, kill_at=0):
    """Il nostro grade_class; restituisce le misure, il corso e gli istanti di ogni consegna finita."""
    root = new_course(folder / label)
    es02_class.write(common.ROOT, count, lambda i: root / "arrivi" / f"es02_{name(i)}.ipynb")
    group = Group(label)
    words = ["--noi", str(root), "--da", "arrivi", "--uccidi", str(kill_at)]
    seconds, cpu = group.run([sys.executable, __file__, *words])
    group.close()
    told = json.loads((root / "misure.json").read_text(encoding="utf-8"))
    measured = side(count, seconds - told["raccolta"], cpu - told["raccolta_cpu"], group)
    return measured, root, told, group


def grade_here(root, folder, kill_at):
    """Il processo misurato: corregge senza pagine, e annota quando finisce ogni consegna."""
    from course_lib.grading import pipeline

    told = {"raccolta": 0.0, "raccolta_cpu": 0.0, "finite": []}
    collect = pipeline.collect_class

    def timed(*args):
        start, cpu = time.perf_counter(), time.process_time()
        collected = collect(*args)
        told["raccolta"], told["raccolta_cpu"] = time.perf_counter() - start, time.process_time() - cpu
        return collected

    def progress(done, total):
        told["finite"].append(time.perf_counter())
        if done == kill_at and done:
            import psutil

            victim = psutil.Process().children()[0]
            os.kill(victim.pid, signal.SIGKILL)
            told["ucciso"] = victim.pid

    pipeline.collect_class = timed
    report = pipeline.grade_class(root, "es02", root / folder, feedback=False, progress=progress)
    told["esiti"] = {o.student: o.points for o in report.outcomes}
    (root / "misure.json").write_text(json.dumps(told), encoding="utf-8")


def name(i):
    """L'identificativo della consegna i."""
    return f"allievo-{i:03d}"


def side(count, seconds, cpu, group):
    """Le misure di una parte."""
    peak = max((size for _, size in group.samples), default=0)
    return {
        "seconds": round(seconds, 2), "per_minute": round(count / seconds * 60, 1), "cpu": round(cpu, 2),
        "peak_mib": round(peak / 2**20),
    }  # fmt: skip


def marks(url):
    """Punti di ogni prova di ogni consegna."""
    from nbgrader.api import Gradebook

    with Gradebook(url) as gradebook:
        return {
            (s.student_id, g.name): g.score
            for s in gradebook.assignment_submissions("es02")
            for n in s.notebooks
            for g in n.grades
        }


def compare(folder, count):
    """Le stesse consegne dalle due parti. Si ferma se un voto è diverso."""
    their, their_marks = plain(folder, count)
    our, root, _, _ = ours(folder, count, "noi")
    our_marks = marks(f"sqlite:///{root}/registro/gradebook.db")
    different = sorted(key for key in their_marks if their_marks[key] != our_marks.get(key))
    if different or len(our_marks) != len(their_marks):
        sys.exit(f"Voti diversi in {len(different)} prove: {different[:10]}")
    case = {
        "case": f"{count} consegne", "ours": our, "peer": their, "equal_marks": len(our_marks),
        "points": sum(our_marks.values()),
        "ratio": round(our["per_minute"] / their["per_minute"], 2),
        "ratio_cpu": round(their["cpu"] / our["cpu"], 2),
    }  # fmt: skip
    print(f"{case['case']}: noi {our}, nbgrader {their}")
    print(f"  al minuto {case['ratio']} volte, per secondo di CPU {case['ratio_cpu']} volte; voti uguali")
    return case


def endure(folder, count):
    """Molte consegne con un lavoratore ucciso: nulla perso, nulla due volte, tempo e memoria per terzi."""
    measured, root, told, group = ours(folder, count, "molte", kill_at=count // 2)
    lines = (root / "registro/diario.jsonl").read_text(encoding="utf-8").splitlines()
    times = Counter(record["studente"] for record in map(json.loads, lines) if "verdetto" in record)
    if times != dict.fromkeys(map(name, range(count)), 1) or None in told["esiti"].values():
        sys.exit("Qualche consegna manca, o è stata corretta due volte.")
    ends = [told["finite"][count * k // 3] for k in range(4)]
    thirds = [round(after - before, 2) for before, after in itertools.pairwise(ends)]
    left = group.samples[len(group.samples) // 10 :]  # dopo le importazioni
    parts = [left[len(left) * k // 3 : len(left) * (k + 1) // 3] for k in range(3)]
    memory = [round(statistics.median(size for _, size in part) / 2**20) for part in parts]
    case = {
        "case": f"{count} consegne, un lavoratore ucciso", "ours": measured, "thirds_seconds": thirds,
        "thirds_mib": memory, "graded_once": len(times),
    }  # fmt: skip
    print(f"{case['case']}: {measured}; secondi per terzo {thirds}, MiB {memory}; ciascuna una volta")
    return case


def overhead(rounds=20):
    """I secondi che il box aggiunge a una consegna, mediana: avvio, quattro passate vuote, chiusura.

    nuovo: un box soltanto per lei (formgrader)   tenuto: i due che un lavoratore tiene pronti, avvio compreso
    """
    from course_lib.grading import sandbox, warm
    from course_lib.grading.limits import DEFAULT

    spec = (sandbox.find_isolation(), DEFAULT, (), ("numpy", "matplotlib.pyplot"), 0)
    case = {"case": "box", "rounds": rounds}
    for name in ("nuovo", "tenuto"):
        seconds = []
        for _ in range(rounds + 1):
            start = time.perf_counter()
            with warm.boxes(spec, spec) as pair:
                for box in pair:
                    for silent in (False, True):
                        box.begin(silent=silent)
                        box.end()
            seconds.append(time.perf_counter() - start)
        started = seconds[0] / warm.MOST_USES if name == "tenuto" else 0.0
        case[name] = round(statistics.median(seconds[1:]) + started, 3)
        warm.keep()
    print(f"il box aggiunge a consegna {case['nuovo']} s se è nuovo, {case['tenuto']} s se è tenuto pronto")
    return case


def main():
    """Tutto il confronto, o la parte che gira in un processo a sé."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--consegne", type=int, default=100)
    parser.add_argument("--molte", type=int, default=300)
    parser.add_argument("--prova", action="store_true", help="non scrive results/grading.json")
    parser.add_argument("--noi", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--da", help=argparse.SUPPRESS)
    parser.add_argument("--uccidi", type=int, default=0, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.noi:
        grade_here(args.noi, args.da, args.uccidi)
        return
    with tempfile.TemporaryDirectory(prefix="confronto-") as folder:
        cases = [overhead(), compare(Path(folder), args.consegne), endure(Path(folder), args.molte)]
    if not args.prova:
        common.write("grading", cases, workers=os.cpu_count(), load_at_end=round(os.getloadavg()[0], 2))


if __name__ == "__main__":
    main()
