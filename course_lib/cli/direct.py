"""`corso regia`: le scene per una lezione dal vivo, in JupyterLab oppure in un file solo, e la scaletta."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path

from course_lib.cli import open_lab
from course_lib.cli.words import reason
from course_lib.notation import number
from course_lib.project import CorsoError, project_root

EXTENSION = "chiave-di-lettura-regia"
SCRIPT = "static/remoteEntry.js"
# Del notebook della Regia non c'è nulla da salvare: un'altra Regia aperta lo riscrive, e davanti alla classe
# JupyterLab chiederebbe quale dei due tenere.
UNSAVED = {
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": False},
}
CELL = "from course_lib.widgets import Director\n\nDirector()"


def add_arguments(parser) -> None:
    """Le opzioni di `corso regia`."""
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument(
        "--file", metavar="FILE", help="scrive la Regia in un file HTML che si apre senza rete e senza Python"
    )
    kinds.add_argument(
        "--scaletta",
        nargs="?",
        const="scaletta.html",
        metavar="FILE",
        help="scrive le lezioni, da stampare, in una pagina HTML (di norma scaletta.html)",
    )
    open_lab.add_arguments(parser)


def run(args) -> int:
    """Scrive il file o la scaletta; altrimenti apre JupyterLab sulla Regia."""
    for name in ("file", "scaletta"):
        if getattr(args, name) is not None and args.porta is not None:
            raise CorsoError(f"--porta serve a JupyterLab, che con --{name} non si apre: togline una.")
    if args.file is not None:
        from course_lib.widgets.scenes import SCENES
        from course_lib.widgets.scenes.page import page

        return written(args.file, page(SCENES), "Regia")
    if args.scaletta is not None:
        from course_lib.widgets.scenes.plan import plan

        return written(args.scaletta, plan(), "Scaletta")
    root = project_root()
    settings = open_lab.prepare_settings(root, "regia", UNSAVED)
    folder = prepare_stage(settings)
    extensions = f"--LabApp.extra_labextensions_path={settings / 'labextensions'}"
    return open_lab.serve(args, folder, settings, "", extensions)


def written(where: str, text: str, what: str) -> int:
    """Scrive la pagina e dice dove. Solleva CorsoError se non si può."""
    path = Path(where)
    if path.suffix.lower() not in (".html", ".htm"):
        example = path / f"{what.lower()}.html" if where and path.is_dir() else f"{what.lower()}.html"
        raise CorsoError(
            f"mi aspettavo un nome che finisce con .html, è arrivato «{where}»: scrivi per esempio {example}."
        )
    try:
        write_whole(path.resolve(), text)
    except OSError as error:
        raise CorsoError(f"non posso scrivere {path} ({reason(error)}): scegli un altro posto.") from None
    size = number(len(text.encode()) / 1e6, 1)
    print(f"{what}: {path} ({size} MB). Si apre con un doppio clic, anche senza rete.")
    return 0


def write_whole(path: Path, text: str) -> None:
    """Scrive il file tutto o per nulla: se il disco è pieno, quello di prima resta. Solleva OSError."""
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "file protetto", str(path))
    if path.exists() and not (path.is_file() and os.access(path.parent, os.W_OK)):
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    draft = path.with_name(f".regia-{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8", newline="\n")
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def prepare_stage(settings: Path) -> Path:
    """Scrive il notebook della Regia e l'estensione che lo apre; restituisce la cartella del notebook.

    La disposizione delle schede si dimentica: la Regia si apre sempre allo stesso modo.
    """
    folder = settings / "notebook"
    extension = settings / "labextensions" / EXTENSION
    with open_lab.writing_in(settings):
        shutil.rmtree(settings / "workspaces", ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        (extension / SCRIPT).parent.mkdir(parents=True, exist_ok=True)
        (folder / "Regia.ipynb").write_text(notebook(), encoding="utf-8")
        (extension / "package.json").write_text(json.dumps(package(), indent=2) + "\n", encoding="utf-8")
        script = Path(__file__).with_name("director_tab.js").read_text(encoding="utf-8")
        (extension / SCRIPT).write_text(script, encoding="utf-8")
    return folder


def notebook() -> str:
    """Il notebook della Regia: una cella sola."""
    import nbformat.v4 as v4

    cell = v4.new_code_cell(CELL, id="regia")
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps(v4.new_notebook(cells=[cell], metadata={"kernelspec": spec}), indent=1) + "\n"


def package() -> dict:
    """Ciò che JupyterLab vuole sapere dell'estensione."""
    return {
        "name": EXTENSION,
        "version": "0.1.0",
        "jupyterlab": {"extension": True, "_build": {"load": SCRIPT, "extension": "./extension"}},
    }
