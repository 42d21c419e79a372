"""Gli sbagli di chi scrive: ciascuno ha la sua frase, con il file e la cella."""

from __future__ import annotations

import pytest

from course_lib.building.exercises import build_solution
from course_lib.building.notebooks import notebook_draft
from course_lib.building.source import SourceError


def swap(old, new):
    def edit(text):
        assert old in text
        return text.replace(old, new, 1)

    return edit


ANSWER = ":tags: [risposta]"
TEST = ":tags: [prova, punti-3]"
LAST = """```{code-cell} ipython3
:tags: [prova, punti-2, nome-scala-nascosta]

# prova nascosta: punteggi negativi
### BEGIN HIDDEN TESTS
assert scala(-3.5, 49) == -0.5
### END HIDDEN TESTS
```
"""
EXERCISE_MISTAKES = {
    "tag sconosciuto": (swap(ANSWER, ":tags: [rispsta]"), "il tag «rispsta» non esiste"),
    "prova senza punti": (swap(TEST, ":tags: [prova]"), "vuole un tag con i suoi punti"),
    "prova con due punteggi": (
        swap(TEST, ":tags: [prova, punti-1, punti-2]"),
        "vuole un tag con i suoi punti",
    ),
    "prova da troppi punti": (swap(TEST, ":tags: [prova, punti-4]"), "da 1 a 3 punti, non 4"),
    "prova da zero punti": (swap(TEST, ":tags: [prova, punti-0]"), "da 1 a 3 punti, non 0"),
    "punti che non fanno dieci": (swap(TEST, ":tags: [prova, punti-2]"), "fanno 9 invece di 10"),
    "punti a una risposta": (swap(ANSWER, ":tags: [risposta, punti-1]"), "non è una cella «prova»"),
    "due ruoli": (swap(TEST, ":tags: [prova, preparazione, punti-3]"), "due ruoli insieme"),
    "ruolo a una cella di testo": (
        swap("Scrivi `prodotto", '+++ {"tags": ["risposta"]}\n\nScrivi `prodotto'),
        "soltanto alle celle di codice",
    ),
    "nome ripetuto": (
        swap("[prova, punti-3, nome-scala]", "[prova, punti-3, nome-prodotto-lungo]"),
        "è già della",
    ),
    "risposta con nome ripetuto": (
        swap("[risposta, nome-scala]", "[risposta, nome-il-prodotto-scalare]"),
        "«il-prodotto-scalare-risposta»",
    ),
    "nome già di un'altra cella": (
        swap(":tags: [preparazione]", ":tags: [preparazione, nome-esercizio-campione]"),
        "«esercizio-campione»",
    ),
    "BEGIN senza END": (swap("    ### END SOLUTION\n", ""), "BEGIN SOLUTION senza il suo END"),
    "END senza BEGIN": (swap("    ### BEGIN SOLUTION\n", ""), "END SOLUTION senza il suo BEGIN"),
    "BEGIN nascosto senza END": (swap("### END HIDDEN TESTS\n", ""), "BEGIN HIDDEN TESTS senza il suo END"),
    "blocchi incrociati": (
        swap("### END HIDDEN TESTS", "### END SOLUTION"),
        "END SOLUTION senza il suo BEGIN",
    ),
    "blocco dentro un blocco": (
        swap("    return float", "    ### BEGIN SOLUTION\n    return float"),
        "dentro un blocco SOLUTION ancora aperto",
    ),
    "segno scritto male": (swap("### BEGIN SOLUTION", "# BEGIN SOLUTION"), "da soli sulla riga"),
    "segno con il trattino basso": (
        swap("### BEGIN HIDDEN TESTS", "### BEGIN_HIDDEN_TESTS"),
        "da soli sulla riga",
    ),
    "segno dopo il codice": (swap("d_k)\n### END", "d_k)  ### END"), "da soli sulla riga"),
    "segno in una cella di testo": (
        swap("Scrivi `prodotto(q, k)`.", "### BEGIN SOLUTION\nx\n### END SOLUTION"),
        "fuori da una cella «risposta»",
    ),
    "soluzione fuori da una risposta": (
        swap(ANSWER, ":tags: [preparazione]"),
        "fuori da una cella «risposta»",
    ),
    "nascosto fuori da una prova": (
        swap('print("prova tu:", [1, 2], [3, 4])', "### BEGIN HIDDEN TESTS\n1\n### END HIDDEN TESTS"),
        "fuori da una cella «prova»",
    ),
    "nascosto in una risposta": (
        swap(
            "    ### END SOLUTION",
            "    ### END SOLUTION\n    ### BEGIN HIDDEN TESTS\n    ### END HIDDEN TESTS",
        ),
        "fuori da una cella «prova»",
    ),
    "risposta senza soluzione": (
        lambda text: swap("    ### END SOLUTION\n", "")(swap("    ### BEGIN SOLUTION\n", "")(text)),
        "vuole la soluzione fra",
    ),
    "codice che non si compila": (
        swap("def prodotto(q, k):", "def prodotto(q, k:"),
        "il codice non si compila",
    ),
    "resto che non si compila": (
        swap("    ### BEGIN SOLUTION\n    componenti = [", "    componenti = [\n    ### BEGIN SOLUTION\n"),
        "ciò che resta per chi studia non si compila",
    ),
    "prova di cui non resta nulla": (swap("# prova nascosta: punteggi negativi\n", ""), "non resta nulla"),
    "risposta senza prove": (
        lambda text: text.replace(LAST, "").replace(
            """```{code-cell} ipython3
:tags: [prova, punti-3, nome-scala]

assert scala(4, 4) == 2
```
""",
            "",
        ),
        "non segue nessuna cella «prova»",
    ),
    "due risposte di seguito": (
        swap(
            TEST,
            ":tags: [risposta, nome-altra]\n\n### BEGIN SOLUTION\nx = 1\n### END SOLUTION\n```\n\n"
            "```{code-cell} ipython3\n"
            + ":tags: [risposta, nome-terza]\n\n### BEGIN SOLUTION\n### END SOLUTION",
        ),
        "non segue nessuna cella «prova»",
    ),
    "prova prima di ogni risposta": (
        swap(":tags: [preparazione]", ":tags: [prova, punti-1]"),
        "prima di ogni risposta",
    ),
}

NOTEBOOK_MISTAKES = {
    "tag d'esercizio": (
        swap(":tags: [esatto]", ":tags: [risposta]"),
        "«risposta» non esiste; qui si usano: esatto",
    ),
    "esatto e variabile": (swap(":tags: [esatto]", ":tags: [esatto, variabile]"), "insieme"),
    "esatto al testo": (
        swap("Serve alle", '+++ {"tags": ["esatto"]}\n\nServe alle'),
        "soltanto alle celle di codice",
    ),
    "blocco nascosto": (
        swap("import ipywidgets", "### BEGIN HIDDEN TESTS\n### END HIDDEN TESTS"),
        "soltanto negli esercizi",
    ),
    "codice che non si compila": (swap('print("somma:"', 'print("somma:" """'), "non si compila"),
    "punto e virgola in fondo": (
        swap("_ = plt.plot([1, 3, 2])", "plt.plot([1, 3, 2]);"),
        "punto e virgola",
    ),
    "nome ripetuto": (
        swap(":tags: [variabile]", ":tags: [variabile, nome-coefficienti]"),
        "«coefficienti» è già",
    ),
}


def expect_one_sentence(error, name, expected):
    message = str(error.value)
    assert expected in message
    assert message.startswith(f"sources/{name}")
    assert "\n" not in message
    if "invece di 10" not in message:
        assert ", riga " in message
        assert "cella «" in message


@pytest.mark.parametrize("name", EXERCISE_MISTAKES)
def test_mistake_in_an_exercise(leggi, esercizio, name):
    edit, expected = EXERCISE_MISTAKES[name]
    with pytest.raises(SourceError) as error:
        build_solution(leggi(edit(esercizio)))
    expect_one_sentence(error, "es99.md", expected)


@pytest.mark.parametrize("name", NOTEBOOK_MISTAKES)
def test_mistake_in_a_notebook(leggi, campione, name):
    edit, expected = NOTEBOOK_MISTAKES[name]
    with pytest.raises(SourceError) as error:
        notebook_draft(leggi(edit(campione), "99-campione.md"))
    expect_one_sentence(error, "99-campione.md", expected)


def test_the_samples_themselves_are_right(leggi, esercizio, campione):
    assert len(build_solution(leggi(esercizio))) > 1000
    assert len(notebook_draft(leggi(campione, "99-campione.md")).cells) > 5


def test_magics_compile(leggi, campione):
    text = campione.replace("import ipywidgets\n", "%timeit -n 1 1 + 1\n!echo ciao\n")
    assert notebook_draft(leggi(text, "99-campione.md"))
