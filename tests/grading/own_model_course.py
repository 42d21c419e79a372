"""Il corso di es97: soluzioni e testo, costruiti come quelli veri, e le consegne di una classe."""

from __future__ import annotations

import copy
from pathlib import Path

import nbformat

from course_lib.building.exercises import build_release, build_solution
from course_lib.building.source import HEADER, read_source
from tests.own_model import ATTENTION

TEXT = f"""{HEADER}
# Campione

```{{code-cell}} ipython3
:tags: [preparazione]
from course_lib.checks import verifica, verifica_modello
```

## Il doppio

```{{code-cell}} ipython3
:tags: [risposta, nome-double]
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
```

```{{code-cell}} ipython3
:tags: [prova, punti-3, nome-double]
assert double(3) == 6
```

```{{code-cell}} ipython3
:tags: [prova, punti-3, nome-double-text]
assert double("a") == "aa"
```

```{{code-cell}} ipython3
:tags: [prova, punti-1, nome-double-zero]
assert double(0) == 0
```

## L'attenzione

```{{code-cell}} ipython3
:tags: [risposta, nome-masked-attention]
### BEGIN SOLUTION
{ATTENTION}
### END SOLUTION
```

```{{code-cell}} ipython3
:tags: [addestramento, nome-training]
open("addestrato.txt", "w").close()
raise RuntimeError("addestramento eseguito nella correzione")
```

```{{code-cell}} ipython3
:tags: [prova, punti-3, nome-masked-attention]
verifica_modello("es97", masked_attention)
### BEGIN HIDDEN TESTS
verifica_modello("es97", masked_attention, nascosti={{"coppie mai viste": 2718281828459045}})
### END HIDDEN TESTS
```

```{{code-cell}} ipython3
print("dopo l'addestramento")
```
"""


def build(root: Path) -> None:
    """Scrive in root le soluzioni e il testo di es97."""
    source = root / "es97.md"
    source.write_text(TEXT, encoding="utf-8")
    solution = build_solution(read_source(source))
    for kind, text in (("solutions", solution), ("exercises", build_release("es97", solution))):
        path = root / kind / "es97" / "es97.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")


def answered(root: Path, **answers: str) -> bytes:
    """Il notebook distribuito con le risposte date («_» sta per il trattino)."""
    notebook = copy.deepcopy(nbformat.read(root / "exercises" / "es97" / "es97.ipynb", as_version=4))
    texts = {f"{name.replace('_', '-')}-risposta": text for name, text in answers.items()}
    for cell in notebook.cells:
        cell.source = texts.pop(cell.id, cell.source)
    assert not texts
    return nbformat.writes(notebook).encode()
