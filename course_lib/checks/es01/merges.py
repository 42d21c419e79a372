"""es01 · Un'unione della BPE, in due passi: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import EARLY_RETURN
from course_lib.checks.es01 import pairs as p
from course_lib.checks.exercise import Check, Slip


def _random_tie(words):
    """Chi lascia scegliere al caso, o all'ordine di un insieme; qui il caso viene dalle lettere stesse."""
    tally = p._tally(words)
    best = [pair for pair, n in tally.items() if n == max(tally.values())]
    return best[np.random.default_rng([ord(c) for word in words for c in "".join(word)]).integers(len(best))]


def _as_one_text(symbols, pair):
    """Chi mette i pezzi in un testo solo, separati da spazi, e lì cerca la coppia."""
    return " ".join(symbols).replace(" ".join(pair), "".join(pair)).split(" ")


def _after_one_word(words):
    """Chi scrive return nel ciclo sulle parole: conta la prima e basta."""
    return p.frequent_family()(words[:1])


def _after_one_pair(words):
    """Chi scrive return nel ciclo sulle coppie: guarda la prima e basta."""
    return next((word[0], word[1]) for word in words if len(word) > 1)


def _words(text):
    """Parole separate da spazi, ciascuna una lista di lettere; i pezzi già uniti stanno fra parentesi."""
    found = []
    for word in text.split():
        symbols, inside = [], None
        for letter in word:
            if letter == "(":
                inside = ""
            elif letter == ")":
                symbols, inside = [*symbols, inside], None
            elif inside is None:
                symbols.append(letter)
            else:
                inside += letter
        found.append(symbols)
    return found


def _frequent_cases(rng):
    return [
        (_words("zebra"),),  # quattro coppie alla pari
        (_words("sale sera sera"),),  # una parola ripetuta conta due volte
        (_words("mamma abab ab mm"),),
        (_words("bc bc aaaa"),),  # (a, a) sta tre volte in «aaaa»
        (_words("aaaa bc bc"),),
        (_words("no on no on in ni tre"),),  # (n, o) e (o, n) sono due coppie
        (_words("xab yab"),),
        (_words("(ch)i(av)e (ch)i(av)i chi"),),  # (ch, i) con pezzi di più lettere
        (_words("tana rete tubo vela"),),  # dodici coppie alla pari
        (_words("u x uvw uvz uv vu"),),
        (_words("pera pera cane cane luce luce"),),
        (_words("ab cd cd ab uva"),),  # (c, d) arriva a 2 per prima, ma (a, b) si incontra prima
    ]


MOST_FREQUENT_PAIR = Check(
    name="most_frequent_pair",
    reference=p.frequent_family(),
    family=p.frequent_family,
    first_case={"words": _words("toto torta otto")},  # (t, o) quattro volte
    cases=_frequent_cases,
    slips=(
        Slip(
            "parità: vince l'ultima",
            "Fra coppie con lo stesso conteggio il tuo confronto fa vincere quella che arriva dopo: quale "
            "deve vincere?",
            {"tie": "last"},
        ),
        Slip(
            "parità: vince la prima che arriva al conteggio",
            "Due coppie hanno alla fine lo stesso conteggio, e tu tieni quella che lo ha raggiunto prima: è "
            "anche quella che si incontra per prima? Quando conviene cercare il conteggio più alto?",
            {"tie": "soonest"},
        ),
        Slip(
            "parità: decide l'alfabeto",
            "Fra coppie con lo stesso conteggio la tua scelta guarda le lettere: la scheda che cosa guarda?",
            {"tie": "smallest"},
            {"tie": "largest"},
        ),
        Slip(
            "parità: decide il caso",
            "La coppia è una delle più frequenti, ma non quella che la scheda sceglie a parità di conteggio: "
            "nella tua funzione che cosa decide? L'ordine di un insieme (set) non è quello del testo.",
            _random_tie,
            admits=p.is_a_most_frequent,
        ),
        Slip(
            "parole ripetute contate una volta",
            "Se una parola compare due volte nella lista, quante volte contano le sue coppie?",
            {"of": "distinct"},
        ),
        Slip(
            "coppie fra due parole",
            "L'ultimo pezzo di una parola e il primo della seguente stanno dentro la stessa parola?",
            {"of": "together"},
        ),
        Slip(
            "una volta per parola",
            "Una coppia che sta due volte nella stessa parola quante volte va contata?",
            {"count": "once a word"},
        ),
        Slip(
            "sovrapposte contate una volta",
            "Quante coppie di vicini ci sono in tre lettere uguali di fila? Qui si conta, non si unisce "
            "ancora.",
            {"count": "without overlaps"},
        ),
        Slip(
            "solo l'inizio delle parole",
            "Di ogni parola guardi la prima coppia: e le altre?",
            {"count": "first"},
        ),
        Slip(
            "una coppia di ogni parola saltata",
            "Una parola di cinque pezzi ha quattro coppie: le guardi tutte, dalla prima all'ultima?",
            {"count": "last missed"},
            {"count": "first missed"},
        ),
        Slip(*EARLY_RETURN, _after_one_word, _after_one_pair),
        Slip(
            "il conteggio non conta",
            "La coppia che restituisci si sceglie guardando le lettere: i conteggi che hai fatto dove "
            "entrano nella scelta?",
            p.frequent_family(goal="none", tie="largest"),
            p.frequent_family(goal="none", tie="smallest"),
        ),
        Slip(
            "ordine della coppia ignorato",
            "La coppia (a, b) e la coppia (b, a) sono la stessa?",
            {"count": "unordered"},
        ),
        Slip(
            "lettere al posto dei pezzi",
            "Un pezzo può avere già più di una lettera: la tua funzione lo lascia intero?",
            {"of": "letters"},
        ),
        Slip(
            "la meno frequente",
            "Quante volte compare la coppia che restituisci? Ce n'è una che compare di più?",
            {"goal": "least"},
        ),
        Slip(
            "coppia già unita",
            "Il tuo risultato è un testo solo: la scheda chiede i due pezzi, separati, in una tupla. Chi "
            "li unirà?",
            {"form": "joined"},
        ),
        Slip(
            "conteggio nel risultato",
            "Oltre alla coppia, o al suo posto, restituisci quante volte compare: la scheda lo chiede?",
            p.frequent_family(form="with times"),
            p.frequent_family(form="times"),
        ),
    ),
)


def _merge_cases(rng):
    return [
        (list("bab"), ("a", "b")),
        (list("xaaa"), ("a", "a")),
        (list("aaaaa"), ("a", "a")),
        (list("abcabba"), ("a", "b")),
        (["ch", "i", "av", "e", "c", "h"], ("c", "h")),
        (["li", "b", "r", "i", "li", "b"], ("li", "b")),
        (["a"], ("a", "a")),
        (list("cba"), ("a", "b")),
        (["ba", "c", "ca", "c"], ("a", "c")),  # «ba» finisce per a, ma non è a
        ([], ("a", "b")),
    ]


MERGE_PAIR = Check(
    name="merge_pair",
    reference=p.merge_family(),
    family=p.merge_family,
    first_case={"symbols": list("aaab"), "pair": ("a", "a")},
    cases=_merge_cases,
    slips=(
        Slip(
            "sovrapposte unite due volte",
            "In tre lettere uguali di fila la lettera di mezzo è finita in due pezzi: quante volte si può "
            "usare?",
            {"scan": "overlap"},
        ),
        Slip(
            "da destra a sinistra",
            "Con tre lettere uguali di fila, quali due si incontrano per prime leggendo da sinistra?",
            {"scan": "right"},
        ),
        Slip(
            "solo la prima volta",
            "Se la coppia torna più avanti nella parola, che cosa le succede?",
            {"scan": "once"},
        ),
        Slip(
            "nessuna unione",
            "La tua parola è rimasta com'era: il confronto fra i due vicini e la coppia riesce mai? Di che "
            "tipo sono le due cose che confronti?",
            p.merge_family(scan="none"),
        ),
        Slip(
            "coppia rovesciata",
            "La coppia (a, b) e la coppia (b, a) sono la stessa?",
            {"scan": "either"},
            {"scan": "reversed"},
        ),
        Slip(
            "basta uno dei due pezzi",
            "Alla tua condizione basta che uno dei due pezzi sia al suo posto: quanti ne chiede la scheda?",
            {"scan": "one is enough"},
        ),
        Slip(
            "confine dei pezzi perduto",
            "Hai messo i pezzi in un testo solo e lì hai cercato la coppia: dove finisce un pezzo e dove "
            "comincia il seguente si vede ancora?",
            _as_one_text,
            lambda symbols, pair: " ".join(symbols).replace(" ".join(pair), "".join(pair)).split(),
        ),
        Slip(
            "secondo pezzo rimasto",
            "Dopo un'unione il secondo pezzo compare ancora: di quanti passi deve andare avanti l'indice?",
            {"scan": "every"},
            {"join": "second kept"},
        ),
        Slip(
            "secondo pezzo perduto",
            "Dove la coppia c'era, nella tua parola resta il primo pezzo soltanto: dov'è il secondo?",
            {"join": "only first"},
        ),
        Slip(
            "pezzi accostati e non uniti",
            "I due pezzi devono diventare un testo solo, senza nulla in mezzo: i tuoi che cosa sono?",
            {"join": "space"},
            {"join": "tuple"},
            {"join": "list"},
        ),
        Slip(
            "lettere al posto dei pezzi",
            "Un pezzo può avere già più di una lettera: la tua funzione lo lascia intero?",
            {"pieces": "letters"},
        ),
        Slip(
            "pezzi spezzati in lettere",
            "Nella tua lista ogni pezzo è di una lettera sola, anche dove la coppia c'era: con += una lista "
            "riceve il pezzo, o le sue lettere una per una?",
            p.merge_family(finish="spread"),
        ),
        Slip(
            "ultimo pezzo perduto",
            "Quando l'ultimo pezzo non fa parte della coppia, la tua funzione lo mette nella lista?",
            {"finish": "last lost"},
        ),
        Slip(
            "solo i pezzi uniti",
            "I pezzi che non fanno parte della coppia devono restare al loro posto: dove sono finiti?",
            p.merge_family(finish="merged only"),
        ),
        Slip(
            "una stringa al posto della lista",
            "In un testo solo non si vede più dove finisce un pezzo: che cosa chiede la scheda?",
            p.merge_family(finish="joined"),
        ),
    ),
)
