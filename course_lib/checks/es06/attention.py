"""es06 · Multi-testa e attenzione incrociata: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import ROUNDED_AT_THE_END, TRUNCATED_AT_THE_END
from course_lib.checks.es06 import functions as f
from course_lib.checks.es06.head_slips import shared_slips
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.inputs import halves
from course_lib.checks.properties import unchanged_under

WRONG_AXIS = (
    "softmax lungo l'asse sbagliato",
    "Chi guarda è la riga: nei tuoi coefficienti che cosa ha somma 1?",
)
NO_SOFTMAX = (
    "softmax dimenticata",
    "Nei tuoi coefficienti ogni riga ha somma 1? Quale passaggio manca fra i punteggi e la media dei value?",
)


def _matrices(rng, d_model, d_context, h, d_k, d_v, d_out):
    shapes = (d_model, h * d_k), (d_context, h * d_k), (d_context, h * d_v), (h * d_v, d_out)
    return tuple(halves(rng, *shape, largest=1) for shape in shapes)


def _masked(rng, B, L, *, d, h, d_k, d_v, d_out, empty=False):
    mask = np.tri(L, dtype=bool) & (np.arange(L) <= np.arange(L, L - B, -1)[:, None, None])
    mask = mask | (rng.integers(0, 3, size=(B, L, L)) == 0)
    if empty:
        mask[-1, 0] = False
    return (halves(rng, B, L, d, largest=1), *_matrices(rng, d, d, h, d_k, d_v, d_out), h, mask)


def _multi_cases(rng):
    return [
        _masked(rng, 2, 3, d=4, h=2, d_k=2, d_v=2, d_out=4),
        _masked(rng, 3, 2, d=5, h=2, d_k=3, d_v=1, d_out=3, empty=True),
        _masked(rng, 2, 3, d=6, h=3, d_k=2, d_v=4, d_out=2),
        _masked(rng, 1, 3, d=4, h=2, d_k=3, d_v=2, d_out=5),
        _masked(rng, 3, 3, d=6, h=3, d_k=2, d_v=2, d_out=6),
        _masked(rng, 2, 2, d=3, h=1, d_k=3, d_v=3, d_out=3),
        _masked(rng, 2, 2, d=4, h=2, d_k=2, d_v=2, d_out=4),
        _whole(*_masked(rng, 2, 2, d=3, h=2, d_k=1, d_v=2, d_out=2)),
    ]


def _whole(*args):
    """Gli stessi ingressi con i numeri interi al posto dei mezzi."""
    return tuple(
        np.ceil(a).astype(int) if type(a) is np.ndarray and a.dtype.kind == "f" else a for a in args
    )


def _turn_heads(W, h):
    """Le colonne di una matrice con le teste in ordine inverso."""
    return f.MERGES["reversed"](f.SPLITS["right"](W, h))


def _other_order(X, W_Q, W_K, W_V, W_O, n_heads, mask):
    turned = (_turn_heads(W, n_heads) for W in (W_Q, W_K, W_V))
    return X, *turned, _turn_heads(W_O.T, n_heads).T, n_heads, mask


HEADS_CAN_BE_EXCHANGED = unchanged_under(
    "conta l'ordine delle teste",
    "Scambia due teste: le loro colonne in W_Q, W_K e W_V, e le loro righe in W_O. Il risultato dovrebbe "
    "restare lo stesso: il tuo cambia?",
    _other_order,
    lambda output, *args: output,
)

ln3, ln2 = np.log(3.0), np.log(2.0)

MULTI_HEAD = Check(
    name="multi_head",
    reference=f.multi_family(),
    family=f.multi_family,
    first_case={
        "X": np.eye(2)[None],
        "W_Q": np.ones((2, 2)),
        "W_K": np.diag([ln3, ln3]),
        "W_V": np.diag([4.0, 8.0]),
        "W_O": np.array([[1.0, 0.0], [1.0, 2.0]]),
        "n_heads": 2,
        "mask": np.tri(2, dtype=bool)[None],
    },
    cases=_multi_cases,
    properties=(HEADS_CAN_BE_EXCHANGED,),
    slips=(
        *shared_slips(f.multi_family),
        Slip(
            "maschere in un altro ordine",
            "Ogni frase ha la sua maschera, la stessa per tutte le sue teste: nel tuo conto la testa 1 della "
            "prima frase quale usa?",
            {"masking": "tiled"},
            {"masking": "heads first"},
        ),
        Slip(
            "maschera presa per testa",
            "La maschera ha un asse per le frasi e nessuno per le teste: con quale asse dei punteggi "
            "combacia, così com'è?",
            {"masking": "by head"},
        ),
        Slip(
            "la maschera di una frase per tutte",
            "Cambia la maschera della seconda frase: il tuo risultato cambia?",
            {"masking": "first sentence"},
        ),
        Slip(
            "maschera dimenticata",
            "Se cambi la maschera e lasci il resto com'è, il tuo risultato cambia?",
            {"masking": "ignored"},
        ),
        Slip(
            "maschera dopo la softmax",
            "Quando hai diviso per la somma, le celle vietate c'erano ancora? Quanto fa la somma di una "
            "riga?",
            {"masking": "late"},
        ),
        Slip(
            "punteggi moltiplicati per la maschera",
            "Che punteggio ha, nel tuo conto, una cella vietata? E dopo l'esponenziale, quanto vale?",
            {"masking": "multiplied"},
        ),
        Slip(
            "maschera letta al contrario",
            "Nella scheda che cosa vuol dire True, «può guardare» o «è vietato»?",
            {"masking": "inverted"},
        ),
        Slip(
            "maschera costruita dentro",
            "Il tuo risultato segue sempre il triangolo, qualunque maschera riceva: quale argomento non stai "
            "usando?",
            {"masking": "own causal"},
        ),
        Slip(
            "maschera trasposta",
            "Le righe della maschera sono chi guarda: nel tuo conto lo sono ancora?",
            {"masking": "turned"},
        ),
        Slip(
            "maschera sommata ai punteggi",
            "True vale 1 e False vale 0: dopo averli sommati, il punteggio di una cella vietata è "
            "meno infinito?",
            {"masking": "added"},
        ),
        Slip(
            "argomenti della softmax scambiati",
            "Che cosa riceve la softmax della preparazione, e in quale ordine?",
            {"masking": "swapped"},
        ),
        Slip(*WRONG_AXIS, {"masking": "queries"}, {"masking": "heads"}),
        Slip(*NO_SOFTMAX, {"masking": "no softmax"}, {"masking": "no softmax, no mask"}),
        Slip(
            "riga vuota non nulla",
            "Cerca la riga che non può guardare nulla: la softmax della preparazione dà tutti zeri. La tua?",
            {"masking": "large number"},
        ),
        Slip(
            "sommato anche X",
            "La scheda chiede l'uscita dell'attenzione e basta: che cosa le aggiungi?",
            f.with_residual(f.multi_family()),
        ),
        ROUNDED_AT_THE_END,
        TRUNCATED_AT_THE_END,
    ),
)


def _crossed(rng, *lead, L, S, d, c, h, d_k, d_v, d_out):
    X, C = halves(rng, *lead, L, d, largest=1), halves(rng, *lead, S, c, largest=1)
    return (X, C, *_matrices(rng, d, c, h, d_k, d_v, d_out), h)


def _cross_cases(rng):
    return [
        _crossed(rng, L=2, S=3, d=4, c=3, h=2, d_k=2, d_v=1, d_out=5),
        _crossed(rng, L=3, S=3, d=4, c=4, h=2, d_k=2, d_v=2, d_out=4),
        _crossed(rng, 2, L=3, S=4, d=6, c=5, h=3, d_k=2, d_v=3, d_out=2),
        _crossed(rng, 2, L=2, S=3, d=4, c=4, h=2, d_k=2, d_v=2, d_out=4),
        _crossed(rng, 2, 2, L=3, S=2, d=3, c=3, h=2, d_k=3, d_v=2, d_out=3),
        _crossed(rng, L=4, S=2, d=3, c=2, h=1, d_k=3, d_v=2, d_out=2),
        _crossed(rng, L=2, S=2, d=2, c=2, h=2, d_k=2, d_v=1, d_out=2),
        _whole(*_crossed(rng, L=2, S=3, d=3, c=2, h=2, d_k=1, d_v=2, d_out=2)),
    ]


ORDER_OF_THE_CONTEXT = unchanged_under(
    "conta l'ordine di chi è guardato",
    "Mescola le righe di C: l'attenzione incrociata, senza posizioni, non dovrebbe accorgersene. Il tuo "
    "risultato cambia?",
    lambda X, C, *rest: (X, C[..., ::-1, :].copy(), *rest),
    lambda output, *args: output,
)

CROSS_ATTENTION = Check(
    name="cross_attention",
    reference=f.cross_family(),
    family=f.cross_family,
    first_case={
        "X": np.array([[1.0, 0.0]]),
        "C": np.eye(3),
        "W_Q": np.array([[1.0, 1.0], [0.0, 0.0]]),
        "W_K": np.array([[ln2, 0.0], [0.0, 0.0], [0.0, ln2]]),
        "W_V": np.array([[4.0, 0.0], [8.0, 4.0], [0.0, 8.0]]),
        "W_O": np.array([[0.0, 1.0], [1.0, 1.0]]),
        "n_heads": 2,
    },
    cases=_cross_cases,
    properties=(ORDER_OF_THE_CONTEXT,),
    slips=(
        Slip(
            "sequenze scambiate",
            "Chi guarda sta in X, chi è guardato in C: le tue query da quale delle due vengono? Se C fosse "
            "più lungo, quante righe avrebbe il tuo risultato?",
            {"who": "swapped"},
        ),
        Slip(
            "contesto ignorato",
            "Se cambi C e lasci il resto com'è, il tuo risultato cambia?",
            {"who": "X only"},
        ),
        Slip(
            "query prese dal contesto",
            "Il tuo risultato non dipende da X: chi fa le domande?",
            {"who": "C only"},
        ),
        Slip(
            "value presi da chi guarda",
            "Key e value stanno insieme: quale sequenza si fa guardare, e quale consegna il contenuto?",
            {"who": "values from X"},
        ),
        Slip(
            "key prese da chi guarda",
            "Le query si confrontano con le key di chi è guardato: le tue da quale sequenza vengono?",
            {"who": "keys from X"},
        ),
        *shared_slips(f.cross_family),
        Slip(*WRONG_AXIS, {"axis": "queries"}, {"axis": "heads"}),
        Slip(*NO_SOFTMAX, {"axis": "none"}),
        Slip(
            "scala dal contesto",
            "La scala conta le componenti di una query: tu che cosa hai contato, di C?",
            {"scale": "d_context"},
            {"scale": "S"},
        ),
        Slip(
            "scala dopo la softmax",
            "Hai diviso per la radice, ma che cosa: i punteggi o i coefficienti? Quanto fa adesso la somma "
            "di una riga di coefficienti?",
            f.scaled_after,
        ),
        ROUNDED_AT_THE_END,
        TRUNCATED_AT_THE_END,
    ),
)
