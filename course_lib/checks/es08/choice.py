"""es08 · Scegliere il token: top-k, top-p, estrazione a una temperatura; ingressi, errori tipici, domande."""

from __future__ import annotations

from functools import partial

import numpy as np

from course_lib.checks.common_slips import ROUNDED_AT_THE_END
from course_lib.checks.es08 import choosing as f
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.properties import rows_sum_to_one

WHOLE = "Quanto fa la somma di ciò che restituisci? E quanto deve fare una somma di probabilità?"
NOT_SHARED = (
    "non divisi per la somma",
    "Quanto fa la somma di ciò che hai tenuto? E quanto deve fare la somma di probabilità?",
    {"total": "none"},
)
SHUFFLED = (
    "rimessi in ordine",
    "Il posto di una probabilità dice di quale token è: nel tuo risultato ogni probabilità è ancora al posto "
    "del suo ID?",
)
AGAIN = (
    "un'altra softmax",
    "Le probabilità tenute devono restare nello stesso rapporto fra loro: con quale operazione riporti la "
    "somma a 1?",
    {"total": "again"},
    {"total": "again, all"},
)
LEAST = (
    "i meno probabili",
    "Guarda chi hai tenuto: sono i più probabili, o i meno?",
    {"order": "least"},
)
IN_ID_ORDER = (
    "ordine degli ID",
    "Hai preso i token nell'ordine in cui sono scritti: da quale deve cominciare chi cerca i più probabili?",
    {"order": "as written"},
)


def _shares(*parts):
    """Probabilità proporzionali a questi numeri."""
    return np.array(parts, dtype=float) / sum(parts)


KEEP_TOP_K = Check(
    name="keep_top_k",
    reference=f.top_k_family(),
    family=f.top_k_family,
    first_case={"p": np.array([0.125, 0.5, 0.25, 0.125]), "k": 2},
    cases=lambda rng: [
        (_shares(3, 9, 1, 7), 1),
        (_shares(4, 1, 3, 8, 16), 3),
        (_shares(2, 1, 3, 2), 2),                # a pari merito l'ID più piccolo
        (_shares(1, 2, 5), 3),
        (_shares(1, 1, 1, 1, 4), 3),
        (np.array([0.0, 0.25, 0.75]), 1),
        (rng.permutation(_shares(*range(1, 8))), 4),
        (_shares(*[1, 3] * 14), 9),              # tanti pari merito: chi non è stabile li rimescola
    ],
    properties=(rows_sum_to_one(question=WHOLE),),
    slips=(
        Slip(
            "uno di troppo",
            "Conta i token che nel tuo risultato hanno ancora una probabilità: quanti sono?",
            {"count": "one more"},
        ),
        Slip(
            "uno di meno",
            "Conta i token che nel tuo risultato hanno ancora una probabilità: quanti ne mancano?",
            {"count": "one less"},
        ),
        Slip(
            "il k-esimo escluso",
            "Confronti con la probabilità del k-esimo: lui, nel tuo risultato, c'è?",
            f.more_probable_than_the_last,
        ),
        Slip(
            "pari merito tutti dentro",
            "Se il k-esimo e il seguente hanno la stessa probabilità, quanti ne tieni? Che cosa dice la "
            "scheda di chi è a pari merito?",
            f.as_probable_as_the_last,
        ),
        Slip(
            "pari merito al contrario",
            "Fra due token con la stessa probabilità ne resta uno: quale dei due, secondo la scheda?",
            {"order": "most, last"},
        ),
        Slip(*LEAST),
        Slip(*IN_ID_ORDER),
        Slip(*NOT_SHARED),
        Slip(*AGAIN),
        Slip(*SHUFFLED, f.sorted_top_k),
        Slip(
            "solo i k tenuti",
            "Quanti numeri restituisci? E quanti token ha il vocabolario?",
            f.only_the_kept,
        ),
        ROUNDED_AT_THE_END,
    ),
)

KEEP_TOP_P = Check(
    name="keep_top_p",
    reference=f.top_p_family(),
    family=f.top_p_family,
    first_case={"p": np.array([0.125, 0.5, 0.25, 0.125]), "mass": 0.625},
    cases=lambda rng: [
        (np.array([0.125, 0.5, 0.25, 0.125]), 0.75),                    # la somma arriva esatta
        (_shares(3, 9, 1, 7), 0.3),                                     # basta il primo
        (_shares(4, 1, 3, 8, 16), 0.8),
        (_shares(2, 1, 3, 2), 0.55),                                    # pari merito
        (_shares(1, 2, 5), 1.0),
        (_shares(8, 6, 1, 1), 0.6),
        (rng.permutation(_shares(*range(1, 8))), 0.7),
        (np.full(10, 0.1), 1.0),                                        # la somma si ferma un soffio sotto 1
    ],
    properties=(rows_sum_to_one(question=WHOLE),),
    slips=(
        Slip(
            "escluso quello che raggiunge la somma",
            "Quanto fa la somma dei token che hai tenuto, prima di dividere? Arriva alla massa richiesta?",
            {"crossing": "dropped"},
            {"crossing": "dropped, one at least"},
            {"crossing": "below"},
            {"crossing": "below, one at least"},
        ),
        Slip(
            "uno di troppo",
            "Quando la somma è già arrivata esattamente alla massa richiesta, serve un altro token?",
            {"crossing": "one more"},
        ),
        Slip(
            "soglia su ciascuno",
            "Confronti con la massa la probabilità di un token, o la somma di quelli presi fin lì?",
            f.each_above,
        ),
        Slip(
            "pari merito al contrario",
            "Fra due token con la stessa probabilità ne basta uno: quale dei due, secondo la scheda?",
            {"order": "most, last"},
        ),
        Slip(*LEAST),
        Slip(*IN_ID_ORDER),
        Slip(*NOT_SHARED),
        Slip(*AGAIN),
        Slip(*SHUFFLED, f.sorted_top_p),
        ROUNDED_AT_THE_END,
    ),
)

SAMPLE = Check(
    name="sample",
    reference=f.sample_family(),
    family=f.sample_family,
    first_case={"logits": np.log([1.0, 9.0, 36.0]), "tau": 2.0, "u": 0.35},
    alone=True,
    cases=lambda rng: [
        (np.log([1.0, 9.0, 36.0]), 2.0, 0.05),
        (np.log([1.0, 9.0, 36.0]), 2.0, 0.45),
        (np.zeros(4), 1.0, 0.5),                                        # u cade su una somma esatta
        (np.zeros(4), 3.0, 0.25),
        (np.array([-3000.0, 0.0, 0.0]), 1.0, 0.0),                      # un token di probabilità 0 non esce
        (np.log([4.0, 1.0, 9.0, 16.0]), 2.0, 0.25),
        (np.log([4.0, 1.0, 9.0, 16.0]), 0.5, 0.25),
        (np.log([4.0, 1.0, 9.0, 16.0]), 0.5, 0.9),
        (np.array([1000.0, 1002.0, 1001.0]), 1.0, 0.15),
        (np.array([-2000.0, -2001.0, -2000.5]), 0.5, 0.7),
        (np.array([2, 0, 1]), 1, 0.72),
        (np.log([3.0, 2.0, 1.0, 4.0]), 1.0, 0.55),
        (np.log([3.0, 2.0, 1.0, 4.0]), 1.0, 0.95),
        (np.log([3.0, 2.0, 1.0, 4.0]), 4.0, 0.3),
    ],
    slips=(
        Slip(
            "temperatura moltiplicata",
            "Una temperatura alta deve avvicinare fra loro le probabilità: la tua che cosa fa?",
            {"tau": "multiply"},
        ),
        Slip(
            "temperatura ignorata",
            "Se cambi la temperatura, con gli stessi logit e la stessa u, il tuo token cambia mai?",
            {"tau": "none"},
        ),
        Slip(
            "temperatura sotto radice",
            "La radice serviva alla scala dei punteggi: qui per che cosa si divide?",
            {"tau": "root"},
        ),
        Slip(
            "temperatura dopo la softmax",
            "La temperatura entra prima o dopo che i logit diventano probabilità?",
            f.after_the_softmax,
        ),
        Slip(
            "massimo non sottratto",
            "Con logit grandi, o con una temperatura piccola, gli esponenziali traboccano: quale passaggio "
            "dell'esercizio 3 lo evita?",
            {"peak": "none"},
            f.by_counting,
        ),
        Slip(
            "non divisi per la somma",
            "Confronti u, che sta fra 0 e 1, con somme che arrivano fino a dove?",
            {"total": "none"},
        ),
        Slip(
            "sempre il più probabile",
            "Cambia u: il tuo token cambia mai? Quella che hai scritto è la decodifica greedy.",
            f.greedy,
        ),
        Slip(
            "probabilità non sommate",
            "Con che cosa confronti u: con la probabilità di un token, o con la somma fino a lui?",
            {"sums": "alone"},
        ),
        Slip(
            "somma che arriva giusta a u",
            "Con u = 0 e una prima probabilità uguale a 0, quale token esce dal tuo conto? "
            "Potrebbe uscire mai?",
            {"place": "at least"},
        ),
        Slip(
            "un posto più avanti",
            "Quando u è più piccola della prima probabilità deve uscire il primo token, che ha ID 0: il tuo "
            "quale dà?",
            {"place": "next"},
            *(partial(f.compare_then_add, last=last) for last in (lambda V: V - 1, lambda V: V, lambda V: 0)),
        ),
        Slip(
            "un posto più indietro",
            "Restituisci il token che fa superare u, o quello prima?",
            {"place": "before"},
        ),
        Slip(
            "dal fondo",
            "Da quale ID cominci a sommare? E la scheda da quale?",
            f.from_the_end,
            {"sums": "from the end"},
        ),
        Slip(
            "ordinati prima di sommare",
            "La scheda somma nell'ordine degli ID: tu in quale ordine hai messo le probabilità?",
            f.by_rank,
            f.by_rank_then_id,
        ),
    ),
)
