"""Che cosa riceve la classe: i testi che vengono dalle sorgenti, non da chi ha scritto nei file costruiti.

Aprire un notebook in JupyterLab basta a cambiarne i metadati, e chi insegna risponde agli esercizi per
provarli: qui gli esercizi si rifanno dalle sorgenti, e dei notebook si prendono dal disco le sole uscite.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from course_lib.building.normalise import new_notebook, normalise_outputs, notebook_text
from course_lib.building.notebooks import IGNORE_OUTPUT, expect_presentable, notebook_draft
from course_lib.building.pipeline import EXERCISE_SOURCES, Target, build_texts, targets
from course_lib.building.source import Source, SourceError
from course_lib.building.stamps import Stamps, digest
from course_lib.project import CorsoError


def class_texts(root: Path) -> dict[str, str]:
    """I notebook e gli esercizi per la classe: percorso -> testo JSON, senza scrivere nulla.

    Solleva CorsoError se un notebook o una soluzione non corrisponde alla sua sorgente.
    """
    stamps, found, stale = Stamps(root), {}, []
    for target in targets(root):
        output = target.outputs[-1].as_posix()
        if target.is_notebook:
            text = _notebook(target, stamps)
        else:
            text = _exercise(target)
        if text is None:
            stale.append(target.outputs[0].as_posix())
        else:
            found[output] = text
    expect_none(stale)
    return found


def exercise_text(root: Path, name: str) -> str:
    """Il testo di un esercizio per la classe.

    Solleva CorsoError se non è un esercizio del corso, o se le soluzioni non corrispondono alla sorgente.
    """
    found = [target for target in targets(root) if not target.is_notebook and target.source.stem == name]
    if not found:
        raise CorsoError(
            f"«{name}» non viene da {EXERCISE_SOURCES.as_posix()}/{name}.md, che in {root} non c'è: "
            "alla classe si danno soltanto gli esercizi scritti lì."
        )
    text = _exercise(found[0])
    if text is None:
        expect_none([found[0].outputs[0].as_posix()])
    return text


def expect_none(stale: list[str]) -> None:
    """Solleva CorsoError se c'è un file che non corrisponde alle sorgenti: la frase dice che fare."""
    if stale:
        raise CorsoError(
            f"alla classe non si può dare ciò che non corrisponde alle sorgenti: {', '.join(stale)}. Se hai "
            "scritto tu in quei file e la copia è di git, «git restore notebooks solutions» li rimette "
            "com'erano in un secondo; altrimenti «python3 corso.py costruisci», che può volere minuti."
        )


def _exercise(target: Target) -> str | None:
    """Il testo per la classe; None se le soluzioni, con cui si corregge, sono di un'altra sorgente."""
    solution, release = build_texts(target, target.read())
    written = _read(target.paths()[0])
    if written is None or _cells(written) != _cells(_parse(solution)):
        return None
    return release


def _notebook(target: Target, stamps: Stamps) -> str | None:
    """Il notebook come si è costruito; None se celle e uscite non possono venire dalla sorgente di adesso."""
    source = target.read()
    text = as_built(_read(target.paths()[0]), source)
    stamp, output = stamps.get(target.name), target.outputs[0].as_posix()
    if text is None or stamp.get("outputs", {}).get(output) != digest(text.encode("utf-8")):
        return text  # o qui non si è mai costruito proprio questo: fa fede ciò che è scritto
    if stamp.get("inputs", {}).get("library") == target.inputs(source)["library"]:
        return text
    return text if _is_committed(target, source, text) else None


def as_built(notebook, source: Source) -> str | None:
    """Il testo che la costruzione dà a un notebook: celle dalla sorgente, uscite da quello dato.

    None se le celle sono altre, o se non risultano tutte eseguite una volta, in ordine e senza errori.
    """
    draft = notebook_draft(source)
    if notebook is None or _cells(notebook) != _cells(draft):
        return None
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        return None
    for new, old, written in zip(draft.cells, notebook.cells, source.cells, strict=True):
        if new.cell_type != "code":
            continue
        new.execution_count, new.outputs = old.execution_count, old.outputs
        had_widget = normalise_outputs(new)
        if (had_widget or IGNORE_OUTPUT in _tags(old)) and IGNORE_OUTPUT not in _tags(new):
            new.metadata["tags"] = [*_tags(new), IGNORE_OUTPUT]
        try:
            expect_presentable(source, written, new)
        except SourceError:
            return None
        if any(output.output_type == "error" for output in new.outputs):
            return None
    return notebook_text(new_notebook(draft.cells))


def _cells(notebook) -> list[tuple]:
    """Ciò che di un notebook viene dalla sorgente."""
    return [
        (
            cell.get("id"),
            cell.cell_type,
            cell.source,
            cell.metadata.get("nbgrader"),
            [tag for tag in _tags(cell) if tag != IGNORE_OUTPUT],
        )
        for cell in notebook.cells
    ]


def _tags(cell) -> Iterable[str]:
    return cell.metadata.get("tags", [])


def _read(path: Path):
    """Il notebook che sta sul disco, o None se manca o non si legge."""
    try:
        return _parse(path.read_text(encoding="utf-8"))
    except Exception:
        return None


def _parse(text: str):
    import nbformat

    return nbformat.reads(text, as_version=4)


def _is_committed(target: Target, source: Source, text: str) -> bool:
    """True se git ha registrato insieme questo notebook, la sorgente e la biblioteca che ci sono adesso."""
    changed = _git(target.root, "status", "--porcelain", "--", target.name, "course_lib")
    kept = _git(target.root, "show", f"HEAD:./{target.outputs[0].as_posix()}")
    return changed == "" and kept is not None and as_built(_parse(kept), source) == text


def _git(root: Path, *words: str) -> str | None:
    """Che cosa risponde git; None se non c'è, o se non risponde."""
    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, check=False)
    except OSError:
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
