"""Prima di correggere: il notebook si ricostruisce dal testo distribuito e dalle sole risposte."""

from __future__ import annotations

import ast
import copy
import json
import re
from dataclasses import dataclass, field

from nbformat import NotebookNode
from nbgrader.utils import is_grade, is_solution

from course_lib.grading.formats import as_notebook, too_many_pieces
from course_lib.grading.outputs import clean_text
from course_lib.grading.verdicts import NotGraded, Verdict
from course_lib.notation import number

MAX_FILE = 20 * 2**20  # byte
MANY_OUTPUTS = 2 * 2**20  # byte: oltre, si dice che gli output salvati sono stati tolti
MAX_SOURCE = 200_000  # caratteri di una risposta
DEFINED = re.compile(r"^(?:async )?def (\w+)\(", re.MULTILINE)
MACHINERY = re.compile(r"corso_box|course_lib\.grading|/proc/|\bctypes\b|\b_xoptions\b")


@dataclass
class Rebuilt:
    """Il notebook ricostruito, le riparazioni fatte (frasi), il motivo di sospetto o None."""

    notebook: NotebookNode
    notes: list[str] = field(default_factory=list)
    suspect: str | None = None
    unchanged: bool = False


def read_notebook(raw: bytes, name: str) -> tuple[NotebookNode, list[str]]:
    """Un file .ipynb come arriva. Solleva NotGraded (illeggibile) con il motivo.

    raw: i byte del file   name: il suo nome, per le frasi
    """
    if not raw.strip():
        raise NotGraded(Verdict.UNREADABLE, f"Il file {name} è vuoto: consegna di nuovo il notebook salvato.")
    if len(raw) > MAX_FILE:
        raise NotGraded(
            Verdict.UNREADABLE, f"Il file {name} supera {MAX_FILE // 2**20} MB: cancella gli output e salva."
        )
    notes: list[str] = []
    text = _text(raw, name, notes)
    if too_many_pieces(text):
        raise NotGraded(
            Verdict.UNREADABLE,
            f"Il file {name} contiene troppi pezzi per un notebook: cancella gli output e salva.",
        )
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise NotGraded(Verdict.UNREADABLE, f"Il file {name} {_what_it_is(text)}") from None
    found = as_notebook(content)
    if found is None:
        raise NotGraded(Verdict.UNREADABLE, f"Il file {name} è JSON ma non è un notebook Jupyter.")
    notebook, old = found
    if old is not None:
        notes.append(f"Notebook di formato {old} portato al formato 4.")
    notes += _odd_but_harmless(notebook, len(raw))
    return notebook, notes


def _text(raw: bytes, name: str, notes: list[str]) -> str:
    """Il testo di un file: UTF-8, o ciò che ne fanno certi editor di Windows."""
    encoding = "utf-8"
    if raw.startswith(b"\xef\xbb\xbf"):
        encoding = "utf-8-sig"
        notes.append("Tolto il contrassegno BOM in testa al file.")
    elif raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        raise NotGraded(
            Verdict.UNREADABLE, f"Il file {name} non è testo UTF-8: salvalo da JupyterLab."
        ) from None
    if encoding == "utf-16":
        notes.append("Il file era in UTF-16, non in UTF-8: è stato convertito.")
    return text


def _what_it_is(text: str) -> str:
    """Che cosa sembra un file che non è JSON, e che cosa fare."""
    start = text[:500].lstrip().lower()
    if start.startswith(("<!doctype", "<html")):
        return "è una pagina web, non il notebook: scarica il file .ipynb e consegna quello."
    if start.startswith("pk\x03\x04"):
        return "è uno zip con un altro nome: consegna il notebook .ipynb."
    if re.search(r"^(?:<{7} |>{7} |={7}$)", text, re.MULTILINE):
        return "contiene i segni di un conflitto di git (<<<<<<<): risolvilo, apri il notebook e salvalo."
    if start.startswith("{"):
        return "non è un notebook: non contiene JSON valido, forse è stato tagliato. Salvalo da JupyterLab."
    return "non è un notebook: non contiene JSON valido. Consegna il file .ipynb che usi in JupyterLab."


def _odd_but_harmless(notebook: NotebookNode, size: int) -> list[str]:
    """Le stranezze che la ricostruzione toglie da sé, dette lo stesso."""
    notes, metadata = [], _metadata(notebook)
    kernel = metadata.get("kernelspec") if isinstance(metadata.get("kernelspec"), dict) else {}
    name = kernel.get("name")
    if isinstance(name, str) and name != "python3":
        notes.append(f"Il notebook usava il kernel «{clean_text(name, 60)}»: la correzione usa Python 3.")
    if any("\r" in cell_source(cell, mended=False) for cell in notebook.cells):
        notes.append("Le fini di riga di Windows nelle celle sono state uniformate.")
    if size > MANY_OUTPUTS:
        notes.append(
            f"Il file occupava {number(size / 2**20, 1)} MB, soprattutto di output salvati: nella correzione "
            "non servono e sono stati tolti."
        )
    return notes


def rebuild(submitted: NotebookNode, release: NotebookNode, allowed: tuple[str, ...] = ()) -> Rebuilt:
    """Il testo dell'esercizio con le risposte della consegna: di questa non si tiene altro.

    submitted: notebook consegnato   release: notebook distribuito   allowed: moduli offerti dal box
    Solleva NotGraded (illeggibile) se nella consegna non c'è alcuna cella di risposta riconoscibile.
    """
    notebook, notes = copy.deepcopy(release), []
    found = _by_name(submitted)
    answers = [cell for cell in notebook.cells if is_solution(cell)]
    names = [cell.metadata.nbgrader.grade_id for cell in answers]
    _find_rewritten(answers, submitted, release, found, notes)
    if not any(name in found for name in names):
        raise NotGraded(
            Verdict.UNREADABLE,
            "Nel notebook non c'è nessuna delle celle di risposta dell'esercizio: è il file giusto? "
            "Se le celle sono state ricreate, copia le risposte nel notebook originale.",
        )
    changed = 0
    for cell, name in zip(answers, names, strict=True):
        source = _answer(cell, name, found.get(name, []), notes)
        changed += source != cell.source
        cell.source = source
    _compare_rest(release, submitted, found, notes)
    if not any(isinstance(_metadata(cell).get("nbgrader"), dict) for cell in submitted.cells):
        notes.append("Nel notebook mancavano i dati di nbgrader: le celle sono state riconosciute lo stesso.")
    return Rebuilt(notebook, notes, _suspicion(answers, allowed), unchanged=changed == 0)


def _find_rewritten(
    answers: list[NotebookNode], submitted: NotebookNode, release: NotebookNode, found: dict, notes: list[str]
) -> None:
    """Una risposta senza la sua cella, ma scritta in un'altra: la si riconosce dalla funzione che definisce.

    Vale solo se una cella sola, non riconosciuta altrimenti, definisce proprio quella funzione.
    """
    known = {_name(cell) for cell in release.cells}
    strangers = [c for name, cells in found.items() if name not in known for c in cells]
    strangers += [c for c in submitted.cells if _name(c) is None]
    for cell in answers:
        name, wanted = cell.metadata.nbgrader.grade_id, set(DEFINED.findall(cell.source))
        if name in found or not wanted:
            continue
        same = [
            c
            for c in strangers
            if c.get("cell_type") == "code" and wanted <= set(DEFINED.findall(cell_source(c)))
        ]
        if len(same) == 1:
            key = _name(same[0])
            if key in found:
                found[key].remove(same[0])
            found[name] = [same[0]]
            strangers = [c for c in strangers if c is not same[0]]
            notes.append(
                f"La cella di risposta «{name}» mancava: la risposta è stata trovata in un'altra cella."
            )


def _name(cell: NotebookNode) -> str | None:
    """Il grade_id di una cella; se i metadati sono stati tolti, il suo id; None se non ha nome."""
    mark = _metadata(cell).get("nbgrader")
    name = (mark.get("grade_id") if isinstance(mark, dict) else None) or cell.get("id")
    return name if isinstance(name, str) else None


def _by_name(submitted: NotebookNode) -> dict[str, list[NotebookNode]]:
    """Le celle della consegna per grade_id; se i metadati sono stati tolti, per id di cella."""
    found: dict[str, list[NotebookNode]] = {}
    for cell in submitted.cells:
        name = _name(cell)
        if name is not None:
            found.setdefault(name, []).append(cell)
    return found


def _metadata(cell: NotebookNode) -> dict:
    return cell["metadata"] if isinstance(cell.get("metadata"), dict) else {}


def cell_source(cell: NotebookNode, mended: bool = True) -> str:
    """Il testo di una cella, qualunque cosa ci sia al suo posto; mended: coi soli a capo di Python."""
    source = cell.get("source", "")
    text = "".join(map(str, source)) if isinstance(source, list) else str(source)
    if not mended:
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.encode("utf-8", "ignore").decode("utf-8").replace("\0", "")


def _answer(cell: NotebookNode, name: str, candidates: list[NotebookNode], notes: list[str]) -> str:
    """Il testo di una risposta: se la cella c'è più volte, l'ultima che è stata scritta."""
    if not candidates:
        notes.append(f"Manca la cella di risposta «{name}»: vale come non svolta.")
        return cell.source
    sources = [cell_source(candidate) for candidate in candidates]
    if len(sources) > 1:
        notes.append(
            f"La cella di risposta «{name}» è presente {len(sources)} volte: vale l'ultima modificata."
        )
    written = [source for source in sources if source.strip() and source != cell.source]
    source = written[-1] if written else sources[-1]
    if len(source) > MAX_SOURCE:
        raise NotGraded(Verdict.UNREADABLE, f"La risposta «{name}» supera {number(MAX_SOURCE)} caratteri.")
    return source


def _compare_rest(release: NotebookNode, submitted: NotebookNode, found: dict, notes: list[str]) -> None:
    known = {_name(cell) for cell in release.cells}
    for cell in release.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if not is_grade(cell) or name is None:
            continue
        if name not in found:
            notes.append(f"La cella di prova «{name}» mancava: è stata rimessa.")
        elif len(found[name]) > 1:
            notes.append(f"La cella di prova «{name}» c'era {len(found[name])} volte: ne resta una, com'era.")
        elif cell_source(found[name][0]) != cell.source:
            notes.append(f"La cella di prova «{name}» era cambiata: è stata rimessa com'era.")
    taken = {id(cell) for name, cells in found.items() if name in known for cell in cells}
    extra = [cell for cell in submitted.cells if id(cell) not in taken]
    code = sum(1 for cell in extra if cell.get("cell_type") == "code" and cell_source(cell).strip())
    if code:
        one = (
            "Una cella di codice aggiunta non è stata eseguita"
            if code == 1
            else (f"{code} celle di codice aggiunte non sono state eseguite")
        )
        notes.append(f"{one}: nella correzione valgono solo le celle di risposta.")


def _suspicion(answers: list[NotebookNode], allowed: tuple[str, ...]) -> str | None:
    """Perché una risposta va letta a mano, o None."""
    for cell in answers:
        name = cell.metadata.nbgrader.grade_id.removesuffix("-risposta")
        if MACHINERY.search(cell.source):
            return f"la risposta «{name}» nomina il meccanismo della correzione"
        for module in _imported(cell.source):
            if not _offered(module, allowed):
                return f"la risposta «{name}» importa {module}, che l'esercizio non prevede"
    return None


def _offered(module: str, allowed: tuple[str, ...]) -> bool:
    """Se il modulo non è di course_lib, o è fra quelli che il box offre (o un loro pacchetto)."""
    good = ("course_lib.checks.verifica", "course_lib.checks.verifica_modello", *allowed)
    return module.split(".")[0] != "course_lib" or any(
        module == name or module.startswith(name + ".") or name.startswith(module + ".") for name in good
    )


def _imported(source: str) -> list[str]:
    """I nomi importati da un testo Python; se non è Python valido, quel che si riconosce a vista."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return re.findall(r"\bcourse_lib(?:\.\w+)*", source)
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names
