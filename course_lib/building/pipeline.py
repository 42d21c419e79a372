"""La costruzione intera: da `sources/` a `notebooks/`, `solutions/` ed `exercises/`."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from course_lib.building.dependencies import dependencies
from course_lib.building.exercises import build_release, build_solution
from course_lib.building.notebooks import build_notebook, notebook_draft
from course_lib.building.source import Source, SourceError, read_source
from course_lib.building.stamps import Stamps, builder_digest, digest, files_digest, write_if_different
from course_lib.project import CorsoError

NOTEBOOK_SOURCES = Path("sources") / "notebooks"
EXERCISE_SOURCES = Path("sources") / "exercises"
NOTEBOOK_NAME = re.compile(r"\d\d-[a-z0-9]+(-[a-z0-9]+)*")
EXERCISE_NAME = re.compile(r"es\d\d")


@dataclass(frozen=True)
class Target:
    """Una sorgente e i file che ne vengono."""

    root: Path
    source: Path  # relativo a root
    outputs: tuple[Path, ...]  # relativi a root

    @property
    def name(self) -> str:
        """Come lo si chiama: il percorso della sorgente."""
        return self.source.as_posix()

    @property
    def is_notebook(self) -> bool:
        """True per un notebook da leggere, False per un esercizio."""
        return len(self.outputs) == 1

    def read(self) -> Source:
        """La sorgente letta; solleva SourceError se è scritta male."""
        return read_source(self.root / self.source, self.name)

    def paths(self) -> list[Path]:
        """I file prodotti, per intero."""
        return [self.root / output for output in self.outputs]

    def inputs(self, source: Source) -> dict[str, str]:
        """Le impronte di tutto ciò da cui il prodotto dipende."""
        found = {"source": digest((self.root / self.source).read_bytes()), "builder": builder_digest()}
        if self.is_notebook:
            found["library"] = files_digest(dependencies(source))
        return found


def targets(root: Path) -> list[Target]:
    """Che cosa c'è da costruire, in ordine; solleva CorsoError se un nome non va o se non c'è nulla."""
    found = []
    for path in sorted((root / NOTEBOOK_SOURCES).glob("*.md")):
        expect_name(path, root, NOTEBOOK_NAME, "02-attenzione-a-mano.md")
        found.append(Target(root, path.relative_to(root), (Path("notebooks") / f"{path.stem}.ipynb",)))
    for path in sorted((root / EXERCISE_SOURCES).glob("*.md")):
        expect_name(path, root, EXERCISE_NAME, "es02.md")
        file = Path(path.stem) / f"{path.stem}.ipynb"
        found.append(
            Target(root, path.relative_to(root), (Path("solutions") / file, Path("exercises") / file))
        )
    if not found:
        raise CorsoError(
            f"in {root} non c'è nessuna sorgente da costruire (sources/notebooks, sources/exercises): "
            "chi studia non ne ha bisogno, i notebook sono già pronti."
        )
    return found


def expect_name(path: Path, root: Path, shape: re.Pattern, example: str) -> None:
    """Solleva SourceError se il nome di una sorgente non è fatto come l'esempio."""
    if not shape.fullmatch(path.stem):
        raise SourceError(f"{path.relative_to(root).as_posix()}: il nome del file va fatto come «{example}».")


def build(root: Path, force: bool = False, say: Callable[[str], None] = print) -> list[Target]:
    """Costruisce ciò che è cambiato (tutto, con force) e restituisce i prodotti ricostruiti.

    root: la cartella del corso.   say: riceve una riga per prodotto.
    Prima si controllano tutte le sorgenti: se una ha uno sbaglio, SourceError e non si scrive nulla.
    """
    stamps = Stamps(root)
    todo = targets(root)
    sources = {target: target.read() for target in todo}
    for target, source in sources.items():
        (notebook_draft if target.is_notebook else build_solution)(source)
    rebuilt = []
    for target in todo:
        inputs = target.inputs(sources[target])
        if not force and stamps.is_fresh(target.name, inputs):
            say(f"{target.name}: già aggiornato")
            continue
        start = time.perf_counter()
        texts = build_texts(target, sources[target], None if force else previous(target, stamps, inputs))
        changed = [write_if_different(path, text) for path, text in zip(target.paths(), texts, strict=True)]
        stamps.record(target.name, inputs, target.paths())
        seconds = f"{time.perf_counter() - start:.1f}".replace(".", ",")
        say(f"{target.name}: ricostruito in {seconds} s" + ("" if any(changed) else ", nulla di diverso"))
        rebuilt.append(target)
    return rebuilt


def build_texts(target: Target, source: Source, before: str | None = None) -> list[str]:
    """I testi dei file di un prodotto, nell'ordine di `outputs`, senza scrivere nulla."""
    if target.is_notebook:
        return [build_notebook(source, before)]
    solution = build_solution(source)
    return [solution, build_release(target.source.stem, solution)]


def previous(target: Target, stamps: Stamps, inputs: dict[str, str]) -> str | None:
    """Il notebook che c'è già, se la libreria da cui viene non è (per quanto si sa) cambiata."""
    stamp = stamps.get(target.name).get("inputs", {})
    path = target.paths()[0]
    if (
        not target.is_notebook
        or not path.is_file()
        or stamp.get("library", inputs["library"]) != inputs["library"]
    ):
        return None
    return path.read_text(encoding="utf-8")
