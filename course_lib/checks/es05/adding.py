"""es05 · «regola» a ogni posto, e la somma in blocco: ingressi di prova, errori tipici, domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import ROUNDED_AT_THE_END, TRUNCATED_AT_THE_END, truncated
from course_lib.checks.compare import compare
from course_lib.checks.es05 import encoding as words
from course_lib.checks.es05 import functions as f
from course_lib.checks.exercise import Check, Property, Slip
from course_lib.checks.inputs import halves

NO_SCALE = (
    "scala dimenticata",
    "La codifica entra nella somma tutta intera o moltiplicata per qualcosa? Rileggi la scheda.",
)
BOTH_SCALED = (
    "scala anche sull'embedding",
    "Il fattore moltiplica soltanto una delle due parti: quale? Guarda le tue parentesi.",
)
OTHER_SCALED = (
    "scala dalla parte sbagliata",
    "Quale delle due parti della somma va moltiplicata per il fattore, l'embedding o la codifica?",
)
MINUS = ("codifica sottratta", "Con quale segno la codifica entra nella somma? E nella tua funzione?")
NO_EMBEDDING = (
    "embedding perduto",
    "Due parole diverse allo stesso posto devono avere vettori diversi: nel tuo risultato che cosa resta "
    "della parola?",
)

FINAL_VECTOR = Check(
    name="final_vector",
    reference=f.final_family(),
    family=f.final_family,
    first_case={"token_id": 4, "position": 2, "d": 4},  # «regola» al posto 2
    cases=lambda rng: [(4, 4, 4), (1, 0, 2), (3, 5, 3), (7, 1, 5), (0, 2, 1), (2, 9, 6)],
    slips=(
        Slip(
            "ID e posto scambiati",
            "L'ID entra nell'embedding, il posto nella codifica: nella tua funzione chi dei due va dove? I "
            "parametri sono nell'ordine della scheda?",
            {"which": "position", "place": "id"},
        ),
        Slip(
            "posto preso dall'ID",
            "Sposta la parola a un altro posto senza cambiarla: il tuo vettore cambia? L'ID e il posto sono "
            "la stessa cosa?",
            {"place": "id"},
        ),
        Slip(
            "ID preso dal posto",
            "Metti due parole diverse allo stesso posto: i tuoi vettori sono diversi? Da che cosa deve "
            "venire l'embedding?",
            {"which": "position"},
        ),
        Slip(*words.MINUS_SINES, {"waves": "minus sines"}, {"total": "first flipped"}),
        Slip(*words.FROM_ONE, {"place": "one more"}),
        Slip(
            "un posto di meno",
            "I posti si contano da 0: nella tua tabella la riga che prendi è quella del posto chiesto o di "
            "quello prima?",
            {"place": "one less"},
            f.final_from(lambda position, d: f.encoding_family()(position, d)[-1]),
            f.final_from(lambda position, d: f.encoding_family()(position + 1, d)[position - 1]),
        ),
        Slip(*NO_SCALE, {"total": "no scale"}),
        Slip(*BOTH_SCALED, {"total": "both scaled"}),
        Slip(*OTHER_SCALED, {"total": "other scaled"}),
        Slip(
            "scala dell'articolo",
            "Hai moltiplicato l'embedding per √d, come nell'articolo del 2017: che cosa fa invece il "
            "simulatore?",
            {"total": "paper"},
        ),
        Slip(*MINUS, {"total": "minus"}),
        Slip(
            "posizione dimenticata",
            "Sposta la parola a un altro posto: il tuo vettore cambia?",
            f.final_family(total="no position"),
        ),
        Slip(*NO_EMBEDDING, f.final_family(total="position only")),
        Slip(
            "j al posto di j + 1",
            "Nell'embedding, da quanto parte il numero che moltiplica l'ID? La tua prima componente dipende "
            "dall'ID?",
            {"counted": "from zero"},
        ),
        Slip(
            "j contato da 1",
            "Le dimensioni si contano da 0: nella tua prima componente per quanto è moltiplicato l'ID?",
            {"counted": "from two"},
        ),
        Slip(
            "0,5 e 0,3 scambiati",
            "Nell'embedding il seno e il coseno hanno ciascuno due numeri, uno dentro e uno fuori: quali?",
            {"parts": "swapped"},
            {"parts": "crossed"},
        ),
        Slip(
            *words.DEGREES,
            {"angle": "as degrees"},
            {"angle": "in degrees"},
            f.final_family(angle="as degrees", embed_angle="as degrees"),
        ),
        Slip(*words.HALVES, f.final_family(layout="halves")),
        Slip(*words.HALF_EXPONENT, f.final_family(power="i")),
        Slip(*words.SWAPPED, f.final_family(waves="swapped")),
        ROUNDED_AT_THE_END,
        truncated(f.final_family()),
    ),
)


def _same_for_every_sentence(seen) -> bool:
    X, value = seen.args[0], seen.value
    if type(value) is not np.ndarray or value.shape != X.shape or value.dtype.kind not in "iuf":
        return True
    added = (value - X).reshape(-1, *X.shape[-2:])
    return compare(np.broadcast_to(added[:1], added.shape).copy(), added, kinds="iuf", low=True) is None


SAME_FOR_EVERY_SENTENCE = Property(
    "posizioni diverse da una frase all'altra",
    "Il token che sta al posto 1 riceve la stessa codifica in ogni frase: è così nel tuo risultato?",
    _same_for_every_sentence,
)


def _cases(rng):
    return [
        (halves(rng, 2, 3, 4), 1.0),
        (halves(rng, 3, 4), 0.3),
        (halves(rng, 4, 2, 3), 2.0),
        (halves(rng, 1, 3, 2), 0.5),
        (halves(rng, 3, 3, 4), 0.25),
        (halves(rng, 2, 3, 2, 5), 0.5),
        (np.array([[[1, -2], [0, 3], [2, 2]], [[0, 0], [1, 1], [-1, 4]]]), 3.0),
    ]


ADD_POSITIONS = Check(
    name="add_positions",
    reference=f.add_family(),
    family=f.add_family,
    first_case={
        "X": np.array([[[1.0, 2.0], [3.0, 0.0], [1.0, 2.0]], [[0.0, 0.0], [0.0, 0.0], [0.0, 1.0]]]),
        "scale": 0.5,
    },
    cases=_cases,
    properties=(SAME_FOR_EVERY_SENTENCE,),
    slips=(
        Slip(
            "posizioni contate lungo le frasi",
            "I posti si contano dentro una frase: quale asse di X conta i token, e quale conta le frasi?",
            {"along": "first"},
            f.add_family(along="len"),
            stops=True,
        ),
        Slip(
            "il conto continua da una frase all'altra",
            "Il primo token della seconda frase sta di nuovo al posto 0: la tua funzione ricomincia a "
            "contare?",
            {"along": "going on"},
        ),
        Slip(
            "un posto solo per tutti",
            "Due token uguali a posti diversi devono uscire diversi: nel tuo risultato lo sono?",
            {"along": "place zero"},
            {"along": "place one"},
            {"along": "last place"},
        ),
        Slip(
            "il numero del posto al posto della codifica",
            "Che cosa hai sommato a ogni riga: il numero del posto, o i seni e coseni che lo codificano?",
            {"along": "plain number"},
        ),
        Slip(*NO_SCALE, {"total": "no scale"}),
        Slip(
            "scala fissa",
            "Il fattore arriva come argomento: che cosa succede al tuo risultato se ne arriva un altro?",
            {"total": "fixed scale"},
        ),
        Slip(*BOTH_SCALED, {"total": "both scaled"}),
        Slip(*OTHER_SCALED, {"total": "other scaled"}),
        Slip(*MINUS, {"total": "minus"}),
        Slip(
            "prodotto al posto della somma",
            "Una riga di zeri deve prendere la codifica del suo posto: la tua resta di zeri?",
            {"total": "product"},
            {"total": "product only"},
        ),
        Slip(*NO_EMBEDDING, {"total": "position only"}, {"total": "rows only"}),
        Slip(
            "somma scritta in X",
            "X può essere fatto di numeri interi, la somma no: la scrivi dentro X, o in un array nuovo?",
            f.add_into_x,
            stops=True,
        ),
        Slip(
            "assi contati dall'inizio",
            "Quanti assi ha X in questo ingresso? Il numero dei posti e quello delle dimensioni stanno alla "
            "fine della sua forma: li conti da lì?",
            f.axes_unpacked,
            f.axes_from_the_start,
            stops=True,
        ),
        Slip(
            "codifica accostata e non sommata",
            "Il risultato ha la stessa forma di X: quante componenti hanno i tuoi vettori, e perché?",
            {"total": "side by side"},
        ),
        Slip(*words.FROM_ONE, {"start": "one"}),
        Slip(*words.HALVES, f.add_family(layout="halves")),
        Slip(*words.HALF_EXPONENT, f.add_family(power="i")),
        Slip(*words.SWAPPED, f.add_family(waves="swapped")),
        Slip(*words.DEGREES, f.add_family(angle="as degrees"), f.add_family(angle="in degrees")),
        ROUNDED_AT_THE_END,
        TRUNCATED_AT_THE_END,
    ),
)
