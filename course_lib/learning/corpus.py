"""I testi su cui si addestra: le frasi della concordanza, il racconto del corso, il libro di chi legge.

Il racconto «Le parole piccole» è stato scritto per questo corso e sta in tale.txt, un capoverso per riga;
è di «gli autori di Chiave di lettura», con licenza CC BY 4.0 (vedi LICENSE-testi).
"""

from __future__ import annotations

import functools
import unicodedata
from importlib import resources
from pathlib import Path

from course_lib.learning.agreement import AgreementGrammar, Sentence
from course_lib.learning.agreement_measures import accuracy_seeing, chance_level
from course_lib.learning.baselines import NGram, Window, predict
from course_lib.notation import number

__all__ = [
    "BOOK_MINIMUM",
    "TALE_CHARACTERS",
    "TALE_LENGTH",
    "AgreementGrammar",
    "NGram",
    "Sentence",
    "Window",
    "accuracy_seeing",
    "book",
    "chance_level",
    "predict",
    "tale",
]

TALE_LENGTH = 49_108             # caratteri; in UTF-8 sono 49 923 byte
TALE_CHARACTERS = "\n !',.:;?ABCDEFGHILMNOPQRSTUVabcdefghilmnopqrstuvz«»Èàèéìòù…"
BOOK_MINIMUM = 10_000            # caratteri: con meno, il modello impara il testo a memoria in pochi passi


@functools.cache
def tale():
    """Il racconto, «Le parole piccole»: TALE_LENGTH caratteri, tutti fra i 60 di TALE_CHARACTERS."""
    return resources.files("course_lib.learning").joinpath("tale.txt").read_text(encoding="utf-8")


def book(path):
    """Il testo di un libro tuo, da un file UTF-8: va al posto di `tale()`.

    Accetta il segno iniziale BOM e i fine riga di Windows e del vecchio Mac, che diventano «\\n»;
    una lettera e il suo accento scritti separati diventano un carattere solo (forma NFC).
    Restituisce: una stringa, lunga almeno BOOK_MINIMUM caratteri senza contare gli spazi ai due capi.
    Solleva ValueError se il file manca, non si può leggere, è vuoto, non è un testo, non è in UTF-8,
    o se è troppo corto.
    """
    try:
        path = Path(path)
    except TypeError:
        raise ValueError(f"path: mi aspettavo il nome di un file, è arrivato {path!r}.") from None
    name, content = f"«{path.name or path}»", _bytes(path)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ValueError(f"{name} è in UTF-16, non in UTF-8: riaprilo con un editor e salvalo come UTF-8.")
    if any(byte < 32 and byte not in b"\t\n\f\r" for byte in content):
        raise ValueError(f"{name} non è un file di testo: salva il libro come testo semplice, in UTF-8.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ValueError(
            f"{name} non è in UTF-8 (il primo carattere illeggibile è alla riga {line}): "
            "riaprilo con un editor di testi e salvalo come UTF-8."
        ) from None
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    length, least = len(text.strip()), number(BOOK_MINIMUM)
    if not length:
        raise ValueError(f"{name} è vuoto: serve un testo di almeno {least} caratteri.")
    if length < BOOK_MINIMUM:
        raise ValueError(f"{name} è troppo corto: ha {number(length)} caratteri, ne servono almeno {least}.")
    return text


def _bytes(path):
    name = f"«{path.name or path}»"
    try:
        if path.is_dir():
            raise ValueError(f"{name} è una cartella: scrivi il percorso di un file di testo.")
        if "\0" in str(path):
            raise FileNotFoundError
        return path.read_bytes()
    except FileNotFoundError:
        raise ValueError(f"Non trovo {name}: controlla il nome del file e la cartella in cui sta.") from None
    except OSError as error:
        raise ValueError(f"Non riesco a leggere {name}: {error.strerror}.") from None
