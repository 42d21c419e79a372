"""es06 · Gli errori tipici comuni all'attenzione multi-testa e a quella incrociata."""

from __future__ import annotations

from course_lib.checks.es06.axes import INTERLEAVED, REPEATED, REVERSED
from course_lib.checks.exercise import Slip
from course_lib.checks.formula_slips import DIVIDED_BY_LENGTH, TIMES_ROOT_IN_WEIGHTS, WRONG_LENGTH

SPLIT_SLIPS = (
    Slip(
        "reshape senza scambio degli assi",
        "In una testa finiscono componenti di token diversi: quando dividi l'ultimo asse, il risultato ha "
        "subito l'asse delle teste dove lo vuoi?",
        {"split": "reshape"},
        {"split": "reshape", "merge": "reshape"},
    ),
    Slip(
        "teste riunite senza scambio degli assi",
        "Le teste si calcolano bene e si riuniscono male: prima di unire due assi, sono vicini?",
        {"merge": "reshape"},
    ),
    Slip(*INTERLEAVED, {"split": "interleaved"}, {"split": "interleaved", "merge": "interleaved"}),
    Slip(
        "componenti alternate alla fine",
        "Le teste si mettono in fila, una dopo l'altra: in una riga, dopo la prima componente della testa 0, "
        "che cosa viene?",
        {"merge": "interleaved"},
    ),
    Slip(*REVERSED, {"merge": "reversed"}, {"split": "reversed"}),
    Slip(*REPEATED, {"merge": "repeated"}, {"merge": "last repeated"}, {"split": "repeated"},
         {"split": "last repeated"}),
    Slip(
        "teste non divise",
        "Il risultato è quello di una testa sola, grande: dove dividi query, key e value?",
        {"heads": "one"},
    ),
)  # fmt: skip
SCALE_SLIPS = (
    Slip(
        "scala da d_model",
        "Quante componenti hanno i due vettori di cui fai il prodotto scalare, dentro una testa? Tu per che "
        "cosa dividi?",
        {"scale": "d_model"},
        {"scale": "all heads"},
    ),
    Slip(
        "scala da d_model diviso h",
        "Quante componenti ha una query dopo la proiezione e la divisione in teste? Con queste matrici è "
        "sempre una parte di quelle di X?",
        {"scale": "share"},
        {"scale": "exact share"},
    ),
    Slip(
        "radice scritta male",
        "Scritta come l'hai scritta tu, quanto vale la radice di 16? In che ordine si fanno potenza e "
        "divisione?",
        {"scale": "half"},
    ),
    Slip(
        "senza scala",
        "I punteggi dell'attenzione sono scalati, anche dentro una testa: quale passaggio manca?",
        {"scale": "none"},
    ),
    Slip(*DIVIDED_BY_LENGTH, {"scale": "full"}),
    Slip(*TIMES_ROOT_IN_WEIGHTS, {"scale": "times"}),
    Slip(*WRONG_LENGTH, {"scale": "d_v"}, {"scale": "h"}, {"scale": "L"}),
)
WHICH_SLIPS = (
    Slip(
        "query e key scambiate",
        "Chi guarda passa da una matrice e chi è guardato da un'altra: quale delle due fa le query? E nella "
        "tabella dei punteggi le righe sono le query?",
        {"which": "Q and K swapped"},
    ),
    Slip(
        "una matrice usata due volte",
        "Le matrici sono tre: nel tuo conto compaiono tutte, ciascuna al suo posto?",
        {"which": "V with W_K"},
        {"which": "V with W_Q"},
        {"which": "K with W_Q"},
        {"which": "all with W_Q"},
    ),
    Slip(
        "W_K e W_V scambiate",
        "Una matrice serve al confronto, l'altra al contenuto che si consegna: nel tuo conto ciascuna fa il "
        "suo lavoro?",
        {"which": "K and V swapped"},
    ),
    Slip(
        "value non proiettati",
        "Anche i value vengono da una matrice: quale riga del tuo conto la usa?",
        {"which": "V as it is"},
    ),
)
OUT_SLIPS = (
    Slip(
        "W_O dimenticata",
        "Hai messo in fila le teste: quale matrice manca ancora, fra quelle che la funzione riceve?",
        {"out": "none"},
    ),
    Slip(
        "W_O trasposta o dalla parte sbagliata",
        "Righe e colonne di W_O: quale dei due lati deve incontrare le teste in fila?",
        {"out": "turned"},
        {"out": "left"},
    ),
)


def shared_slips(family):
    """Tutti questi errori per una funzione; di ognuno solo la prima realizzazione si cerca anche a coppie."""
    every = (*SPLIT_SLIPS, *SCALE_SLIPS, *WHICH_SLIPS, *OUT_SLIPS)
    return tuple(
        Slip(slip.name, slip.question, slip.variants[0], *(family(**other) for other in slip.variants[1:]))
        for slip in every
    )
