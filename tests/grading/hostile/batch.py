"""Una classe sola per tutti i casi: ogni caso sta all'inizio, in mezzo e in fondo, fra consegne buone."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from course_lib.grading.limits import Limits
from course_lib.grading.pipeline import Outcome, grade_class
from course_lib.project import project_root
from tests.grading import samples
from tests.grading.hostile.cases import CASES, Case, Place

LIMITS = Limits(cell_seconds=10, call_seconds=2, notebook_seconds=60)
GOOD = {"perfetta": 10, "sbagliata": 5}
PLACES = "amz"  # dove sta ogni caso, in una classe che si corregge in ordine: prima, in mezzo e dopo le buone
KINDS = ("soluzione", "prova nascosta", "registro", "ambiente", "altra consegna", "file di chi corregge")


@dataclass
class Batch:
    """La classe corretta: corso, esiti per identificativo, canarini per posto, connessioni ricevute."""

    root: Path
    outcomes: dict[str, Outcome]
    canaries: dict[str, str]
    marker: str
    connections: int = 0
    sent: dict[str, bytes] = field(default_factory=dict)

    def of(self, case: Case) -> list[Outcome]:
        """Gli esiti di un caso, uno per posto."""
        return [self.outcomes[f"{place}-{case.name}"] for place in PLACES]

    def good(self) -> dict[str, tuple[str, float | None]]:
        """Verdetti e voti delle consegne buone."""
        found = {n: o for n, o in self.outcomes.items() if "-buona-" in n}
        return {name: (str(outcome.verdict), outcome.points) for name, outcome in found.items()}


def grade(folder: Path, cases: list[Case] = CASES) -> Batch:
    """Prepara il corso e le consegne in `folder`, pianta i canarini, corregge tutto in una volta."""
    folder.chmod(0o755)  # a difendere i segreti dev'essere il box, non i permessi della cartella
    root = folder / "corso"
    for name in ("exercises", "solutions"):
        shutil.copytree(project_root() / name, root / name)
    canaries = {kind: f"{'CANA'}RINO-{secrets.token_hex(8)}" for kind in KINDS}
    _plant(root, canaries)
    marker = f"superstite-{secrets.token_hex(4)}"
    os.environ["CORSO_SEGRETO"] = canaries["ambiente"]
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(0.0)
            place = Place(str(root), server.getsockname()[1], marker)
            sent = write(root / "arrivi", place, cases, canaries)
            report = grade_class(root, "es02", root / "arrivi", limits=LIMITS)
            batch = Batch(root, {o.student: o for o in report.outcomes}, canaries, marker)
            batch.connections = _accepted(server)
            batch.sent = sent
    finally:
        del os.environ["CORSO_SEGRETO"]
    return batch


def _plant(root: Path, canaries: dict[str, str]) -> None:
    path = root / "solutions" / "es02" / "es02.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.id.endswith("-risposta"):
            mark = f"    # {canaries['soluzione']}\n    ### END SOLUTION"
            cell.source = cell.source.replace("    ### END SOLUTION", mark)
        cell.source = cell.source.replace(
            "### END HIDDEN TESTS", f"# {canaries['prova nascosta']}\n### END HIDDEN TESTS"
        )
    nbformat.write(notebook, path)
    (root / "appunti.txt").write_text(canaries["file di chi corregge"], encoding="utf-8")


def write(folder: Path, place: Place, cases: list[Case], canaries: dict[str, str]) -> dict[str, bytes]:
    """Scrive le consegne: quelle buone stanno fra un posto e l'altro, e in mezzo ai casi di mezzo."""
    folder.mkdir(parents=True)
    sent = {}
    for case in cases:
        made = case.make(place)
        raw = made if isinstance(made, bytes) else nbformat.writes(made).encode()
        sent |= {f"{where}-{case.name}": raw for where in PLACES}
    secret = f"\n# {canaries['registro']} {canaries['altra consegna']}"
    right = next(c.source for c in samples.read("solutions").cells if c.id == "project-risposta")
    notebooks = {
        "perfetta": samples.solved(project=right + secret),
        "sbagliata": samples.solved(scaled_scores=samples.NO_SCALE, project=right + secret),
    }
    for where in ("g", "m-f", "t"):
        for name, notebook in notebooks.items():
            sent[f"{where}-buona-{name}"] = nbformat.writes(notebook).encode()
    for name, raw in sent.items():
        (folder / file_name(name, raw)).write_bytes(raw)
    return sent


def file_name(student: str, raw: bytes) -> str:
    """Il nome del file di una consegna: zip se lo è, altrimenti notebook."""
    return f"es02_{student}.{'zip' if raw.startswith(b'PK') else 'ipynb'}"


def _accepted(server: socket.socket) -> int:
    count = 0
    while True:
        try:
            server.accept()[0].close()
        except OSError:
            return count
        count += 1


def printed(batch: Batch, student: str) -> str:
    """Ciò che le celle di una consegna hanno stampato, dal suo notebook corretto; "" se non c'è."""
    path = batch.root / "registro/corretti" / student / "es02/es02.ipynb"
    if not path.is_file():
        return ""
    notebook = nbformat.read(path, as_version=4)
    return "".join(o.get("text", "") for cell in notebook.cells for o in cell.get("outputs", []))


def table(batch: Batch, cases: list[Case] = CASES) -> str:
    """Una riga per caso: famiglia, verdetti, voto, se le buone hanno tenuto il loro."""
    kept = all(result == ("valutato", GOOD[name.rsplit("-", 1)[1]]) for name, result in batch.good().items())
    lines = [f"{'caso':<32}{'famiglia':<12}{'verdetto':<34}{'voto':<8}{'altre':<10}esito"]
    for case in cases:
        outcomes = batch.of(case)
        verdicts = " / ".join(dict.fromkeys(str(o.verdict) for o in outcomes))
        marks = " / ".join(dict.fromkeys("—" if o.points is None else f"{o.points:g}" for o in outcomes))
        ok = "ok" if not wrong(case, outcomes) else "RIUSCITO"
        others = "uguali" if kept else "CAMBIATE"
        lines.append(f"{case.name:<32}{case.kind:<12}{verdicts:<34}{marks:<8}{others:<10}{ok}")
    return "\n".join(lines)


def wrong(case: Case, outcomes: list[Outcome]) -> list[str]:
    """Che cosa non va negli esiti di un caso: verdetto non ammesso, o voto diverso da quello dovuto."""
    found = []
    for outcome in outcomes:
        mark = case.mark if outcome.verdict == "valutato" else None
        if str(outcome.verdict) not in case.verdicts or outcome.points != mark:
            found.append(f"{outcome.student}: {outcome.verdict}, {outcome.points}; {outcome.reason}")
    return found
