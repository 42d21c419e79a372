"""`verifica`: prova una funzione e dice, in italiano, com'è andata."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import takewhile
from types import CodeType

from course_lib.checks import messages
from course_lib.checks.diagnose import difference_from_expected, recognise
from course_lib.checks.errors import ErroreEsercizio, VerificaFallita, VerificaInterrotta
from course_lib.checks.exercise import Check, Exercise, Property
from course_lib.checks.last_cell import last_cell_is_broken
from course_lib.checks.observe import Observation, accepts, arguments_of, in_another_order, observe
from course_lib.checks.properties import input_untouched
from course_lib.checks.registry import exercise
from course_lib.checks.text import kind_in_words, show_pair
from course_lib.checks.values import freeze

GREEN, PLAIN = "\x1b[32m", "\x1b[0m"
MISSING = object()


def verifica(esercizio: str, funzione, nascosti: dict | None = None, nome: str | None = None) -> None:
    """Prova una funzione: stampa una riga verde, oppure solleva VerificaFallita con la spiegazione.

    esercizio: per esempio "es02"   funzione: la funzione (o il suo nome, come testo)
    nascosti: {titolo: tupla di argomenti, o lista di tuple}; se c'è, si provano solo questi ingressi
    nome: il nome della funzione nella scheda, se non si ricava da sé
    Solleva VerificaFallita (un AssertionError) alla prima prova non superata; VerificaInterrotta (un
    KeyboardInterrupt) se la si ferma; ErroreEsercizio se gli ingressi nascosti sono scritti male.
    """
    caller = sys._getframe(1)
    chosen = exercise(esercizio)
    check, function = _which(chosen, funzione, nome, {**caller.f_globals, **caller.f_locals})
    if function is MISSING:
        raise VerificaFallita(messages.missing(check))
    if not callable(function):
        raise VerificaFallita(messages.not_callable(check, kind_in_words(freeze(function))))
    try:
        failure, n = _try_out(chosen, check, function, nascosti)
    except KeyboardInterrupt:
        raise VerificaInterrotta(messages.interrupted(check)) from None
    if nascosti is None and last_cell_is_broken():
        print(messages.BROKEN_CELL)
    if failure is not None:
        raise failure
    print_green(messages.passed(check, n, nascosti is not None))


def _try_out(chosen: Exercise, check: Check, function: Callable, hidden: dict | None):
    """La spiegazione della prima prova non superata, o None, e quante sono le prove."""
    if hidden is None:
        return _visible(chosen, check, function), len(check.inputs())
    return _hidden(check, function, _hidden_cases(check, hidden)), len(hidden)


def _which(chosen: Exercise, function, name: str | None, names: dict) -> tuple[Check, object]:
    """I controlli da usare e la funzione da provare, o MISSING se si è dato solo un nome che non esiste."""
    written = type(function) is str and chosen.check(function) is not None
    name = name or (function if written else _name_of(chosen, function, names))
    check = chosen.check(name) if name else None
    if check is None:
        known = ", ".join(c.name for c in chosen.checks)
        raise ErroreEsercizio(f"Non so quale funzione provare: quelle di {chosen.id} sono {known}.")
    return check, names.get(name, MISSING) if written else function


def _name_of(chosen: Exercise, function, names: dict) -> str | None:
    """Il nome della funzione, se è uno di quelli della scheda, o quello a cui è legata nel notebook."""
    try:
        own = function.__name__
    except Exception:
        own = None
    if type(own) is str and chosen.check(own) is not None:
        return own
    return next((c.name for c in chosen.checks if c.name in names and names[c.name] is function), None)


def _visible(chosen: Exercise, check: Check, function: Callable) -> VerificaFallita | None:
    """La spiegazione della prima prova visibile non superata, o None se sono tutte superate."""
    if not accepts(function, len(check.parameters)):
        return VerificaFallita(messages.wrong_arguments(check, arguments_of(function)))
    if in_another_order(function, check.parameters):
        return VerificaFallita(messages.wrong_arguments(check, arguments_of(function), order=True))
    seen: list[Observation] = []
    for args in check.inputs():
        seen.append(observe(function, args, _expected(check, args)))
        if _is_unwritten(seen[0]):
            return VerificaFallita(messages.unwritten(check, seen[0]))
    wrong = [one for one in seen if _is_wrong(check, one)]
    if not wrong:
        return _broken_property(check, seen)
    other = _wrong_helper(chosen, check, function)
    if other is not None:
        return VerificaFallita(messages.needs_another(check, other))
    diagnosis = recognise(check, seen)
    with_value = [one for one in wrong if one.failure is None]
    if diagnosis is not None and not with_value:
        shown = _to_show(seen, wrong)
        names = tuple(slip.name for slip in diagnosis.slips)
        return VerificaFallita(messages.slip_that_stops(check, shown, diagnosis), names)
    if diagnosis is not None:
        shown = _to_show(seen, [one for one in with_value if _shows(check, one)] or with_value)
        difference = difference_from_expected(check, shown)
        names = tuple(slip.name for slip in diagnosis.slips)
        return VerificaFallita(messages.slipped(check, shown, difference, diagnosis), names)
    shown = _to_show(seen, [one for one in wrong if _shows(check, one)] or wrong)
    if shown.failure is not None:
        return VerificaFallita(messages.stopped(check, shown))
    difference = difference_from_expected(check, shown)
    rules = (input_untouched, *(check.properties if difference.kind == "valori" else ()))
    hint = next((rule for rule in rules if not _holds(rule, shown)), None)
    return VerificaFallita(messages.different(check, shown, difference, hint))


def _wrong_helper(chosen: Exercise, check: Check, function: Callable) -> str | None:
    """Il nome della prima funzione della scheda che function chiama e che non supera le sue prove.

    Si guarda soltanto fra quelle che nella scheda vengono prima.
    """
    code = getattr(function, "__code__", None)
    if type(code) is not CodeType:
        return None
    called, space = _names_in(code), function.__globals__
    for other in takewhile(lambda one: one is not check, chosen.checks):
        helper = space.get(other.name) if other.name in called else None
        if callable(helper) and _visible(chosen, other, helper) is not None:
            return other.name
    return None


def _names_in(code: CodeType) -> set[str]:
    """I nomi globali che una funzione usa, anche dalle funzioni che stanno dentro di lei."""
    inner = [_names_in(constant) for constant in code.co_consts if type(constant) is CodeType]
    return set(code.co_names).union(*inner)


def _hidden(check: Check, function: Callable, cases: Sequence[tuple[str, tuple]]) -> VerificaFallita | None:
    """Il fallimento delle prove nascoste: soltanto i titoli e gli errori riconosciuti."""
    seen = [observe(function, args, _expected(check, args), title) for title, args in cases]
    wrong = [one for one in seen if _is_wrong(check, one)]
    if wrong:
        diagnosis = recognise(check, seen)
        reasons = diagnosis.slips if diagnosis is not None else ()
    else:
        rule, wrong = _first_broken(check, seen)
        reasons = (rule,)
        if rule is None:
            return None
    titles = _titles(one.title for one in wrong)
    names = tuple(reason.name for reason in reasons)
    return VerificaFallita(messages.hidden(check, titles, reasons), names, nascosto=True)


def _hidden_cases(check: Check, hidden: dict) -> list[tuple[str, tuple]]:
    """Gli ingressi nascosti come coppie (titolo, argomenti); un errore qui è di chi ha scritto la prova."""
    if type(hidden) is not dict:
        raise ErroreEsercizio("nascosti dev'essere un dizionario {titolo: argomenti}.")
    cases = []
    for title, given in hidden.items():
        for args in given if type(given) is list else [given]:
            if type(args) is not tuple or len(args) != len(check.parameters):
                raise ErroreEsercizio(f"«{title}»: servono gli argomenti di {check.signature}, in una tupla.")
            cases.append((title, args))
    if not cases:
        raise ErroreEsercizio("nascosti non contiene nessun ingresso.")
    return cases


def _expected(check: Check, args: tuple):
    """Il risultato giusto, fotografato."""
    right = observe(check.reference, args)
    if right.failure is not None:
        stopped = f"{check.name} si ferma con {right.failure.name}"
        raise ErroreEsercizio(f"Su questi ingressi la soluzione di {stopped}.")
    return right.value


def _is_unwritten(first: Observation) -> bool:
    return first.value is None if first.failure is None else first.failure.name == "NotImplementedError"


def _is_wrong(check: Check, seen: Observation) -> bool:
    return seen.failure is not None or difference_from_expected(check, seen) is not None


def _shows(check: Check, seen: Observation) -> bool:
    """True se chi legge il messaggio vede che cosa non va: un errore, o due testi diversi.

    Un array di interi al posto di (2; 3) è sbagliato per il tipo, ma si scrive come quello giusto.
    """
    if seen.failure is not None:
        return True
    difference = difference_from_expected(check, seen)
    expected, got = show_pair(difference.expected, difference.got)
    return expected != got


def _holds(rule: Property, seen: Observation) -> bool:
    return bool(rule.holds(seen))


def _first_broken(check: Check, seen: Sequence[Observation]) -> tuple[Property | None, list[Observation]]:
    """La prima proprietà che non vale e i casi in cui non vale."""
    for rule in (input_untouched, *check.properties):
        broken = [one for one in seen if not _holds(rule, one)]
        if broken:
            return rule, broken
    return None, []


def _broken_property(check: Check, seen: Sequence[Observation]) -> VerificaFallita | None:
    rule, broken = _first_broken(check, seen)
    if rule is None:
        return None
    shown = _to_show(seen, broken)
    return VerificaFallita(messages.broken(check, shown, rule), (rule.name,))


def _to_show(seen: Sequence[Observation], wrong: Sequence[Observation]) -> Observation:
    """Il caso fatto a mano, se è fra quelli sbagliati; altrimenti il più piccolo."""
    return seen[0] if seen[0] in wrong else min(wrong, key=lambda one: one.size)


def _titles(titles) -> list[str]:
    return list(dict.fromkeys(titles))


def print_green(line: str) -> None:
    """Stampa la riga, in verde dove il colore si vede; senza il segno di spunta dove non si può scrivere."""
    colour = "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None
    try:
        print(f"{GREEN}{line}{PLAIN}" if colour else line)
    except UnicodeEncodeError:
        print(line.replace("✓", "OK").encode("ascii", "replace").decode("ascii"))
