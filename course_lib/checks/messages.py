"""Che cosa legge chi studia: ogni messaggio comincia con una riga che basta a sé."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from course_lib.checks.advice import advice
from course_lib.checks.compare import Difference
from course_lib.checks.diagnose import Diagnosis
from course_lib.checks.exercise import Check, Property, Slip
from course_lib.checks.observe import Failure, Observation
from course_lib.checks.text import dtype_in_words, labelled, show, show_pair
from course_lib.checks.values import PLAIN_TYPES, Opaque

HIDDEN_ADVICE = (
    "La funzione deve valere per tutti gli ingressi che la scheda descrive, non solo per quelli visti qui."
)
BROKEN_CELL = (
    "Attenzione: l'ultima cella che hai eseguito non è Python corretto: "
    "questa prova riguarda la versione che c'era prima."
)
CONVERT = {
    list: "Il risultato dev'essere un array: trasforma la lista con np.array.",
    tuple: "Se dopo return c'è una virgola, Python costruisce una tupla.",
    type(None): "Con questi ingressi la funzione arriva in fondo senza incontrare return.",
    Opaque: "Ci vuole un array semplice, non una classe derivata: trasformalo con np.asarray.",
    str: "Qui serve il risultato del conto, non il testo che lo descrive.",
}
SEPARATE = "Dopo return scrivi i risultati uno per uno, nell'ordine della scheda, separati da una virgola."

CONVERT_TO = {
    list: "Qui serve una lista di Python, quella che si scrive fra parentesi quadre.",
    tuple: "Qui serve una tupla, quella che si scrive con le virgole fra parentesi tonde.",
    dict: "Qui serve un dizionario, quello che si scrive fra parentesi graffe, con i due punti.",
}


def passed(check: Check, n: int, hidden: bool) -> str:
    """La riga verde."""
    if n == 1:
        return f"✓ {check.name}: prova {'nascosta ' if hidden else ''}superata."
    return f"✓ {check.name}: {n} prove {'nascoste ' if hidden else ''}superate."


def missing(check: Check) -> str:
    """La funzione non c'è."""
    return (
        f"✗ {check.name}: questa funzione non c'è.\n"
        f"Scrivi {check.signature} nella sua cella, con questo nome, ed esegui la cella prima della prova."
    )


def not_callable(check: Check, what: str) -> str:
    """Quel nome indica qualcosa che non è una funzione."""
    return (
        f"✗ {check.name}: non è una funzione, è {what}.\n"
        f"Il nome {check.name} è stato riusato per altro? Riesegui la cella con def {check.name}."
    )


def wrong_arguments(check: Check, arguments: str, order: bool = False) -> str:
    """La funzione non accetta gli argomenti della scheda, oppure li vuole in un altro ordine."""
    fault = "gli argomenti non sono nell'ordine" if order else "non accetta gli argomenti"
    return (
        f"✗ {check.name}: {fault} della scheda.\n"
        f"La scheda chiede {check.signature}, la tua è {check.name}({arguments})."
    )


def needs_another(check: Check, other: str) -> str:
    """La funzione ne chiama un'altra della scheda che è ancora sbagliata."""
    return (
        f"✗ {check.name}: chiama {other}, che non supera ancora le sue prove.\n"
        f"Comincia da {other}: finché non va, qui non si capisce di chi è l'errore."
    )


def interrupted(check: Check) -> str:
    """Chi studia ha fermato la prova."""
    return (
        f"✗ {check.name}: l'hai fermata prima che finisse.\n"
        "Se non finiva mai c'è un ciclo senza fine: che cosa dovrebbe farlo smettere?"
    )


def unwritten(check: Check, seen: Observation) -> str:
    """La funzione è ancora quella da completare, oppure ha dimenticato return."""
    if seen.failure is not None and seen.failure.inside:
        return (
            f"✗ {check.name}: chiama {seen.failure.inside}, che non hai ancora scritto.\n"
            f"Comincia da {seen.failure.inside}: le sue prove vengono prima di queste."
        )
    if seen.failure is not None:
        return (
            f"✗ {check.name}: non hai ancora scritto questa funzione.\n"
            f"Nella sua cella, o in quella di una funzione che chiama, c'è ancora la riga che solleva "
            f"{seen.failure.name}: scrivi lì la tua soluzione."
        )
    return (
        f"✗ {check.name}: non hai ancora scritto che cosa restituisce (il risultato è None).\n"
        "Se la funzione è scritta, controlla che finisca con return e il valore calcolato: print lo mostra "
        "e basta."
    )


def stopped(check: Check, seen: Observation) -> str:
    """La funzione ha sollevato un errore."""
    failure: Failure = seen.failure
    known = failure.name if failure.name != "ErroreAllievo" else "un errore"
    lines = [f"✗ {check.name}: si è fermata con {known}."]
    if failure.place:
        lines.append(f"  {failure.place}")
    if failure.text:
        lines.append(f"  Python dice: {failure.text}")
    return "\n".join([*lines, *advice(check, failure), *_inputs(check, seen)])


def different(check: Check, seen: Observation, difference: Difference, hint: Property | None) -> str:
    """Il risultato non è quello atteso e nessun errore tipico lo spiega."""
    subject = f"{check.name}, {difference.label}" if difference.label else check.name
    lines = [f"✗ {subject}: {difference.text}.", *_inputs(check, seen)]
    lines += _results(check, seen, difference, types=False)
    if difference.kind in ("nulla", "tipo", "lunghezza"):
        lines += _how_to_convert(check, difference)
    if hint is not None:
        lines.append(hint.question)
    return "\n".join(lines)


def slipped(check: Check, seen: Observation, difference: Difference, diagnosis: Diagnosis) -> str:
    """Uno o due errori tipici spiegano i numeri."""
    questions = [slip.question for slip in diagnosis.slips]
    results = _results(check, seen, difference, types=difference.kind == "dtype")
    return "\n".join([_recognised(check, diagnosis), *_inputs(check, seen), *results, *questions])


def slip_that_stops(check: Check, seen: Observation, diagnosis: Diagnosis) -> str:
    """Un errore tipico che ferma la funzione: al posto del risultato c'è l'errore di Python."""
    where = f", {seen.failure.place}" if seen.failure.place else ""
    results = [
        labelled("atteso:  ", show(seen.expected)),
        labelled("ottenuto:", f"si è fermata con {seen.failure.name}{where}"),
    ]
    questions = [slip.question for slip in diagnosis.slips]
    return "\n".join([_recognised(check, diagnosis), *_inputs(check, seen), *results, *questions])


def _recognised(check: Check, diagnosis: Diagnosis) -> str:
    names = " e ".join(f"«{slip.name}»" for slip in diagnosis.slips)
    if len(diagnosis.slips) == 2:
        return f"✗ {check.name}: sembrano due errori insieme, {names}."
    if diagnosis.complete:
        return f"✗ {check.name}: sembra l'errore {names}."
    return f"✗ {check.name}: sembra l'errore {names}, e non è il solo."


def _how_to_convert(check: Check, difference: Difference) -> list[str]:
    """Come si cambia il tipo del risultato; nulla se il tipo è già quello, o se non si sa che cos'è."""
    expected, got = difference.expected, difference.got
    if type(expected) is tuple and check.results and type(got) is not tuple:
        return [SEPARATE]
    if type(expected) in (list, tuple, dict, str) and got is not None:
        text = CONVERT_TO.get(type(expected))
        return [text] if text and type(got) is not type(expected) and not check.results else []
    if type(got) not in CONVERT or (type(got) is Opaque and not got.array_like):
        return []
    return [CONVERT[type(got)]] if type(got) is tuple or not check.results else []


def broken(check: Check, seen: Observation, rule: Property) -> str:
    """I valori sono giusti, ma una proprietà non vale."""
    first = f"✗ {check.name}: i valori sono giusti, ma c'è l'errore «{rule.name}»."
    changed = [check.parameters[i] for i in seen.changed]
    after = [f"Dopo la chiamata è cambiato: {', '.join(changed)}."] if changed else []
    return "\n".join([first, *_inputs(check, seen), *after, rule.question])


def hidden(check: Check, titles: Sequence[str], reasons: Sequence[Slip | Property]) -> str:
    """Una prova nascosta non superata: il primo titolo e gli errori riconosciuti, nient'altro.

    Un titolo solo: quali prove falliscono lo decide chi scrive la funzione, e con molti titoli potrebbe far
    uscire un ingresso nascosto un po' alla volta.
    """
    which = f"prova nascosta «{titles[0]}»"
    if not reasons:
        return f"✗ {check.name}, {which}: non superata.\n{HIDDEN_ADVICE}"
    slips = " e ".join(f"«{reason.name}»" for reason in reasons)
    first = f"✗ {check.name}, {which}: sembra l'errore {slips}."
    return "\n".join([first, *(reason.question for reason in reasons)])


def _inputs(check: Check, seen: Observation) -> list[str]:
    lines = ["Con questi ingressi:"]
    for name, value in zip(check.parameters, seen.args, strict=True):
        text = show(value)
        shaped = type(value) is np.ndarray and not text.startswith("un array")
        lines.append(labelled(f"{name}, forma {value.shape}:" if shaped else f"{name}:", text))
    return lines


def _results(check: Check, seen: Observation, difference: Difference, types: bool = True) -> list[str]:
    """Atteso e ottenuto; se la funzione restituisce più risultati, di ciascuno, con il suo nome."""
    expected, got = seen.expected, seen.value
    if not check.results:
        return _pair(difference.expected, difference.got, types=types)
    if type(got) is not tuple or len(got) != len(expected):
        named = zip(check.results, expected, strict=True)
        wanted = [labelled(f"{name}, atteso:  ", show(value)) for name, value in named]
        return [*wanted, labelled("ottenuto:", show(got))]
    parts = zip(check.results, expected, got, strict=True)
    return [line for label, right, value in parts for line in _pair(right, value, label, types)]


def _pair(expected, got, label: str = "", types: bool = True) -> list[str]:
    """Prima le forme o i tipi, se sono quelli a differire, poi i valori."""
    lines, of = [], f"{label}, " if label else ""
    if type(expected) is np.ndarray and type(got) is np.ndarray:
        if expected.shape != got.shape:
            lines.append(f"  {of}forma attesa {_shape(expected)}, forma ottenuta {_shape(got)}")
        elif expected.dtype.kind != got.dtype.kind and types:
            lines.append(f"  {of}tipo atteso {dtype_in_words(expected)}, tipo ottenuto {dtype_in_words(got)}")
    right, value = show_pair(expected, got)
    if type(got) in PLAIN_TYPES and got is not None:
        value = show(got)
    return [*lines, labelled(f"{of}atteso:  ", right), labelled(f"{of}ottenuto:", value)]


def _shape(array: np.ndarray) -> str:
    return "() (un numero solo)" if array.shape == () else str(array.shape)
