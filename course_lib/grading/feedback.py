"""Le pagine per chi studia: quella di nbgrader in italiano, e quella di una consegna non valutata."""

from __future__ import annotations

import html
import re
from pathlib import Path
from xml.etree import ElementTree

import jinja2
from latex2mathml.converter import Converter
from nbformat import NotebookNode

from course_lib.grading.register import Register, write_atomically
from course_lib.grading.settings import TEMPLATES
from course_lib.grading.verdicts import Verdict
from course_lib.notation import number

REMEDIES = {
    Verdict.TIMEOUT: "Cerca un ciclo che non finisce (un while sempre vero), correggilo e consegna di nuovo.",
    Verdict.CRASHED: "Togli ciò che ferma Python (exit(), quit(), os._exit()), provalo e consegna di nuovo.",
    Verdict.MEMORY: "Cerca un array molto grande o una lista che cresce senza fine, e consegna di nuovo.",
    Verdict.UNREADABLE: "Salvalo da JupyterLab, usa «python3 corso.py controlla» e consegna di nuovo.",
    Verdict.SUSPECT: "Chi insegna la leggerà a mano; se hai importato una funzione del corso, scrivila tu.",
    Verdict.MISSING: "Consegna il notebook con «python3 corso.py consegna».",
}


def points(value: float) -> str:
    """Punti con la virgola decimale e senza zeri inutili."""
    return number(float(value))


def mathml(text: str) -> str:
    """Le formule LaTeX fra dollari di un HTML diventano MathML, che ogni browser disegna senza script."""

    def convert(match: re.Match) -> str:
        block = match.group(1) is not None
        formula = html.unescape(match.group(1) if block else match.group(2))
        formula = re.sub(r"(\d+)\{,\}(\d+)", r"\\text{\1,\2}", formula)  # 0{,}5 è un numero solo
        try:
            tree = Converter(display="block" if block else "inline").convert_to_element(formula)
        except Exception:
            return match.group(0)
        for element in tree.iter():  # i simboli sono scritti «&#x2212;»: qui diventano lettere
            element.text = html.unescape(element.text or "")
        return ElementTree.tostring(tree, encoding="unicode")  # quello di Converter disfa i «&lt;»

    text = re.sub(r'<a href="(?!https?:|#)[^"]*"[^>]*>(.*?)</a>', r"\1", text)  # qui non portano a nulla
    parts = re.split(r"(<pre.*?</pre>|<code.*?</code>)", text, flags=re.DOTALL)
    formula = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)
    return "".join(part if i % 2 else formula.sub(convert, part) for i, part in enumerate(parts))


def title_of(nb: NotebookNode) -> str:
    """Il primo titolo del notebook."""
    for cell in nb.cells:
        found = re.search(r"^#\s+(.+)$", cell.source, re.MULTILINE) if cell.cell_type == "markdown" else None
        if found:
            return found.group(1).strip()
    return "Esercizio"


def parts_of(source: str) -> dict:
    """Un testo diviso in titolo (la sua prima riga, se è un titolo) e resto, senza i segni del Markdown."""
    first, _, rest = source.strip().partition("\n")
    heading = re.match(r"#+\s+(.+)$", first)
    if heading is None:
        return {"titolo": "", "testo": source.strip()}
    return {"titolo": re.sub(r"[*_`]", "", heading.group(1)), "testo": rest.strip()}


def function_of(test: str) -> str:
    """La funzione di cui una cella di prova porta il nome: «softmax-row-prova» → «softmax_row»."""
    return test.removesuffix("-prova").replace("-", "_")


def outcome_of(cell: NotebookNode, course: dict) -> dict:
    """L'esito di una cella di prova per il modello della pagina: titolo, superata, prima riga, resto."""
    name = cell.metadata.nbgrader.grade_id
    found = next((result for result in course.get("prove", []) if result["name"] == name), None)
    message = found["message"] if found else ""
    first, _, rest = message.partition("\n")
    return {
        "titolo": function_of(name),
        "superata": bool(found and found["passed"]),
        "prima_riga": first.removeprefix("✗ "),
        "resto": rest,
    }


def write_not_graded(register: Register, exercise: str, student: str, record: dict) -> Path:
    """Scrive la pagina di una consegna senza voto e ne restituisce il percorso."""
    loader = jinja2.FileSystemLoader(TEMPLATES)
    template = jinja2.Environment(loader=loader, autoescape=True).get_template("non-valutato.html.j2")
    verdict = Verdict(record["verdetto"])
    page = template.render(
        esercizio=exercise,
        chi=record.get("nome", student),
        titolo="da leggere a mano" if verdict == Verdict.SUSPECT else verdict,
        motivo=record["motivo"],
        note=record["note"],
        consegnata=record.get("consegnata"),
        rimedio=REMEDIES[verdict],
    )
    path = register.feedback(exercise, student)
    write_atomically(path, page.encode())
    return path
