"""es07 · LayerNorm e rete feed-forward: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import ROUNDED_AT_THE_END, TRUNCATED, TRUNCATED_AT_THE_END
from course_lib.checks.es07 import functions as f
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.inputs import halves
from course_lib.checks.properties import unchanged_under

SHIFT_DOES_NOT_COUNT = unchanged_under(
    "una costante sommata a tutta la riga conta ancora",
    "Somma 10 a tutte le componenti di un vettore: la media si sposta di 10, e il tuo risultato?",
    lambda x, gamma, beta, eps: (x + 10.0, gamma, beta, eps),
    lambda value, x, gamma, beta, eps: value,
)

TOKENS_DO_NOT_MIX = unchanged_under(
    "un token cambia gli altri",
    "La rete feed-forward legge un vettore alla volta: se cambi l'ordine dei token, le tue righe restano le "
    "stesse, mescolate come loro?",
    lambda x, *rest: (x[..., ::-1, :], *rest),
    lambda value, x, *rest: value[..., ::-1, :],
)


def _norm_cases(rng):
    def case(eps, *shape):
        d = shape[-1]
        return halves(rng, *shape), halves(rng, d) + 0.25, halves(rng, d) + 0.75, eps

    return [
        case(0.5, 3, 5),
        case(1e-5, 2, 4),
        case(0.25, 2, 3, 4),
        case(2.0, 3, 3),
        case(0.5, 2, 2, 2),
        (np.array([[1, 4, -2], [0, 0, 3]]), np.array([2, 1, 3]), np.array([1, -1, 2]), 1),
        (np.array([[0.5, 0.5, 0.5, 0.5, 0.5]]), np.arange(1.0, 6.0), np.arange(5.0), 1e-5),
    ]


LAYER_NORM = Check(
    name="layer_norm",
    reference=f.norm_family(),
    family=f.norm_family,
    first_case={
        "x": np.array([[1.0, 3.0, 5.0, 7.0], [2.0, 2.0, 2.0, 2.0]]),
        "gamma": np.array([3.0, 3.0, 6.0, 1.0]),
        "beta": np.array([0.0, 2.0, 0.0, -1.0]),
        "eps": 4.0,
    },
    cases=_norm_cases,
    properties=(SHIFT_DOES_NOT_COUNT,),
    slips=(
        Slip(
            "divisore d − 1",
            "La varianza della scheda è la media dei quadrati degli scarti: per quale numero hai diviso la "
            "loro somma?",
            {"divisor": "d-1"},
        ),
        Slip(
            "somma al posto della media",
            "Con il doppio delle componenti la tua varianza raddoppia: quale passaggio manca?",
            {"divisor": "sum"},
        ),
        Slip(
            "eps fuori dalla radice",
            "Nella formula eps si somma alla varianza o alla deviazione standard? Nel tuo conto a che punto "
            "arriva?",
            {"root": "outside"},
        ),
        Slip(
            "eps dimenticato",
            "Una riga di numeri tutti uguali ha varianza 0: per che cosa dividi? Quale argomento non usi?",
            {"root": "no eps"},
        ),
        Slip(
            "eps elevato al quadrato",
            "La formula somma alla varianza eps così com'è: nel tuo conto quanto vale l'addendo?",
            {"root": "eps squared"},
        ),
        Slip(
            "eps sempre uguale",
            "eps è un argomento: se la prova ne dà uno più grande, il tuo risultato cambia?",
            {"root": "eps fixed"},
        ),
        Slip(
            "diviso per la varianza",
            "Se raddoppi un vettore, i suoi scarti raddoppiano e la varianza si moltiplica per 4: quale "
            "passaggio le fa stare alla pari?",
            {"root": "no root"},
        ),
        Slip(
            "deviazione standard al posto della varianza",
            "Sotto la radice, nella formula, si somma eps alla varianza: quante radici hai fatto?",
            f.norm_family(root="deviation inside"),
        ),
        Slip(
            "asse sbagliato",
            "La media si fa sulle componenti di un token, o sui token? Nel tuo risultato che cosa ha media 0 "
            "prima di γ e β?",
            {"axis": "tokens"},
            f.norm_family(axis="first"),
        ),
        Slip(
            "assi contati da davanti",
            "Con due assi il tuo risultato è giusto. Con tre, che cosa c'è in x[0], e quale asse conta le "
            "componenti?",
            f.norm_family(axis="second"),
            f.row_by_row,
        ),
        Slip(
            "una media sola per tutto",
            "Ogni token ha la sua media e la sua varianza: quante ne hai calcolate?",
            {"axis": "all"},
        ),
        Slip(
            "asse perduto",
            "La media e la varianza di ogni riga devono restare accanto alla loro riga: hanno ancora tanti "
            "assi quanti x?",
            f.lost_axis(False, False),
            f.lost_axis(True, False),
            f.lost_axis(False, True),
        ),
        Slip(
            "media non tolta",
            "Prima di dividere, ogni riga deve avere media 0: la tua quanto ha?",
            {"centre": "none"},
        ),
        Slip(
            "scarto medio",
            "Gli scarti, nella formula, si elevano al quadrato o si prendono in valore assoluto?",
            f.mean_distance,
        ),
        Slip(
            "γ dimenticato",
            "Dopo la divisione ogni componente si moltiplica per un suo parametro: nel tuo conto dov'è?",
            {"scale": "no gamma"},
        ),
        Slip(
            "β dimenticato",
            "Una riga di numeri tutti uguali deve dare il parametro che si somma: la tua che cosa dà?",
            {"scale": "no beta"},
        ),
        Slip(
            "γ e β dimenticati",
            "I tuoi vettori sono normalizzati e basta: quali due argomenti non hai usato?",
            {"scale": "neither"},
        ),
        Slip(
            "γ e β scambiati",
            "Quale dei due parametri moltiplica e quale si somma? Guarda che cosa dà una riga di numeri "
            "tutti uguali.",
            {"scale": "swapped"},
        ),
        Slip(
            "β sommato prima di γ",
            "In quale ordine vengono, nella formula, il prodotto e la somma?",
            {"scale": "shifted first"},
        ),
        Slip(
            "diviso per γ",
            "Un γ più grande deve ingrandire la sua componente: nel tuo risultato che cosa fa?",
            {"scale": "divided"},
        ),
        ROUNDED_AT_THE_END,
        TRUNCATED_AT_THE_END,
    ),
)


def _ffn_cases(rng):
    def case(*shape, wide, parts=1):
        d = shape[-1]
        shapes = shape, (d, wide), (wide,), (wide, d), (d,)
        return tuple(halves(rng, *one) / parts for one in shapes)

    return [
        case(2, 3, wide=4),
        case(4, 2, wide=5),
        case(2, 3, 2, wide=6, parts=3),
        case(1, 4, wide=3, parts=3),
        case(3, 3, wide=3, parts=3),
        (
            np.array([[1, -2], [0, 3]]), np.array([[1, 0, -1], [2, 1, 1]]), np.array([1, -1, 0]),
            np.array([[1, 2], [0, -3], [4, 1]]), np.array([-2, 1]),
        ),
    ]  # fmt: skip


FEED_FORWARD = Check(
    name="feed_forward",
    reference=f.ffn_family(),
    family=f.ffn_family,
    first_case={
        "x": np.array([[1.0, 2.0], [-1.0, 1.0]]),
        "W_1": np.array([[1.0, 0.0, -1.0], [0.0, 1.0, -1.0]]),
        "b_1": np.array([0.0, -1.0, 2.0]),
        "W_2": np.array([[1.0, 0.0], [2.0, -5.0], [0.0, 1.0]]),
        "b_2": np.array([0.0, 1.0]),
    },
    cases=_ffn_cases,
    kinds="iuf",
    properties=(TOKENS_DO_NOT_MIX,),
    slips=(
        Slip(
            "ReLU dopo il secondo strato",
            "Il risultato della scheda può avere componenti negative: quante ne ha il tuo? A quale dei due "
            "strati hai applicato la ReLU?",
            {"activation": "none", "after": "relu"},
        ),
        Slip(
            "ReLU anche alla fine",
            "Quante volte compare la ReLU nella formula? Il tuo risultato può essere negativo?",
            {"after": "relu"},
        ),
        Slip(
            "senza ReLU",
            "Due prodotti di matrici di fila ne valgono uno: che cosa sta in mezzo ai due, nella formula?",
            {"activation": "none"},
        ),
        Slip(
            "ReLU prima del primo strato",
            "La ReLU azzera i numeri negativi di chi: di x, o di ciò che dà il primo strato?",
            {"activation": "none", "before": "relu"},
        ),
        Slip(
            "tenuti i negativi",
            "La ReLU tiene i numeri positivi e mette 0 al posto degli altri: la tua quali tiene?",
            {"activation": "negatives"},
        ),
        Slip(
            "valore assoluto",
            "Un numero negativo, uscito dal primo strato, diventa 0 o cambia segno?",
            {"activation": "absolute"},
        ),
        Slip(
            "gradino al posto della ReLU",
            "Dove il primo strato dà un numero positivo, la ReLU lo lascia com'è: nel tuo conto quanto vale?",
            {"activation": "step"},
        ),
        Slip(
            "massimo con 1",
            "Sotto quale numero la ReLU smette di lasciar passare? E la tua?",
            {"activation": "from one"},
        ),
        Slip(
            "GELU al posto della ReLU",
            "La tua soglia è morbida, come nei blocchi del notebook: quale attivazione chiede la scheda?",
            {"activation": "gelu"},
        ),
        Slip(
            "b₁ dimenticato",
            "Il primo strato ha una matrice e un termine noto: quale dei due manca?",
            {"first": "no bias"},
        ),
        Slip(
            "b₁ sommato dopo la ReLU",
            "Il termine noto del primo strato può far scattare o spegnere la ReLU: nel tuo conto arriva in "
            "tempo?",
            {"first": "bias late"},
        ),
        Slip(
            "b₂ dimenticato",
            "Se lo strato nascosto è tutto 0 il risultato non è 0: che cosa resta, nella formula?",
            {"second": "no bias"},
        ),
        Slip(
            "connessione residua già sommata",
            "La scheda chiede soltanto la rete: quale addendo in più c'è nel tuo risultato?",
            {"after": "residual"},
        ),
        ROUNDED_AT_THE_END,
        Slip("cifre decimali perdute", TRUNCATED, {"finish": "integers"}),
    ),
)
