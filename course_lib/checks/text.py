"""I valori scritti in italiano, per i messaggi di `verifica`."""

from __future__ import annotations

import numpy as np

from course_lib import notation
from course_lib.checks.values import NUMPY_SCALARS, Opaque

MOST_PRINTED = 60  # un array più grande si mostra con la sola forma
MOST_LETTERS = 300
MOST_BITS = 1000  # oltre qualche migliaio di cifre Python si rifiuta di scrivere un intero
MOST_DIGITS = 9

NAMES = {
    type(None): "None, cioè niente",
    bool: "un valore logico (True o False)",
    int: "un numero intero",
    float: "un numero con la virgola",
    complex: "un numero complesso",
    str: "una stringa di testo",
    bytes: "una sequenza di byte",
    list: "una lista",
    tuple: "una tupla",
    dict: "un dizionario",
    np.ndarray: "un array di NumPy",
}
SCALAR_KINDS = {"b": NAMES[bool], "i": NAMES[int], "u": NAMES[int], "f": NAMES[float], "c": NAMES[complex]}
DTYPES = {
    "f": "numeri con la virgola",
    "i": "numeri interi",
    "u": "numeri interi",
    "b": "valori logici",
    "c": "numeri complessi",
    "O": "oggetti, non numeri",
    "U": "testo, non numeri",
    "S": "byte, non numeri",
}


def kind_in_words(value) -> str:
    """Che cosa è un valore, in parole: «una lista», «un array di NumPy di forma (3,)»."""
    if type(value) is Opaque:
        if value.array_like:
            return f"un array di un tipo particolare («{value.type_name}»)"
        return f"un oggetto di tipo «{value.type_name}»"
    if type(value) is np.ndarray:
        return f"un array di NumPy di forma {value.shape}"
    if type(value) in NUMPY_SCALARS:
        return SCALAR_KINDS.get(value.dtype.kind, "un numero")
    if type(value) is tuple:
        return f"una tupla di {len(value)} elementi" if len(value) != 1 else "una tupla di un elemento"
    return NAMES.get(type(value), "qualcosa di sconosciuto")


def dtype_in_words(array) -> str:
    """Che cosa contiene un array: «numeri interi (int64)»."""
    words = DTYPES.get(array.dtype.kind, "dati")
    return f"{words} ({array.dtype.name})" if array.dtype.kind in "biufc" else words


def show(value, digits: int | None = None) -> str:
    """Un valore fotografato, scritto per intero se è piccolo, altrimenti con la sola forma."""
    if type(value) is np.ndarray:
        if value.dtype.kind not in "biufc":
            return f"un array di {dtype_in_words(value)}"
        if value.size == 0 or value.size > MOST_PRINTED:
            return f"un array di forma {value.shape}"
        if value.dtype.kind == "c":
            return str(value)
        return notation.array_text(value, digits)
    if type(value) in (int, float) or (type(value) in NUMPY_SCALARS and value.dtype.kind in "iuf"):
        return notation.number(value, digits)
    if type(value) is Opaque:
        return kind_in_words(value)
    if type(value) in (list, tuple):
        return _short(_items(value, digits))
    try:
        return _short(repr(value.item() if type(value) in NUMPY_SCALARS else value))
    except ValueError:  # dentro c'è un intero di migliaia di cifre, che Python si rifiuta di scrivere
        return kind_in_words(value)


def _items(value: list | tuple, digits: int | None) -> str:
    """Una lista come «[1; 2,5]», una tupla come «(1; 2,5)»; senza numeri con la virgola, come in Python."""
    if _as_python(value, (str, bool) if digits else (str, bool, int)):
        return repr(value)
    first, last = "[]" if type(value) is list else "()"
    inside = "; ".join(show(item, digits).replace("\n", " ") for item in value)
    return f"{first}{inside}{last}"


def _as_python(value, kinds: tuple[type, ...]) -> bool:
    """Valori di questi tipi, o liste di tali valori: si scrivono come li scrive Python, con le virgole."""
    if type(value) in (list, tuple):
        return len(value) > 0 and all(_as_python(item, kinds) for item in value)
    return type(value) in kinds and (type(value) is not int or value.bit_length() < MOST_BITS)


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else text[:MOST_LETTERS] + "…"


def show_pair(expected, got) -> tuple[str, str]:
    """*Atteso* e *ottenuto* con le stesse cifre decimali: quante ne servono perché si veda la differenza."""
    values = [*_numbers(expected), *_numbers(got)]
    digits = notation.digits_needed(values)
    texts = show(expected, digits), show(got, digits)
    while texts[0] == texts[1] and values and digits < MOST_DIGITS and not _same_numbers(expected, got):
        digits += 1
        texts = show(expected, digits), show(got, digits)
    return texts


def _same_numbers(expected, got) -> bool:
    return _numbers(expected) == _numbers(got)


def _numbers(value) -> list:
    if type(value) is np.ndarray and value.dtype.kind in "iuf":
        return value.ravel()[:MOST_PRINTED].tolist()
    if type(value) in (list, tuple):
        return [number for item in value for number in _numbers(item)]
    if type(value) in NUMPY_SCALARS and value.dtype.kind in "iuf":
        return [value.item()]
    return [value] if type(value) in (int, float) else []


def labelled(label: str, text: str) -> str:
    """Una riga «etichetta  testo»; una matrice va a capo, rientrata."""
    if "\n" not in text:
        return f"  {label}  {text}"
    return "\n".join([f"  {label}".rstrip(), *(f"    {line}" for line in text.split("\n"))])
