"""Il racconto del corso e il libro di chi legge."""

from __future__ import annotations

import codecs
import re
import subprocess
import sys
import unicodedata
from collections import Counter

import pytest

from course_lib.learning.corpus import BOOK_MINIMUM, TALE_CHARACTERS, TALE_LENGTH, book, tale
from course_lib.notation import number
from tests.conftest import ROOT, require

GOOD = "Perché no? È così, città per città.\n" * 400

# Ciò che il dizionario di hunspell non conosce: i nomi propri, e qualche parola italiana che gli manca.
NAMES = {"Ansaldi", "Inés", "Trentin", "Treponti", "Vannoni", "trepontini"}
MISSING = {"incontrario", "possiede", "sedette", "serraturiere", "termos"}


def repeated_sentences(text: str) -> list[str]:
    """Le frasi di almeno otto parole che compaiono più di una volta."""
    sentences = [" ".join(re.findall(r"\w+", s.lower())) for s in re.split(r"[.!?…\n]+", text)]
    return [s for s, times in Counter(sentences).items() if times > 1 and len(s.split()) >= 8]


def test_the_tale_has_the_stated_length_and_characters():
    assert len(tale()) == TALE_LENGTH
    assert "".join(sorted(set(tale()))) == TALE_CHARACTERS
    assert len(TALE_CHARACTERS) == 60
    assert len(tale().encode("utf-8")) == 49_923 > 40_000
    assert unicodedata.is_normalized("NFC", tale())


def test_no_sentence_of_the_tale_is_told_twice():
    assert repeated_sentences(tale()) == []


def test_the_search_for_repeated_sentences_sees_them():
    line = tale().split("\n")[4]
    assert len(repeated_sentences(tale() + "\n" + line.upper())) >= 2
    assert repeated_sentences("Una due. Una due.") == []


def test_the_tale_is_set_as_a_book():
    lines = tale().split("\n")
    assert lines[0] == "Le parole piccole"
    chapters = [line for line in lines if line.startswith("Capitolo ")]
    assert len(chapters) == len(set(chapters)) == 10
    assert tale().endswith(".\n")
    assert not re.search(r"  | \n|\n |\n\n\n| [,.;:?!»]|« |,[^ »]|[.;:?!…][^ »\n.]", tale())
    for line in lines:
        quotes = re.findall("[«»]", line)
        assert quotes == ["«", "»"] * (len(quotes) // 2), line   # chiuse, e mai una dentro l'altra
        assert line in ("", lines[0]) or line.startswith("Capitolo ") or line[-1] in ".?!»…", line
    assert not re.search(r"\b(E'|perchè|poichè|benchè|finchè|nè|pò|qual'è|un'altro)(?!\w)", tale())


def test_the_tale_ends_on_the_sentence_of_the_course():
    assert tale().endswith("La chiave accanto ai libri era arrugginita. Girava benissimo.\n")


def test_the_tale_is_spelt_as_in_the_dictionary():
    words = re.sub(r"\w+'", " ", tale())                                  # gli articoli elisi
    command = [require("hunspell"), "-d", "it_IT", "-i", "utf-8", "-l"]
    done = subprocess.run(command, input=words, capture_output=True, encoding="utf-8", check=True)
    assert set(done.stdout.split()) - NAMES - MISSING == set()


def test_the_tale_is_read_when_it_is_asked_for():
    code = """
import sys
from course_lib.learning import corpus
assert corpus.tale.cache_info().currsize == 0
assert len(corpus.tale()) and corpus.tale() is corpus.tale()
packages = {name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)
print(sorted(name for name in packages if not name.startswith('_')))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.strip() == "['course_lib', 'numpy']"


def written(folder, content: bytes):
    path = folder / "libro mio.txt"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        GOOD.encode(),
        codecs.BOM_UTF8 + GOOD.encode(),
        GOOD.replace("\n", "\r\n").encode(),
        GOOD.replace("\n", "\r").encode(),
        unicodedata.normalize("NFD", GOOD).encode(),
        codecs.BOM_UTF8 + GOOD.replace("\n", "\r\n").encode(),
    ],
    ids=["semplice", "BOM", "Windows", "vecchio Mac", "accenti separati", "BOM e Windows"],
)
def test_a_book_comes_out_the_same_however_it_was_saved(tmp_path, content):
    path = written(tmp_path, content)
    assert book(path) == GOOD
    assert book(str(path)) == GOOD


def test_any_language_will_do(tmp_path):
    text = "Ключ рядом с книгами был ржавым.\t鍵\f😀\n" * 400
    assert book(written(tmp_path, text.encode())) == text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "è vuoto: serve un testo di almeno 10.000 caratteri"),
        (codecs.BOM_UTF8 + b" \r\n\t\n" * 9000, "è vuoto"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 99, "non è un file di testo"),
        (b"PK\x03\x04" + GOOD.encode(), "non è un file di testo"),
        (GOOD.encode() + b"\0", "non è un file di testo"),
        (GOOD.encode("utf-16"), "è in UTF-16, non in UTF-8"),
        (GOOD.encode("utf-16-le"), "non è un file di testo"),
        (b"Prima riga\nperch\xe9 " + b"no " * 9000, "non è in UTF-8 .* alla riga 2"),
        (GOOD.encode("cp1252"), "non è in UTF-8 .* alla riga 1"),
        ("è ".encode() * 600, "troppo corto: ha 1199 caratteri, ne servono almeno 10.000"),
    ],
)
def test_what_is_no_book_is_refused_with_one_italian_sentence(tmp_path, content, message):
    with pytest.raises(ValueError, match=message) as caught:
        book(written(tmp_path, content))
    text = str(caught.value)
    assert text.startswith("«libro mio.txt» ")
    assert text.endswith(".")
    assert "\n" not in text
    assert str(tmp_path) not in text
    assert caught.value.__cause__ is None


def test_a_book_must_be_exactly_long_enough(tmp_path):
    assert len(book(written(tmp_path, b"a" * BOOK_MINIMUM))) == BOOK_MINIMUM
    with pytest.raises(ValueError, match=f"ha {number(BOOK_MINIMUM - 1)} caratteri"):
        book(written(tmp_path, b"a" * (BOOK_MINIMUM - 1) + b"\n" * 50))


def test_a_book_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match=r"^Non trovo «libro.txt»: "):
        book(tmp_path / "libro.txt")
    with pytest.raises(ValueError, match="è una cartella"):
        book(tmp_path)
