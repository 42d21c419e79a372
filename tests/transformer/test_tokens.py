"""I tre tokenizzatori: numeri a mano, andata e ritorno, casi scomodi."""

import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from course_lib.transformer.tokens import BPETokenizer, CharTokenizer, WordTokenizer, split_words

few = settings(max_examples=150, deadline=None)
# anche i surrogati isolati, che text() da solo non darebbe
any_text = st.text(st.characters(exclude_categories=()), max_size=12)
SURROGATES = ["\ud800", "\udfff\ud83d", "\ud83d\ude00"]
AWKWARD = ["", " ", "\r\n\t", "è e\u0301", "👨‍👩‍👧🇮🇹", "שלום עולם", "\x00\ufeff", "<C3><A9>", *SURROGATES]
STORY = "La chiave accanto ai libri era arrugginita. Perché? La chiave era là, accanto ai libri."
TOKENIZERS = {
    "caratteri": lambda: CharTokenizer().train(STORY),
    "caratteri, senza addestrare": CharTokenizer,
    "bpe": lambda: BPETokenizer(40).train(STORY),
    "bpe, senza addestrare": BPETokenizer,
    "bpe, con byte nel testo": lambda: BPETokenizer(40).train("<C3><A9> <C3><A9> <C3>"),
}


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("text", [*AWKWARD, STORY], ids=ascii)
def test_awkward_text_comes_back(name, text):
    tokenizer = TOKENIZERS[name]()
    ids = tokenizer.encode(text)
    assert type(ids) is list
    assert {type(i) for i in ids} <= {int}
    assert all(0 <= i < len(tokenizer.vocabulary) for i in ids)
    assert tokenizer.decode(ids) == text


@few
@given(training=any_text, text=any_text, n_merges=st.integers(0, 8))
@example(training="aaa aaa", text="aaaa", n_merges=3)
def test_any_text_comes_back(training, text, n_merges):
    for tokenizer in (CharTokenizer(), BPETokenizer(n_merges)):
        tokenizer.train(training)
        for s in (text, training, training + text + training):
            assert tokenizer.decode(tokenizer.encode(s)) == s


@pytest.mark.parametrize("make", [WordTokenizer, CharTokenizer, lambda: BPETokenizer(30)])
def test_training_is_deterministic_and_starts_afresh(make):
    one, two = make().train(STORY), make().train("altro testo altro testo").train(STORY)
    assert one.vocabulary == two.vocabulary
    assert one.encode(STORY + " mai visto ñ") == two.encode(STORY + " mai visto ñ")


def test_characters_by_hand():
    tokenizer = CharTokenizer().train("ciao, ciao")
    assert tokenizer.vocabulary[:7] == ["c", "i", "a", "o", ",", " ", "<0>"]
    assert len(tokenizer.vocabulary) == 6 + 16
    assert tokenizer.vocabulary[-1] == "<F>"
    assert tokenizer.encode("oca") == [3, 0, 2]
    # é in UTF-8 è C3 A9
    assert [tokenizer.vocabulary[i] for i in tokenizer.encode("é")] == ["<C>", "<3>", "<A>", "<9>"]
    assert tokenizer.decode(np.array([3, 0, 2])) == "oca"


def test_words_by_hand():
    tokenizer = WordTokenizer().train("L'uomo legge, la donna legge.")
    words = ["<ignoto>", "L'", "uomo", "legge", ",", "la", "donna", "."]
    assert tokenizer.vocabulary == words
    assert tokenizer.encode("la donna, l'uomo.") == [5, 6, 4, 0, 2, 7]
    assert tokenizer.decode([5, 6, 4, 0, 2, 7]) == "la donna, <ignoto> uomo."
    assert tokenizer.decode([1, 2, 3, 4, 5, 6, 3, 7]) == "L'uomo legge, la donna legge."


def test_words_without_capitals():
    tokenizer = WordTokenizer(lowercase=True).train("Il gatto e il topo")
    assert tokenizer.vocabulary == ["<ignoto>", "il", "gatto", "e", "topo"]
    assert tokenizer.encode("IL TOPO") == [1, 4]


def test_the_unknown_token_is_not_a_word_of_the_text():
    tokenizer = WordTokenizer().train("<ignoto>")
    assert tokenizer.vocabulary == ["<ignoto>", "<", "ignoto", ">"]
    assert tokenizer.encode("<ignoto>") == [1, 2, 3]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("È un po' tardi…", ["È", "un", "po'", "tardi", "…"]),
        ("dell’acqua", ["dell’", "acqua"]),
        ("perche\u0301", ["perché"]),
        ("«Vieni», disse.", ["«", "Vieni", "»", ",", "disse", "."]),
        ("uno  due\n\ttre", ["uno", "due", "tre"]),
        ("mio_testo __", ["mio", "_", "testo", "_", "_"]),
        ("ok 👍🏽 👨‍👩‍👧!", ["ok", "👍🏽", "👨‍👩‍👧", "!"]),
        ("  \n", []),
    ],
)
def test_split_words(text, words):
    assert split_words(text) == words


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["(", "sì", ")", "«", "no", "»", "."], "(sì) «no»."),
        (["un", "po'", "di", "acqua"], "un po' di acqua"),
        (["c'", "è", "l'", "ho"], "c'è l'ho"),
        (["è", "vero", "?", "Sì", "!"], "è vero? Sì!"),
    ],
)
def test_words_are_joined_as_italian_wants(words, text):
    tokenizer = WordTokenizer().train(" ".join(words))
    assert tokenizer.decode([tokenizer.vocabulary.index(word) for word in words]) == text


def test_ids_that_no_text_gives():
    """Un modello può generare byte che non formano un carattere: si vede, e il resto si legge."""
    bpe, characters = BPETokenizer(0).train("ab"), CharTokenizer().train("ab")
    assert bpe.decode([256, 0xC3, 257]) == "a�b"
    assert bpe.decode([0xC3]) == "�"
    a, b, c, three = 0, 1, 2 + 0xC, 2 + 3
    assert characters.decode([a, c, three, b]) == "a�b"
    assert characters.decode([a, c, b]) == "a�b"
    assert characters.decode([a, c]) == "a�"
    for tokenizer in (bpe, characters):
        rng = random.Random(4)
        for _ in range(50):
            ids = [rng.randrange(len(tokenizer.vocabulary)) for _ in range(10)]
            assert type(tokenizer.decode(ids)) is str


@pytest.mark.parametrize("make", [WordTokenizer, CharTokenizer, BPETokenizer])
def test_refuses(make):
    tokenizer = make().train("ab")
    for call in (tokenizer.train, tokenizer.encode):
        with pytest.raises(ValueError, match="text: mi aspettavo una stringa, è arrivato un bytes"):
            call(b"ab")
    n = len(tokenizer.vocabulary)
    with pytest.raises(ValueError, match=rf"ids\[0\] vale {n}: mi aspettavo un intero fra 0 e {n - 1}"):
        tokenizer.decode([n])
    with pytest.raises(ValueError, match=r"ids\[1\] vale -1"):
        tokenizer.decode([0, -1])
    with pytest.raises(ValueError, match="una fila di ID"):
        tokenizer.decode([[0]])


def test_number_of_merges_is_checked():
    with pytest.raises(ValueError, match="n_merges: mi aspettavo un intero da 0 in su"):
        BPETokenizer(-1)
