"""es01 · Dal testo ai token: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import re

from course_lib.checks.common_slips import EARLY_RETURN
from course_lib.checks.es01.functions import tokenise_family
from course_lib.checks.exercise import Check, Slip

# dopo una parola si attacca qualunque carattere, perché la condizione sull'apostrofo è sempre vera; chi
# chiude il testo con uno spazio lo trova attaccato all'ultima parola
ALWAYS_TRUE = (r"[^\W_]+[\W_]?|\S", r"[^\W_]+[\W_]?", r"[^\W_]*[\W_]|[^\W_]+")


def _always_true(pattern, closing):
    return lambda text: re.findall(pattern, text + closing)


def _after_one_letter(closing):
    """Chi scrive return nel ciclo sui caratteri: del testo guarda il primo."""

    def tokenise(text):
        first = (text + closing)[:1]
        return None if not first else [] if first.isalnum() or first.isspace() else [first]

    return tokenise



def _cases(rng):
    return [
        ("Perché no",),
        ("La  porta\nè là",),
        ("Nel 2017, 15 pagine...",),
        ("un po’ d'olio; dell’arte",),
        ("«Dov'è?» disse (piano)",),
        ("mio_testo",),
        ("l''amo, 'ciao'",),
        ("",),
    ]


TOKENISE = Check(
    name="tokenise",
    reference=tokenise_family(),
    family=tokenise_family,
    first_case={"text": "L'uomo ha la chiave, la sua."},
    cases=_cases,
    slips=(
        Slip(
            "maiuscole perdute",
            "Nel testo c'è una maiuscola e fra i tuoi token no: la scheda chiede di cambiarla?",
            {"case": "lower"},
        ),
        Slip(
            "punteggiatura attaccata",
            "Una virgola fa parte della parola che la precede, o è un token? I tuoi tagli cadono soltanto "
            "dove c'è uno spazio.",
            # gli altri passaggi sono nominati perché con questo errore non contano più
            {"signs": "glued", "apostrophe": "before", "letters": "all", "spaces": "dropped"},
        ),
        Slip(
            "punteggiatura perduta",
            "I segni di interpunzione sono spariti: la scheda dice di lasciar cadere soltanto che cosa?",
            {"signs": "dropped"},
        ),
        Slip(
            "segni vicini in un token solo",
            "Tre puntini di fila sono un token o tre? Rileggi che cosa dice la scheda di ogni segno.",
            {"signs": "runs"},
        ),
        Slip(
            "apostrofo staccato",
            "Il tuo apostrofo è un token a sé: con quale parola deve restare?",
            {"apostrophe": "apart"},
        ),
        Slip(
            "apostrofo che unisce due parole",
            "«L'uomo» è un token o due? Dopo l'apostrofo la parola continua o finisce?",
            {"apostrophe": "both"},
            {"apostrophe": "both, then apart"},
        ),
        Slip(
            "due apostrofi attaccati",
            "A una parola resta attaccato un apostrofo solo, che la chiude: che cosa fai del secondo?",
            {"apostrophe": "many"},
        ),
        Slip(
            "ogni segno si attacca alla parola",
            "Alle tue parole resta attaccato anche uno spazio o una virgola: la condizione che cerca "
            "l'apostrofo può mai essere falsa? In Python ogni lato di un or è una condizione intera.",
            *(_always_true(pattern, closing) for pattern in ALWAYS_TRUE for closing in ("", " ")),
        ),
        Slip(
            "trattino basso preso per una lettera",
            "Il trattino basso è una lettera, una cifra o un altro carattere? Nelle espressioni regolari \\w "
            "comprende anche lui.",
            {"letters": "underscore"},
        ),
        Slip(
            "apostrofo con la parola che segue",
            "L'apostrofo sta con la parola che precede o con quella che segue?",
            {"apostrophe": "after"},
        ),
        Slip(
            "un apostrofo solo dei due",
            "Gli apostrofi che la scheda nomina sono due, dritto e curvo: li tratti allo stesso modo?",
            {"apostrophe": "straight"},
        ),
        Slip(
            "lettere accentate prese per segni",
            "Che cosa succede alle tue parole quando incontrano una lettera accentata?",
            {"letters": "ascii"},
        ),
        Slip(
            "cifre staccate",
            "Che cosa fai di un numero di più cifre? Le cifre stanno con le lettere o con i segni?",
            {"letters": "no digits"},
        ),
        Slip(
            "spazi fra i token",
            "Fra i tuoi token ci sono degli spazi, o degli a capo: servono a separare, ma sono token?",
            {"spaces": "kept"},
            {"spaces": "lines"},
        ),
        Slip(
            "stringhe vuote fra i token",
            "Alcuni dei tuoi token non contengono nulla: da dove viene una stringa vuota?",
            lambda text: [token for piece in text.split(" ") for token in tokenise_family()(piece) or [""]],
        ),
        Slip(
            "ultima parola perduta",
            "Quando il testo finisce con una parola, la tua funzione la mette nella lista? Chi la mette, se "
            "dopo non viene più niente?",
            {"finish": "last word lost"},
        ),
        Slip(
            "ripetizioni perdute",
            "Una parola che torna due volte nel testo quante volte dev'essere nella lista?",
            {"finish": "distinct"},
        ),
        Slip(*EARLY_RETURN, _after_one_letter(""), _after_one_letter(" "), tokenise_family(finish="first")),
        Slip(
            "un token per carattere",
            "Hai separato tutti i caratteri: quali caratteri devono restare insieme?",
            list,
            lambda text: [letter for letter in text if not letter.isspace()],
        ),
        Slip(
            "una stringa al posto della lista",
            "Il tuo risultato è un testo solo: come fa chi lo riceve a sapere dove finisce un token?",
            {"finish": "joined"},
        ),
    ),
)
