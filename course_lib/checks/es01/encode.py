"""es01 · Dai token agli ID: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

from course_lib.checks.es01.functions import encode_family
from course_lib.checks.exercise import Check, Slip

SMALL = {"<ignoto>": 0, "La": 1, "chiave": 2, "la": 3, "era": 4}


def _cases(rng):
    return [
        (["era", "La"], dict(SMALL)),
        (["era", "qui", "sì"], {"<ignoto>": 0, "qui": 1, "Qui": 2, "era": 3}),
        (["a", "b", "c", "b", "A", "z", "z"], {"<ignoto>": 0, "c": 1, "b": 2, "a": 3, "A": 4}),
        (["mai", "viste"], {"<ignoto>": 0, "altre": 1, "parole": 2}),
        ([], dict(SMALL)),
    ]


ENCODE = Check(
    name="encode",
    reference=encode_family(),
    family=encode_family,
    first_case={"tokens": ["La", "chiave", "nuova", "era", "la", "chiave"], "vocab": dict(SMALL)},
    cases=_cases,
    slips=(
        Slip(
            "il token ignoto ferma tutto",
            "La tua funzione cerca una parola che nel vocabolario non c'è: quale voce del vocabolario è "
            "fatta per questo?",
            {"coding": "stops"},
            {"coding": "stops in a list"},
            stops=True,
        ),
        Slip(
            "token ignoto saltato",
            "Il risultato ha meno ID dei token: dove sono finite le parole mai viste?",
            {"coding": "skipped"},
        ),
        Slip(
            "un ID che non esiste",
            "Per una parola mai vista dai un valore che nel vocabolario non è di nessuno: quale voce "
            "la rappresenta?",
            {"coding": "minus one"},
            {"coding": "none"},
        ),
        Slip(
            "il nome del token ignoto al posto del suo ID",
            "Nella lista c'è un testo in mezzo ai numeri: di quella voce serviva il nome o l'ID?",
            {"coding": "word"},
        ),
        Slip(
            "token al posto degli ID",
            "La tua lista contiene ancora parole: a che cosa serve il vocabolario?",
            {"coding": "text"},
        ),
        Slip(
            "un ID nuovo per ogni parola mai vista",
            "Il vocabolario qui è già fatto: una parola mai vista può ricevere un ID che prima non c'era?",
            {"coding": "new"},
            {"coding": "widened"},
        ),
        Slip(
            "posti al posto degli ID",
            "I tuoi numeri crescono di uno alla volta: sono i posti della frase o gli ID delle parole?",
            encode_family(coding="place"),
            encode_family(coding="first place"),
        ),
        Slip(
            "il ciclo gira sul vocabolario",
            "I tuoi ID seguono l'ordine del vocabolario: su che cosa gira il tuo ciclo, e quanti ID servono?",
            encode_family(coding="entries"),
        ),
        Slip(
            "maiuscole perdute",
            "Il vocabolario distingue «La» da «la»: la tua funzione le distingue?",
            {"case": "lower"},
        ),
        Slip(
            "ripetizioni perdute",
            "Una parola che torna due volte quanti ID dà?",
            {"finish": "distinct"},
        ),
        Slip(
            "ID in ordine crescente",
            "Gli ID devono seguire l'ordine delle parole: chi li ha riordinati?",
            {"finish": "sorted"},
        ),
        Slip(
            "ID spostati di uno",
            "Confronta un tuo ID con quello scritto nel vocabolario: da dove viene la differenza?",
            {"finish": "shifted"},
        ),
        Slip(
            "return dentro il ciclo",
            "Il calcolo si ferma al primo giro del ciclo: con quale rientro è scritto return?",
            {"finish": "first"},
            encode_family(finish="first in a list"),
        ),
    ),
)
