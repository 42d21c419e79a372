"""La prosa italiana del progetto, testo per testo, senza codice, formule e indirizzi."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import jupytext

from tests.conftest import ROOT

FENCED = re.compile(r"^(`{3,}|~{3,}).*?^\1`*\s*$", re.S | re.M)
NOT_PROSE = re.compile(
    r"\$\$.*?\$\$|\$[^$\n]*\$"  # formule
    r"|`[^`]*`|<[^>]+>|\]\([^)]*\)|https?://\S+",  # codice, marcatori, indirizzi
    re.S,
)
FEWEST_WORDS = 5  # sotto, un testo nel codice è un nome, non una frase
SHOWN = ("checks", "widgets", "figures")  # i piani che scrivono a chi legge


def prose_of(markdown: str) -> str:
    """Un testo Markdown senza ciò che non è prosa; gli a capo restano."""
    return NOT_PROSE.sub(" ", FENCED.sub(" ", markdown))


def without_references(markdown: str) -> str:
    """Un notebook senza l'elenco dei riferimenti: nomi propri e titoli in altre lingue."""
    return re.sub(r"^### Riferimenti$.*?(?=^#|\Z)", "", markdown, flags=re.S | re.M)


def comments(code: str) -> list[str]:
    """I commenti di un programma, se sono frasi."""
    found = [
        token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(code).readline)
        if token.type == tokenize.COMMENT
    ]
    return [text for text in found if _is_a_sentence(text)]


def strings(code: str) -> list[str]:
    """Le frasi che un programma mostra, anche con parti calcolate: né nomi né docstring."""
    tree, found, inside = ast.parse(code), [], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inside.add(id(node.value))
        elif isinstance(node, ast.Dict):  # una chiave è un nome, o un messaggio di NumPy da riconoscere
            inside |= {id(key) for key in node.keys}
        if isinstance(node, ast.JoinedStr):
            inside |= {id(part) for part in ast.walk(node) if part is not node}
            parts = (part.value if isinstance(part, ast.Constant) else "0" for part in node.values)
            found.append("".join(parts))
        elif isinstance(node, ast.Constant) and type(node.value) is str and id(node) not in inside:
            found.append(node.value)
    return [text for text in found if _is_a_sentence(text) and not re.search(r"[<{][a-z/]|[a-z]\(|->", text)]


def _is_a_sentence(text: str) -> bool:
    return len(re.findall(r"[^\W\d_]{2,}", text)) >= FEWEST_WORDS


def notebook_texts(path: Path) -> list[str]:
    """La prosa di una sorgente, e le frasi e i commenti delle sue celle."""
    found = []
    for cell in jupytext.read(path).cells:
        if cell.cell_type == "markdown":
            found.append(prose_of(without_references(cell.source)))
        elif cell.cell_type == "code":
            found += [prose_of(text) for text in [*strings(cell.source), *comments(cell.source)]]
    return found


def sources() -> list[Path]:
    """Le sorgenti dei notebook e degli esercizi."""
    return sorted((ROOT / "sources").glob("*/*.md"))


def pages() -> dict[str, str]:
    """La prosa delle pagine del progetto, senza le righe in inglese del README."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8").split("## In English")[0]
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    teacher = (ROOT / "GUIDA.md").read_text(encoding="utf-8")
    student = (ROOT / "course_lib" / "building" / "leggimi.txt").read_text(encoding="utf-8")
    return {
        "README.md": prose_of(readme),
        "CONTRIBUTING.md": prose_of(guide),
        "GUIDA.md": prose_of(teacher),
        "leggimi.txt": prose_of(student),
    }


def modules() -> list[Path]:
    """I moduli della biblioteca che scrivono frasi a chi legge."""
    return [path for floor in SHOWN for path in sorted((ROOT / "course_lib" / floor).rglob("*.py"))]


def texts() -> dict[str, str]:
    """Tutto ciò che si legge in italiano: {file: prosa}."""
    found = {path.relative_to(ROOT).as_posix(): "\n".join(notebook_texts(path)) for path in sources()}
    for path in modules():
        sentences = strings(path.read_text(encoding="utf-8"))
        found[path.relative_to(ROOT).as_posix()] = "\n".join(prose_of(text) for text in sentences)
    return found | pages()
