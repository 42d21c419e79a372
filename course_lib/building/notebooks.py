"""Da una sorgente a un notebook da leggere: eseguito senza rete, uscite conservate, nulla di passeggero."""

from __future__ import annotations

import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from course_lib.building.normalise import new_notebook, normalise_outputs, notebook_text, output_texts
from course_lib.building.rules import check_notebook
from course_lib.building.slugs import cell_ids
from course_lib.building.source import Source

CELL_SECONDS = 600
KERNEL_ARGUMENTS = [
    "--IPKernelApp.log_level=40",  # gli avvisi di ipykernel non riguardano chi costruisce
    "--IPKernelApp.exec_lines=import course_lib.building.offline",
]
IGNORE_OUTPUT = "nbval-ignore-output"  # nbval esegue la cella ma non ne confronta l'uscita


def notebook_draft(source: Source):
    """Il notebook non ancora eseguito: celle, tag e id; solleva SourceError al primo sbaglio."""
    from nbformat import v4

    check_notebook(source)
    ids = cell_ids(source, ["testo" if cell.kind == "markdown" else "codice" for cell in source.cells])
    cells = []
    for cell, cell_id in zip(source.cells, ids, strict=True):
        tags = [tag for tag in cell.tags if not tag.startswith("nome-")]
        if "variabile" in tags:
            tags.append(IGNORE_OUTPUT)
        make = v4.new_markdown_cell if cell.kind == "markdown" else v4.new_code_cell
        cells.append(make(cell.source, id=cell_id, metadata={"tags": tags} if tags else {}))
    return new_notebook(cells)


def build_notebook(source: Source, previous: str | None = None) -> str:
    """Costruisce un notebook e ne restituisce il testo JSON.

    previous: il testo del notebook già costruito, se si può ancora credergli: le celle «variabile» il cui
    codice (e quello prima di loro) non è cambiato tengono l'uscita che avevano.
    Solleva SourceError se la sorgente ha uno sbaglio o se una cella non arriva in fondo come deve.
    """
    notebook = notebook_draft(source)
    execute(source, notebook)
    for cell, written in zip(notebook.cells, source.cells, strict=True):
        if cell.cell_type != "code":
            continue
        expect_presentable(source, written, cell)
        if normalise_outputs(cell) and IGNORE_OUTPUT not in cell.metadata.get("tags", []):
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), IGNORE_OUTPUT]
    if previous is not None:
        keep_variable_outputs(notebook, previous)
    return notebook_text(new_notebook(notebook.cells))  # l'esecuzione ha aggiunto la versione di Python


def execute(source: Source, notebook) -> None:
    """Esegue il notebook sul posto, in una cartella vuota che deve restare vuota."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    at = {"index": 0}
    with tempfile.TemporaryDirectory(prefix="corso-") as private, tempfile.TemporaryDirectory() as empty:
        client = NotebookClient(
            notebook,
            kernel_manager_class=own_kernel_manager(),
            timeout=CELL_SECONDS,
            record_timing=False,
            store_widget_state=False,
            coalesce_streams=True,
            extra_arguments=KERNEL_ARGUMENTS,
            on_cell_start=lambda cell, cell_index: at.update(index=cell_index),
        )
        try:
            client.execute(cwd=empty, env=kernel_environment(Path(private)))
        except CellExecutionError as error:
            raise failed(
                source, notebook, at["index"], f"{error.ename}: {error.evalue}".rstrip(": ")
            ) from None
        except CellTimeoutError:
            raise failed(source, notebook, at["index"], f"più di {CELL_SECONDS} s") from None
        except DeadKernelError:
            raise failed(source, notebook, at["index"], "il kernel si è fermato di colpo") from None
        left = sorted(path.name for path in Path(empty).iterdir())
    if left:
        raise source.error(
            None, f"il notebook lascia il file «{left[0]}»: cancellalo nella cella che lo usa."
        )


def failed(source: Source, notebook, index: int, reason: str):
    """L'errore di una cella che, eseguita, non è arrivata in fondo."""
    written, short = source.cells[index], " ".join(reason.split())
    short = short if len(short) <= 300 else short[:299] + "…"
    return source.error(written, f"eseguita (id «{notebook.cells[index].id}») non arriva in fondo: {short}.")


def own_kernel_manager():
    """Il gestore che avvia il kernel con questo stesso Python, quali che siano i kernel della persona."""
    from ipykernel.kernelspec import get_kernel_dict
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    class OwnKernelManager(AsyncKernelManager):
        @property
        def kernel_spec(self):
            return KernelSpec(**get_kernel_dict())  # il suo comando comincia da sys.executable

    return OwnKernelManager


def kernel_environment(private: Path) -> dict[str, str]:
    """L'ambiente del kernel: quello di adesso, senza le preferenze della persona per IPython e matplotlib."""
    environment = {
        key: value for key, value in os.environ.items() if key not in ("MPLBACKEND", "PYTHONSTARTUP")
    }
    environment["IPYTHONDIR"] = str(private)
    matplotlib = find_spec("matplotlib")
    if matplotlib and matplotlib.origin:
        environment["MATPLOTLIBRC"] = str(Path(matplotlib.origin).parent / "mpl-data" / "matplotlibrc")
    return environment


def expect_presentable(source: Source, written, cell) -> None:
    """Niente avvisi su stderr e niente percorsi di questo computer fra le uscite."""
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == "stderr":
            line = output.text.strip().splitlines()[-1] if output.text.strip() else ""
            raise source.error(
                written, f"scrive su stderr («{line}»): un notebook del corso non mostra avvisi."
            )
    places = {
        str(Path.home()),
        sys.prefix,
        tempfile.gettempdir(),
        str(Path(__file__).resolve().parents[2]),
    } - {"/"}
    for text in output_texts(cell):
        if any(place in text for place in places):
            raise source.error(written, "mostra un percorso di questo computer: toglilo dall'uscita.")


def keep_variable_outputs(notebook, previous: str) -> None:
    """Rimette alle celle «variabile» l'uscita che avevano, finché il codice fin lì è lo stesso."""
    import nbformat

    try:
        old = nbformat.reads(previous, as_version=4)
    except Exception:
        return
    before = [cell for cell in old.cells if cell.cell_type == "code"]
    now = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for new_cell, old_cell in zip(now, before, strict=False):
        if (new_cell.source, new_cell.id) != (old_cell.source, old_cell.id):
            return
        if "variabile" in new_cell.metadata.get("tags", []) and old_cell.outputs:
            new_cell.outputs = old_cell.outputs
