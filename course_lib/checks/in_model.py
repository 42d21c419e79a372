"""`verifica_modello`: l'attenzione di chi studia dentro un modello, con i parametri che ha addestrato."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType

import numpy as np

from course_lib.checks.compare import Difference, compare
from course_lib.checks.errors import ErroreEsercizio, VerificaFallita, VerificaInterrotta
from course_lib.checks.handed import WrongFile
from course_lib.checks.observe import Failure, observe
from course_lib.checks.registry import exercise
from course_lib.checks.run import print_green
from course_lib.notation import number
from course_lib.transformer.attention import scaled_dot_product_attention

ENOUGH = 0.9  # misurato: 1 per ogni attenzione addestrata, circa 1/2 senza addestramento
CHANCE = 0.6  # con il soggetto nascosto si misura 1/2 esatto: oltre, qualcosa si vede lo stesso
FORBIDDEN = (0, 1)  # l'articolo e il soggetto
TITLE = "masked_attention nel modello"


@dataclass(frozen=True)
class Reason:
    """Perché una prova non è superata: il nome dell'errore, la frase con i numeri, la domanda."""

    name: str
    text: str
    question: str


class _Stopped(Exception):
    """Una chiamata non ha dato un risultato che il modello possa usare; porta la frase."""


class _Watched:
    """Sta fra il modello e la funzione: ne controlla i risultati e li confronta con la formula."""

    def __init__(self, function: Callable) -> None:
        self.function = function
        self.differs = False

    def __call__(self, Q, K, V, mask):
        """La chiamata del modello: Q, K, V (B, h, L, d_k), mask (L, L)."""
        from course_lib.checks.own_model import expect_finite

        expect_finite(Q, K, V)
        expected = scaled_dot_product_attention(Q, K, V, mask).output
        seen = observe(self.function, (Q, K, V, mask))
        if seen.failure is not None:
            raise _Stopped(_failed(seen.failure, Q.shape, mask.shape))
        value = seen.value
        if type(value) is tuple and len(value) == 2:  # anche DecoderOnly accetta (uscita, coefficienti)
            value = value[0]
        difference = compare(expected, value, low=True)
        if difference is not None and difference.kind != "valori":
            raise _Stopped(_unusable(difference, Q.shape, mask.shape))
        if not np.isfinite(value).all():
            raise _Stopped(_lines("il risultato contiene NaN o infinito.", *_called(Q.shape, mask.shape)))
        self.differs = self.differs or difference is not None
        return value.astype(Q.dtype)


def verifica_modello(esercizio: str, attenzione, nascosti: dict | None = None) -> None:
    """Prova un'attenzione dentro il modello: stampa una riga verde, o solleva VerificaFallita.

    esercizio: per esempio "es08"   attenzione: f(Q, K, V, mask) -> Z, con mask logica, True = può guardare
    nascosti: {titolo: seme}; se c'è, si prova sulle frasi che ne escono. I parametri sono quelli del file
    che l'esercizio fa consegnare (nel notebook, quello nella stessa cartella).
    """
    seeds = {"": None} if nascosti is None else _seeds(nascosti)
    if not callable(attenzione):
        raise VerificaFallita(_lines("non è una funzione.", "Il nome è stato riusato per altro?"))
    try:
        parameters = _file_of(esercizio).content()
        for title, seed in seeds.items():
            line = _try_out(attenzione, parameters, title, seed)
    except WrongFile as error:
        raise VerificaFallita(f"✗ {error}", ("file dei parametri",)) from None
    except KeyboardInterrupt:
        raise VerificaInterrotta(_lines("prova interrotta.")) from None
    print_green(line)


def _file_of(exercise_id: str):
    """Il file dei parametri che l'esercizio fa consegnare."""
    files = exercise(exercise_id).files
    if len(files) != 1:
        raise ErroreEsercizio(f"{exercise_id} non fa consegnare i parametri di un modello.")
    return files[0]


def _seeds(hidden: dict) -> dict:
    if type(hidden) is not dict or not hidden or any(type(seed) is not int for seed in hidden.values()):
        raise ErroreEsercizio("nascosti dev'essere un dizionario {titolo: seme}, con un seme intero.")
    return hidden


def _try_out(function: Callable, parameters: dict, title: str, seed: int | None) -> str:
    """La riga verde. Solleva VerificaFallita; di una prova nascosta dice solo il titolo e l'errore."""
    hidden = f", prova nascosta «{title}»" if seed is not None else ""
    try:
        right, without, differs = measure(function, parameters, seed)
    except _Stopped as stopped:
        if hidden:
            message = f"✗ {TITLE}{hidden}: una chiamata non dà un risultato che si possa usare."
            raise VerificaFallita(message, nascosto=True) from None
        raise VerificaFallita(str(stopped)) from None
    reason = _why_not(right, without, differs)
    if reason is None and isinstance(function, FunctionType):  # nel notebook; al giudice arriva altro
        reason = _why_no_gradient(function)
    if reason is not None and hidden:
        message = f"✗ {TITLE}{hidden}: sembra l'errore «{reason.name}».\n{reason.question}"
        raise VerificaFallita(message, (reason.name,), nascosto=True)
    if reason is not None:
        raise VerificaFallita(_lines(reason.text, reason.question), (reason.name,))
    return (
        f"✓ {TITLE}: genere giusto in {_share(right)} delle frasi{' nascoste' if hidden else ''} "
        f"con coppie mai viste; vietando soggetto e articolo, in {_share(without)}, cioè a caso."
    )


def measure(function: Callable, parameters: dict, seed: int | None = None) -> tuple[float, float, bool]:
    """Che cosa fa il modello con questi parametri e questa attenzione, su frasi di coppie mai addestrate.

    seed: come in own_model.unseen
    Restituisce: l'accuratezza sul genere; la stessa vietando di guardare soggetto e articolo; se i risultati
    di qualche chiamata non sono quelli della formula.
    """
    from course_lib.checks import own_model
    from course_lib.learning.agreement_model import forbid

    watched, sentences = _Watched(function), own_model.unseen(seed)
    model = own_model.untrained(watched)
    model.load(parameters)
    mask = forbid(len(sentences[0].prefix), FORBIDDEN)
    with np.errstate(all="ignore"):
        right = own_model.gender_accuracy(model, sentences)
        without = own_model.gender_accuracy(model, sentences, mask)
    return right, without, watched.differs


def _why_not(right: float, without: float, differs: bool) -> Reason | None:
    if right >= ENOUGH and without > CHANCE:
        return Reason(
            "maschera ignorata",
            f"la maschera vieta di guardare il soggetto e il suo articolo, eppure il genere resta giusto in "
            f"{_share(without)} delle frasi: dovrebbe scendere al caso, {_share(0.5)}.",
            "In quale riga della tua funzione entra mask, e che cosa fa dove vale False?",
        )
    if differs:
        return Reason(
            "numeri diversi dalla formula",
            f"la tua funzione non dà i numeri della formula (genere giusto in {_share(right)} delle frasi).",
            "Un'accuratezza alta non basta: si addestra anche un'attenzione sbagliata. Che cosa dice, della "
            'funzione da sola, verifica("es04", masked_attention)?',
        )
    if right < ENOUGH:
        return Reason(
            "parametri non addestrati",
            f"genere giusto in {_share(right)} delle frasi: ne serve almeno {_share(ENOUGH)}, e a caso se ne "
            f"indovina {_share(0.5)}.",
            "I parametri consegnati sono quelli scritti alla fine dell'addestramento, con questa funzione?",
        )
    return None


def _why_no_gradient(function: Callable) -> Reason | None:
    """Un passo all'indietro con i Tensor: il gradiente deve arrivare alle query, alle key e ai value."""
    from course_lib.learning.autograd import Tensor

    rng = np.random.default_rng(8)
    Q, K, V = (Tensor(rng.normal(size=(2, 2, 5, 4)), requires_grad=True) for _ in range(3))
    try:
        Z = function(Q, K, V, np.tri(5, dtype=bool))
        np.sum((Z[0] if isinstance(Z, tuple) else Z) * rng.normal(size=(2, 2, 5, 4))).backward()
        reached = all(each.grad is not None and np.abs(each.grad).max() > 0 for each in (Q, K, V))
    except Exception:
        reached = False
    if reached:
        return None
    return Reason(
        "non si può addestrare",
        "i numeri sono giusti, ma il gradiente non attraversa la tua funzione: con lei il modello non "
        "impara, e il file dei parametri viene da un'altra.",
        "Dove scrivi dentro un array, o lasci i Tensor con np.array o .data? Che cosa dice la cella "
        "dell'addestramento, se la esegui di nuovo?",
    )


def _failed(failure: Failure, shape: tuple, mask: tuple) -> str:
    if failure.name == "NotImplementedError":
        return _lines("è ancora da scrivere.")
    name = "un errore" if failure.name == "ErroreAllievo" else failure.name
    said = [failure.place, failure.text and f"Python dice: {failure.text}"]
    return _lines(f"si è fermata con {name}.", *(f"  {line}" for line in said if line), *_called(shape, mask))


def _unusable(difference: Difference, shape: tuple, mask: tuple) -> str:
    if difference.kind == "nulla":
        return _lines("restituisce None: è ancora da scrivere?")
    return _lines(f"{difference.text}.", *_called(shape, mask))


def _called(shape: tuple, mask: tuple) -> list[str]:
    return [f"Il modello la chiama con Q, K, V di forma {shape} e mask di forma {mask}: provala su queste."]


def _lines(first: str, *others: str) -> str:
    return "\n".join([f"✗ {TITLE}: {first}", *others])


def _share(value: float) -> str:
    return number(value, 3)
