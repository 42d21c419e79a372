"""es06 · Dividere in teste, riunirle, ripetere la maschera: ingressi di prova, errori tipici, domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import EARLY_RETURN, TRUNCATED, to_integers
from course_lib.checks.es06 import functions as f
from course_lib.checks.es06.masks import repeat_family
from course_lib.checks.exercise import Check, Slip

NO_MOVE = (
    "reshape senza scambio degli assi",
    "La forma è giusta, ma guarda il primo token della prima testa: le sue componenti vengono tutte dal "
    "primo token di partenza? E quelle del secondo?",
)
NO_MOVE_BACK = (
    "reshape senza scambio degli assi",
    "La forma è giusta, ma la prima riga del tuo risultato viene dal primo token di ogni testa o da più "
    "token della prima testa?",
)
INTERLEAVED = (
    "componenti alternate",
    "Le componenti di una testa stanno una accanto all'altra: nel tuo risultato da quali colonne viene la "
    "testa 0?",
)
INTERLEAVED_BACK = (
    "componenti alternate",
    "Una riga del risultato comincia con tutte le componenti della testa 0: nella tua che cosa viene dopo la "
    "prima?",
)
REVERSED = (
    "teste in ordine inverso",
    "La testa 0 è la prima: nel tuo risultato con quale cominci?",
)
REPEATED = (
    "una testa ripetuta",
    "Le teste sono diverse l'una dall'altra: nel tuo ciclo che cosa cambia, da un giro al successivo?",
)
FIRST_AXIS = (
    "asse delle teste al posto sbagliato",
    "Senza assi iniziali il tuo risultato è giusto. Con un asse delle frasi, quale conta le frasi e quale "
    "le teste?",
)
MISSING_HEAD = (
    "manca una testa",
    "Quante teste hai usato, e quante sono? Conta i giri del tuo ciclo e guarda dove sta return.",
)


def _lost_digits(function):
    return Slip("cifre decimali perdute", TRUNCATED, lambda *args: to_integers(function(*args)))


def _numbered(*shape):
    """I numeri da 1 in su, in quella forma: nel messaggio si vede da dove viene ciascuno."""
    return np.arange(1.0, 1 + np.prod(shape)).reshape(shape)


SPLIT_HEADS = Check(
    name="split_heads",
    reference=f.split_family(),
    family=f.split_family,
    kinds="iuf",
    first_case={"x": _numbered(2, 6), "n_heads": 3},
    cases=lambda rng: [
        (_numbered(3, 4), 2),
        (_numbered(2, 3, 8) / 2, 2),
        (_numbered(2, 2, 4), 2),
        (_numbered(3, 3), 1),
        (_numbered(2, 1, 6), 3),
        (_numbered(2, 2, 3, 4), 2),
        (np.arange(12).reshape(3, 4), 4),
    ],
    slips=(
        Slip(*NO_MOVE, {"split": "reshape"}, f.written_for(2, f.SPLITS["reshape"])),
        Slip(*INTERLEAVED, {"split": "interleaved"}, f.written_for(2, f.SPLITS["interleaved"])),
        Slip(*REVERSED, {"split": "reversed"}),
        Slip(*REPEATED, {"split": "repeated"}, {"split": "last repeated"}),
        Slip(
            "scambio mancante",
            "Ogni testa deve avere la sua tabella, con una riga per token: nel tuo risultato il terzo asse "
            "dalla fine conta le teste o i token?",
            {"split": "not moved"},
            f.written_for(2, f.SPLITS["not moved"]),
        ),
        Slip(
            "teste e componenti scambiate",
            "Quante teste ti hanno chiesto, e quante componenti toccano a ciascuna? Nel tuo risultato i due "
            "numeri dove stanno?",
            {"split": "sizes swapped"},
        ),
        Slip(
            "scambiati gli assi sbagliati",
            "Dopo aver diviso l'ultimo asse ce ne sono tre: token, teste, componenti. Quali due si "
            "scambiano?",
            {"split": "last axes"},
            {"split": "all axes"},
        ),
        Slip(*FIRST_AXIS, {"split": "heads first"}, {"split": "first axes"}),
        Slip(
            "componenti non divise",
            "Ogni testa prende una parte delle componenti: nel tuo risultato quante ne ha?",
            {"split": "side by side"},
        ),
        Slip(
            "una componente in meno",
            "Quante componenti ha una testa nel tuo risultato? Una fetta comprende il suo ultimo numero?",
            {"split": "one less"},
        ),
        Slip(
            *MISSING_HEAD,
            f.some_heads(f.split_family(), slice(-1)),
            f.some_heads(f.split_family(), slice(1, None)),
            f.some_heads(f.split_family(), slice(1)),
            f.only(f.split_family(), slice(-1)),
            f.only(f.split_family(), slice(1, None)),
        ),
        _lost_digits(f.split_family()),
        Slip(*EARLY_RETURN, f.only(f.split_family(), 0)),
        Slip(
            "resta solo l'ultima testa",
            "Quante teste del tuo risultato non sono di soli zeri? Dove nasce l'array che riempi, dentro il "
            "ciclo o prima?",
            f.only(f.split_family(), -1),
        ),
    ),
)

MERGE_HEADS = Check(
    name="merge_heads",
    reference=f.merge_family(),
    family=f.merge_family,
    kinds="iuf",
    first_case={"Z": _numbered(2, 3, 2)},
    cases=lambda rng: [
        (_numbered(3, 2, 2),),
        (_numbered(2, 3, 2, 4) / 2,),
        (_numbered(2, 2, 3, 2),),
        (_numbered(1, 3, 2),),
        (_numbered(2, 2, 2, 2),),
        (_numbered(3, 1, 2, 3, 1),),
        (np.arange(12).reshape(3, 4, 1),),
    ],
    slips=(
        Slip(*NO_MOVE_BACK, {"merge": "reshape"}, f.written_for(3, f.MERGES["reshape"])),
        Slip(*INTERLEAVED_BACK, {"merge": "interleaved"}),
        Slip(*REVERSED, {"merge": "reversed"}),
        Slip(*REPEATED, {"merge": "repeated"}, {"merge": "last repeated"}),
        Slip(
            "una testa sola",
            "Il tuo risultato ha le componenti di una testa: e le altre?",
            {"merge": "first"},
            {"merge": "last"},
        ),
        Slip(
            "teste sommate",
            "Le teste si mettono in fila o si mescolano? A mescolarle, nella formula, chi ci pensa?",
            {"merge": "sum"},
            {"merge": "first axis summed"},
            {"merge": "mean"},
        ),
        Slip(
            "teste una sotto l'altra",
            "I token restano quanti erano: quante righe ha il tuo risultato? In quale direzione hai messo in "
            "fila le teste?",
            {"merge": "rows"},
            {"merge": "stacked"},
        ),
        Slip(
            "assi non uniti",
            "Quanti assi deve avere il risultato? Nel tuo le teste sono ancora un asse a parte: quale "
            "passaggio manca?",
            {"merge": "not joined"},
        ),
        Slip(*FIRST_AXIS, {"merge": "first axis"}, {"merge": "second axis"}, {"merge": "first axes"}),
        Slip(
            "righe e colonne scambiate",
            "Una riga per ogni token: nel tuo risultato che cosa sono le righe?",
            {"merge": "turned"},
        ),
        Slip(
            "assi iniziali perduti",
            "Con più frasi il risultato deve tenerle separate: quanti assi ha il tuo?",
            {"merge": "lead lost"},
        ),
        Slip(
            *MISSING_HEAD,
            lambda Z: f.merge_family()(f.at_least_one(Z[..., :-1, :, :])),
            lambda Z: f.merge_family()(f.at_least_one(Z[..., 1:, :, :])),
        ),
        _lost_digits(f.merge_family()),
    ),
)


def _table(rng, *shape):
    """Una maschera a caso, diversa da una frase all'altra e con almeno un divieto."""
    mask = rng.integers(0, 2, size=shape) == 1
    for b in range(len(mask)):
        mask[b, 0] = np.arange(shape[-1]) <= b % shape[-1]
    return mask


MASKS_FOR_HEADS = Check(
    name="masks_for_heads",
    reference=repeat_family(),
    family=repeat_family,
    first_case={
        "mask": np.array([[[True, False, False], [True, True, False]], [[True, True, True]] * 2]),
        "n_heads": 2,
    },
    cases=lambda rng: [
        (_table(rng, 3, 2, 4), 2),
        (_table(rng, 2, 3, 3), 3),
        (_table(rng, 3, 3, 3), 3),
        (_table(rng, 1, 2, 3), 4),
        (_table(rng, 2, 4, 4), 1),
    ],
    slips=(
        Slip(
            "maschere in un altro ordine",
            "La forma è giusta. Ma tutte le teste della prima frase hanno la maschera della prima frase? "
            "Guarda che cosa si ripete prima: le teste o le frasi?",
            {"repeat": "tiled"},
        ),
        Slip(
            "teste prima delle frasi",
            "Il primo asse conta le frasi: nel tuo risultato che cosa conta?",
            {"repeat": "heads first"},
        ),
        Slip(
            "asse nuovo dimenticato",
            "La maschera ha tre assi, il risultato quattro. Se non dici dove va l'asse delle teste, NumPy lo "
            "mette davanti a tutti: e le frasi dove finiscono?",
            {"repeat": "no new axis"},
        ),
        Slip(
            "frasi e teste in un asse solo",
            "Quanti assi chiede la scheda? Nel tuo risultato frasi e teste si distinguono ancora?",
            {"repeat": "folded"},
            {"repeat": "folded, tiled"},
            {"repeat": "folded, four axes"},
            {"repeat": "folded, four axes, tiled"},
        ),
        Slip(
            "asse delle teste al posto sbagliato",
            "Gli ultimi due assi restano chi guarda e chi è guardato: nel tuo risultato quale asse conta le "
            "teste?",
            {"repeat": "after the queries"},
            {"repeat": "at the end"},
            {"repeat": "along the keys"},
        ),
        Slip(
            "maschera non ripetuta",
            "Quante copie della maschera di una frase ci sono nel tuo risultato? E quante sono le teste?",
            {"repeat": "length one"},
            {"repeat": "as it is"},
        ),
        Slip(
            "la maschera di una frase per tutte",
            "Ogni frase ha la sua maschera: cambiando quella della seconda il tuo risultato cambia? E "
            "cambiando quella della prima?",
            {"repeat": "first sentence"},
            {"repeat": "last sentence"},
        ),
        Slip(
            "righe e colonne scambiate",
            "Le righe sono chi guarda, le colonne chi è guardato: nel tuo risultato che cosa sono le righe?",
            {"repeat": "turned"},
        ),
        Slip(
            "numeri al posto di True e False",
            "La scheda chiede un array logico: di che tipo (dtype) è il tuo?",
            {"kind": "numbers"},
            {"kind": "additive"},
            {"kind": "complement"},
        ),
        Slip(
            "maschera letta al contrario",
            "Nella scheda che cosa vuol dire True, «può guardare» o «è vietato»?",
            {"kind": "inverted"},
        ),
        Slip(
            "si riempie una testa sola",
            "Quali teste del tuo risultato possono guardare qualcosa? Che cosa cambia, nel tuo ciclo, da un "
            "giro al successivo?",
            f.only(repeat_family(), 0),
            f.only(repeat_family(), -1),
        ),
    ),
)
