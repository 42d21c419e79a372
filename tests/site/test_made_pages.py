"""Le pagine che si fanno da ciò che il corso sa già: glossario, riferimento, citazione, la home."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys

import pytest
import yaml

from course_lib.building.bundle import version
from course_lib.glossary import TERMS
from course_lib.notation import number
from course_lib.project import CorsoError
from course_lib.publishing.docstrings import as_rst
from course_lib.publishing.draft import copied, notebooks
from course_lib.publishing.notebooks import Reading, levelled
from course_lib.publishing.reference import may_import, modules
from course_lib.publishing.words import glossary_page
from course_lib.transformer.examples import chiave_libri_era
from tests.conftest import ROOT
from tests.project.test_floors import MAY_IMPORT

PAGES = ROOT / "sources" / "site"


def read(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8")


def test_the_home_shows_the_coefficients_of_the_example():
    example = chiave_libri_era()
    bars = re.findall(r'--share: ([\d.]+)"><dt>(\w+)</dt><dd>([\d,]+)</dd>', read("index.md"))
    shares = zip(example.tokens, example.weights[2], strict=True)
    assert bars == [(f"{share:.3f}", word, number(share, 3)) for word, share in shares]
    assert [shown for _, _, shown in bars] == ["0,665", "0,090", "0,245"]


def test_the_home_names_every_notebook_by_its_title():
    titles = {}
    for path in sorted((ROOT / "notebooks").glob("0[1-8]-*.ipynb")):
        first = "".join(json.loads(path.read_text(encoding="utf-8"))["cells"][0]["source"]).splitlines()[0]
        titles[path.name] = first.partition(" · ")[2]
    shown = re.findall(r"^\d\. \[(.+?)\]\(notebooks/(.+?)\)", read("index.md"), re.M)
    assert {name: title for title, name in shown} == titles
    assert len(titles) == 8


def test_the_citation_is_one_and_the_same():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = version(ROOT)
    page = read("cita.md")
    (author,) = [one["name"] for one in citation["authors"]]
    assert citation["version"] == project
    assert f"versione {project}, {citation['date-released'].year}." in page
    assert f"note   = {{Versione {project}}}" in page
    assert f"title  = {{{citation['title']}}}" in page
    assert f"author = {{{{{author}}}}}" in page
    assert f"year   = {{{citation['date-released'].year}}}" in page
    assert {"cff-version", "message", "title", "authors", "version"} <= set(citation)
    assert " AND ".join(citation["license"]) == _project()["license"]
    assert _project()["authors"] == [{"name": author}]


def _project() -> dict:
    import tomllib

    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_glossary_has_every_term_with_its_notebook():
    page = glossary_page({n: f"notebooks/{n}.ipynb" for n in range(1, 10)})
    for term in TERMS:
        entry = page.partition(f"\n{term.italian}\n  *{term.english}*")[2].partition("\n\n")[0]
        assert term.meaning in entry
        assert f"[Notebook {term.notebook}](notebooks/{term.notebook}.ipynb)" in entry
        assert not term.symbol or f"`{term.symbol}`" in entry
    assert page.count("](notebooks/") == len(TERMS) + sum(bool(term.symbol) for term in TERMS)


def test_the_reference_says_what_each_floor_may_import():
    found = may_import(ROOT)
    assert set(found) == set(MAY_IMPORT) - {"cli", "hub"}       # questi si usano dal terminale
    assert all(set(others) == MAY_IMPORT[floor] for floor, others in found.items())


AS_ON_WINDOWS = """
import importlib, os, sys
from sphinx.ext.autodoc.mock import mock
from course_lib.publishing.reference import FLOORS, modules

names = [name for floor in FLOORS for name in modules(floor)]
for name in names:                          # le librerie d'altri restano caricate, le nostre no
    importlib.import_module(name)
for name in [name for name in sys.modules if name.startswith("course_lib")]:
    del sys.modules[name]
for name in sys.argv[1:]:
    sys.modules.pop(name, None)
for name in ("O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "O_CLOEXEC", "geteuid", "getuid", "fork", "killpg"):
    delattr(os, name)
with mock(sys.argv[1:]):
    for name in names:
        importlib.import_module(name)
"""


@pytest.mark.lento
def test_the_reference_can_be_made_where_there_is_no_linux():
    """La correzione lì non gira, ma i suoi moduli si lasciano leggere: altrimenti il sito non si farebbe."""
    missing = runpy.run_path(str(PAGES / "conf.py"))["NOT_ON_WINDOWS"]
    done = subprocess.run(
        [sys.executable, "-c", AS_ON_WINDOWS, *missing], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-500:]


def test_the_reference_has_every_module_but_the_cases_of_the_exercises():
    found = modules("checks")
    assert found[0] == "course_lib.checks"
    assert "course_lib.checks.run" in found
    assert not [name for name in found if ".es0" in name]
    files = {path.stem for path in (ROOT / "course_lib" / "transformer").glob("[a-z]*.py")}
    assert {name.rpartition(".")[2] for name in modules("transformer")[1:]} == files


@pytest.mark.parametrize("call", ["RootOfD(d=best)", "RootOfD(d=2 * 3)", "RootOfD(un_altro=1)", "RootOfD("])
def test_a_widget_that_cannot_be_opened_is_told_with_its_cell(call):
    picture = {"data": {"image/png": ""}, "metadata": {}}
    cell = {"cell_type": "code", "id": "c-7", "metadata": {}, "source": [call], "outputs": [picture]}
    with pytest.raises(CorsoError, match="03-formula, cella c-7: non so aprire il") as raised:
        Reading().prepared({"cells": [cell], "metadata": {}}, "03-formula")
    assert "scrivi soltanto valori, oppure q, k, v e tokens." in str(raised.value)


def test_only_what_a_pupil_has_is_read():
    found = [path.relative_to(ROOT).parts[0] for path in notebooks(ROOT)]
    assert set(found) == {"notebooks", "exercises"}
    assert len(found) == 17
    assert not [name for name in copied(ROOT) if name.startswith(("solutions", "sources", "registro"))]


def test_a_docstring_becomes_prose_and_a_list():
    lines = [
        "Una frase con `codice` e un * solo.",
        "",
        "Q: (..., L, d_k)   mask: bool, True = può guardare",
        "che continua qui",
        "Solleva ValueError se W_ non va.",
        "Fonte: Vaswani et al. 2017, eq. 1",
    ]
    assert as_rst(lines) == [
        "Una frase con ``codice`` e un \\* solo.",
        "",
        "* **Q**: (..., L, d_k)",
        "* **mask**: bool, True = può guardare che continua qui",
        "* Solleva ValueError se W\\_ non va.",
        "* Fonte: Vaswani et al. 2017, eq. 1",
        "",
    ]


def test_a_table_and_an_example_of_a_docstring():
    table = ["Frase: prosa.", "", "| comando | dove |", "|---|---|", "| `n` | locale |"]
    assert as_rst(table)[:3] == ["Frase: prosa.", "", ".. list-table::"]
    assert as_rst(table)[5:9] == ["   * - comando", "     - dove", "   * - ``n``", "     - locale"]
    assert as_rst(["Così:", "", "    corso sito"]) == ["Così:", "", "::", "", "    corso sito", ""]


def test_a_widget_is_called_with_its_own_arguments():
    from course_lib.publishing.docstrings import _on_signature
    from course_lib.widgets import Director, MaskBoard

    shown, _ = _on_signature(None, "class", "", MaskBoard, None, "(*args, **given)", None)
    assert shown.startswith("(scores=None")
    assert "self" not in shown
    shown, _ = _on_signature(None, "class", "", Director, None, "(*args, **given)", None)
    assert shown.startswith("(scenes=…")
    assert _on_signature(None, "function", "", print, None, "(*args, **given)", None) is None


def test_headings_never_go_down_two_steps():
    texts = ("# A", "### B", "#### C", "## D", "testo")
    cells = [{"cell_type": "markdown", "source": text} for text in texts]
    assert [cell["source"] for cell in levelled(cells)] == ["# A", "## B", "### C", "## D", "testo"]


def test_a_notebook_gets_its_note_under_the_title_and_is_not_changed():
    title = {"cell_type": "markdown", "id": "t", "metadata": {}, "source": ["# Titolo\n", "\n", "Testo."]}
    notebook = {"cells": [title], "metadata": {}}
    made = Reading().prepared(notebook, "es04")
    start, note, end = made["cells"][0]["source"].partition(":::{note}")
    assert (start, end[-6:]) == ("# Titolo\n\n", "Testo.")
    assert "exercises/es04/es04.ipynb" in end
    assert notebook["cells"] == [title]
    assert note
