"""es05 · Le frequenze e la codifica: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

from course_lib.checks.common_slips import ROUNDED_AT_THE_END, truncated
from course_lib.checks.es05 import functions as f
from course_lib.checks.exercise import Check, Slip

HALF_EXPONENT = (
    "i al posto di 2i",
    "L'esponente della coppia che segue la prima è 2/d: nella tua formula quanto vale?",
)
PAIRS_FROM_ONE = (
    "coppie contate da 1",
    "La prima coppia deve girare di un radiante a ogni posto: da quale indice parti?",
)
OTHER_BASE = (
    "un'altra base",
    "Quanti zeri ha la base della formula? E nella tua funzione? In Python il punto separa i decimali.",
)
WHOLE = (
    "divisione intera nell'esponente",
    "Nella coppia che segue la prima l'esponente è 2/d: quanto fa con / e quanto con //?",
)
PRODUCT = (
    "prodotto al posto della potenza",
    "Nella coppia 0 l'esponente è 0, e un numero elevato a 0 fa 1: nella tua formula il 10000 è elevato o "
    "moltiplicato?",
)
BRACKETS = (
    "parentesi dell'esponente",
    "In Python la potenza si calcola prima di prodotti e divisioni: nella tua formula l'esponente dove "
    "finisce?",
)
DEGREES = (
    "gradi al posto dei radianti",
    "Gli angoli della formula sono già nella misura che seno e coseno di NumPy si aspettano: li hai "
    "convertiti?",
)
HALVES = (
    "seni e coseni in due metà",
    "Nella scheda seno e coseno della stessa coppia stanno vicini: nelle tue righe dov'è il coseno della "
    "prima coppia?",
)
SWAPPED = (
    "seno e coseno scambiati",
    "Al posto 0 ogni angolo è 0: quanto vale il seno di 0? La tua codifica del posto 0 con che numero "
    "comincia?",
)
FROM_ONE = (
    "posti contati da 1",
    "Il primo posto è lo 0, dove ogni angolo è 0: la tua codifica del primo posto con che numeri comincia?",
)
MINUS_SINES = (
    "segno del seno",
    "I seni di 1 e di 2 radianti sono positivi o negativi? Provali con NumPy e confronta con i segni del "
    "tuo risultato.",
)

FREQUENCIES = Check(
    name="frequencies",
    reference=f.frequency_family(),
    family=f.frequency_family,
    kinds="iuf",
    first_case={"d": 4},
    cases=lambda rng: [(6,), (5,), (2,), (3,), (8,)],
    slips=(
        Slip(*HALF_EXPONENT, {"exponent": "i"}),
        Slip(*PAIRS_FROM_ONE, {"exponent": "from one"}),
        Slip(
            "esponente non diviso per d",
            "Con d più grande le frequenze devono farsi più fitte: nella tua formula dove entra d?",
            {"exponent": "no d"},
        ),
        Slip(
            "una frequenza per dimensione",
            "Due dimensioni vicine hanno lo stesso angolo: quante coppie ci sono? E quante frequenze hai tu?",
            {"count": "dimensions"},
            {"count": "repeated"},
        ),
        Slip(
            "d dispari non previsto",
            "Con 5 dimensioni l'ultima resta sola, ma il suo seno ha un angolo: quante frequenze servono?",
            {"count": "whole pairs"},
            {"count": "rounded"},
        ),
        Slip(
            "una coppia di troppo",
            "Quando d è pari le dimensioni si dividono tutte in coppie: quante coppie sono? E le tue?",
            {"count": "one more"},
        ),
        Slip(
            "frequenze che crescono",
            "Le coppie lontane girano più piano o più in fretta della prima? I tuoi numeri come vanno?",
            {"sign": "grows"},
        ),
        Slip(*OTHER_BASE, {"base": "10"}, {"base": "1000"}, {"base": "100000"}),
        Slip(*PRODUCT, f.multiplied_below, f.multiplied_after),
        Slip(*BRACKETS, *f.WITHOUT_BRACKETS),
        Slip(*WHOLE, {"exponent": "whole"}),
        ROUNDED_AT_THE_END,
        truncated(f.frequency_family()),
    ),
)

POSITIONAL_ENCODING = Check(
    name="positional_encoding",
    reference=f.encoding_family(),
    family=f.encoding_family,
    first_case={"n": 2, "d": 4},
    cases=lambda rng: [(3, 6), (3, 5), (4, 2), (1, 3), (2, 1), (12, 8), (5, 7)],
    slips=(
        Slip(*HALVES, {"layout": "halves"}),
        Slip(*HALF_EXPONENT, {"power": "i"}),
        Slip(
            "indice della dimensione al posto di quello della coppia",
            "Il seno e il coseno di una coppia hanno lo stesso angolo: nei tuoi numeri la somma dei loro "
            "quadrati fa 1?",
            {"power": "dimension"},
            {"power": "twice dimension"},
        ),
        Slip(*PAIRS_FROM_ONE, {"power": "from one"}),
        Slip(*FROM_ONE, {"start": "one"}),
        Slip(*DEGREES, {"angle": "as degrees"}, {"angle": "in degrees"}),
        Slip(
            "d dispari non previsto",
            "Con 5 dimensioni l'ultima, la 4, è pari: che cosa deve portare, e nella tua tabella che cosa "
            "porta? Quante colonne restano per i coseni?",
            f.needs_even_d,
            {"odd": "short"},
            {"odd": "long"},
            {"odd": "zero"},
            stops=True,
        ),
        Slip(*SWAPPED, {"waves": "swapped"}),
        Slip(
            "coseni mancanti",
            "Guarda le colonne dispari della tua prima riga: quanto vale il coseno di 0?",
            {"waves": "sines"},
            {"waves": "no cosines"},
        ),
        Slip(*MINUS_SINES, {"waves": "minus sines"}),
        Slip(*OTHER_BASE, {"base": "10"}, {"base": "1000"}, {"base": "100000"}),
        Slip(*PRODUCT, *map(f.encoding_with, (f.multiplied_below, f.multiplied_after))),
        Slip(*BRACKETS, *map(f.encoding_with, f.WITHOUT_BRACKETS)),
        Slip(*WHOLE, {"power": "whole"}),
        Slip(
            "righe tutte uguali",
            "Posti diversi hanno codifiche diverse, e le tue righe sono tutte uguali: quante liste diverse "
            "hai creato?",
            {"rows": "last repeated"},
        ),
        Slip(
            "ultima colonna di zeri",
            "L'ultima colonna della tua tabella è di zeri: fin dove arriva il tuo ciclo sulle dimensioni?",
            {"odd": "last zero"},
        ),
        Slip(
            "righe e colonne scambiate",
            "Una riga per ogni posto, una colonna per ogni dimensione: nel tuo risultato che cosa sono le "
            "righe?",
            lambda n, d: f.encoding_family()(n, d).T,
        ),
        Slip(
            "un posto solo",
            "Quanti posti chiede n? Il tuo risultato quanti ne codifica?",
            lambda n, d: f.encoding_family()(n, d)[-1],
            lambda n, d: f.encoding_family()(n + 1, d)[-1],
        ),
        Slip(
            "un posto di troppo",
            "L'ultimo dei primi n posti è il numero n − 1, perché si conta da 0: quante righe hai fatto?",
            lambda n, d: f.encoding_family()(n + 1, d),
            lambda n, d: f.encoding_family("one")(n, d)[:-1],
        ),
        ROUNDED_AT_THE_END,
        truncated(f.encoding_family()),
        Slip(
            "righe lasciate a zero",
            "Fino a quale riga arriva il tuo ciclo sui posti? E il return sta dentro il ciclo, o dopo?",
            {"rows": "first"},
            {"rows": "last zero"},
        ),
    ),
)
