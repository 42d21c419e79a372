"""`corso giro`: tutto il percorso, dal pacchetto al feedback, in una cartella temporanea e senza domande."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from course_lib.cli.grade import only_on_linux
from course_lib.cli.words import command
from course_lib.project import CorsoError, project_root

EXERCISE = "es02"
PUPILS = ("Anna Bianchi", "Bruno Verdi")
FORGOTTEN = """def scaled_scores(q, K):
    return np.array([sum(q * k) for k in K])   # Bruno ha dimenticato la scala
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Nessun argomento: il giro non fa domande."""


def run(args: argparse.Namespace) -> int:
    """Fa il giro e dice a ogni passo che cosa è successo e dove sono i file."""
    only_on_linux()
    root = project_root()
    if not (root / "solutions").is_dir():
        raise CorsoError("Il giro ha bisogno delle soluzioni: eseguilo da una copia completa del corso.")
    folder = Path(tempfile.mkdtemp(prefix="corso-giro-"))
    print(f"Il giro lavora in {folder}, che resta lì perché tu possa guardarla.\n")
    homes = _bundle(root, folder)
    deliveries = folder / "consegne"
    for name, home in zip(PUPILS, homes, strict=True):
        _work(root, name, home, deliveries)
    return _grade(root, folder, deliveries)


def _say(step: int, text: str) -> None:
    print(f"\n── {step} · {text}", flush=True)


def _bundle(root: Path, folder: Path) -> list[Path]:
    from course_lib.building.bundle import distribute

    _say(1, "Chi insegna prepara il pacchetto per la classe: " + command("distribuisci"))
    archive, files = distribute(root, folder / "pacchetto")
    print(f"   {archive.name}: {len(files)} file, senza soluzioni e senza prove nascoste")
    homes = []
    for name in PUPILS:
        home = folder / name.split()[0].lower()
        with zipfile.ZipFile(archive) as bundle:
            bundle.extractall(home)
        (inside,) = [path.parent for path in home.rglob("corso.py")]
        homes.append(inside)
    return homes


def _work(root: Path, name: str, home: Path, deliveries: Path) -> None:
    """Una persona risolve l'esercizio nella sua copia del pacchetto, controlla e consegna."""
    first = PUPILS.index(name) == 0
    _say(2 if first else 3, f"{name} risolve {EXERCISE}" + ("" if first else ", ma dimentica la scala"))
    _solve(root, home / "exercises" / EXERCISE / f"{EXERCISE}.ipynb", None if first else FORGOTTEN)
    _corso(home, "controlla", EXERCISE)
    _corso(home, "consegna", EXERCISE, "--nome", name, "--in", str(deliveries))


def _solve(root: Path, notebook: Path, wrong: str | None) -> None:
    import nbformat

    solution = nbformat.read(root / "solutions" / EXERCISE / f"{EXERCISE}.ipynb", as_version=4)
    answers = {cell.id: cell.source for cell in solution.cells if cell.id.endswith("-risposta")}
    if wrong:
        answers["scaled-scores-risposta"] = wrong
    work = nbformat.read(notebook, as_version=4)
    for cell in work.cells:
        lines = answers.get(cell.id, cell.source).split("\n")
        cell.source = "\n".join(line for line in lines if "###" not in line)
    nbformat.write(work, notebook)


def _corso(home: Path, *words: str) -> None:
    """Un comando `corso` dentro la copia di chi studia, con la sua course_lib."""
    print(f"   $ {command(*words)}", flush=True)
    program = [sys.executable, "-m", "course_lib.cli", *words]
    done = subprocess.run(
        program, cwd=home, env={**os.environ, "PYTHONPATH": str(home)}, capture_output=True, text=True,
        encoding="utf-8", check=False,
    )  # fmt: skip
    text = (done.stdout + done.stderr).strip()
    print("     " + text.replace("\n", "\n     "))
    if done.returncode not in (0, 1):
        raise CorsoError(f"Il comando «{command(words[0])}» si è fermato: il giro finisce qui.")


def _grade(root: Path, folder: Path, deliveries: Path) -> int:
    from course_lib.grading import sandbox
    from course_lib.grading.pipeline import grade_class
    from course_lib.grading.report import table, write_csv

    _say(4, f"Chi insegna corregge: {command('correggi')} {EXERCISE} --da consegne")
    desk = folder / "docente"
    for name in ("exercises", "solutions"):
        shutil.copytree(root / name, desk / name)
    try:
        sandbox.find_isolation()
        isolated = True
    except CorsoError as error:
        isolated = False
        print(f"   {error}\n   Le consegne del giro sono nostre: qui si corregge senza isolamento.")
    report = grade_class(desk, EXERCISE, deliveries, isolated=isolated)
    print("   " + table(report).replace("\n", "\n   "))
    write_csv(EXERCISE, report.outcomes, desk / "registro" / f"{EXERCISE}.csv")
    _say(5, "Il feedback")
    for outcome in report.outcomes:
        print(f"   {outcome.name}: {outcome.feedback}")
    print(f"\nVoti: {desk / 'registro' / f'{EXERCISE}.csv'}")
    print(f"Quando hai finito di guardare, cancella {folder}.")
    right = {o.student: o.points for o in report.outcomes} == {"anna-bianchi": 10, "bruno-verdi": 5}
    print(
        "Il giro è riuscito: 10 punti ad Anna, 5 a Bruno."
        if right
        else "Il giro NON ha dato i voti attesi, 10 e 5."
    )
    return 0 if right else 1
