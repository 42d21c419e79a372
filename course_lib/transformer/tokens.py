"""Dal testo agli ID e ritorno: un token per parola, per carattere, o per pezzo di parola imparato (BPE).

I tre tokenizzatori si usano allo stesso modo: `.train(text)` costruisce il vocabolario, `.encode(text)`
dà la lista degli ID, `.decode(ids)` torna al testo, `.vocabulary[id]` è il token scritto per esteso.
Gli ID vanno nell'ordine di prima comparsa nel testo: lo stesso testo dà sempre lo stesso vocabolario.

Con i caratteri e con la BPE decode(encode(s)) == s per ogni stringa di Python: ciò che non si è mai
visto si scrive con i suoi byte UTF-8. Vale anche per i surrogati isolati, che non sono testo valido ma
in una stringa possono trovarsi: si scrivono con la regola «surrogatepass». Una fila di ID che non
viene da encode (l'ha generata un modello) può dare byte che non formano un carattere: diventano «�».
"""

from __future__ import annotations

import re
import unicodedata

from course_lib.transformer.arrays import as_ids, as_whole
from course_lib.transformer.bpe import encode_word, learn_merges, pieces

# una parola con il suo apostrofo, oppure un segno solo (un'emoji composta è un segno solo)
_WORD = re.compile(r"[^\W_]+['’]?|_|[^\w\s](?:[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]|\u200d.)*")


def split_words(text):
    """Divide il testo in parole e segni, lasciando cadere gli spazi.

    Un articolo con l'apostrofo è una parola («l'uomo» ne dà due, l' e uomo), ogni segno di
    interpunzione sta da solo, anche il trattino basso. Lettera e accento scritti separati si uniscono
    (forma NFC).
    Restituisce: una lista di stringhe.
    """
    return _WORD.findall(unicodedata.normalize("NFC", _text(text)))


class WordTokenizer:
    """Un token per parola; una parola mai vista diventa il token ignoto, e nel ritorno è perduta.

    lowercase: se vero, maiuscole e minuscole sono la stessa parola
    """

    UNKNOWN = "<ignoto>"

    def __init__(self, lowercase=False):
        self.lowercase = lowercase
        self._set([])

    def _set(self, words):
        self.vocabulary = [self.UNKNOWN, *words]
        self._ids = {word: i for i, word in enumerate(self.vocabulary)}

    def train(self, text):
        """Mette nel vocabolario le parole di text, da capo, dopo l'ignoto che è 0. Restituisce sé stesso."""
        self._set(dict.fromkeys(self._words(text)))
        return self

    def encode(self, text):
        """Gli ID delle parole di text; 0 per quelle mai viste."""
        return [self._ids.get(word, 0) for word in self._words(text)]

    def decode(self, ids):
        """Le parole, separate da uno spazio dove l'italiano lo vuole: non sempre è il testo di partenza."""
        text = " ".join(self.vocabulary[i] for i in _checked(ids, self.vocabulary))
        text = re.sub(r" (?=[,.;:!?…»”)\]])|(?<=[«“(\[]) ", "", text)
        return re.sub(r"(?<=\w['’]) (?=[aeiouhàèéìòù])", "", text, flags=re.IGNORECASE)

    def _words(self, text):
        return split_words(_text(text).lower() if self.lowercase else text)


class CharTokenizer:
    """Un token per carattere, più sedici per scrivere gli altri: le cifre esadecimali dei loro byte.

    Prima i caratteri del testo, nell'ordine di comparsa; poi <0> … <F>. Un carattere mai visto
    occupa due token per ogni byte UTF-8: «é» è C3 A9, cioè <C> <3> <A> <9>.
    """

    def __init__(self):
        self._set([])

    def _set(self, characters):
        self._n = len(characters)
        self.vocabulary = [*characters, *(f"<{digit:X}>" for digit in range(16))]
        self._ids = {character: i for i, character in enumerate(characters)}

    def train(self, text):
        """Mette nel vocabolario i caratteri di text, da capo. Restituisce sé stesso."""
        self._set(list(dict.fromkeys(_text(text))))
        return self

    def encode(self, text):
        """Gli ID dei caratteri di text."""
        ids = []
        for character in _text(text):
            known = self._ids.get(character)
            ids += self._spelled(character) if known is None else [known]
        return ids

    def decode(self, ids):
        """Il testo: l'inverso di encode."""
        return _assemble(
            (self.vocabulary[i] if i < self._n else i - self._n for i in _checked(ids, self.vocabulary)),
            lambda digits: bytes(16 * a + b for a, b in zip(digits[::2], digits[1::2], strict=False)),
            lambda digits: len(digits) % 2,
        )

    def _spelled(self, character):
        """Le cifre dei byte: la prima vale 16, la seconda 1."""
        return [self._n + digit for byte in _to_bytes(character) for digit in divmod(byte, 16)]


class BPETokenizer:
    """Byte pair encoding: dai caratteri si uniscono, una alla volta, le coppie più frequenti.

    n_merges: quante unioni imparare, al più
    Gli ID da 0 a 255 sono i byte (<00> … <FF>), per scrivere i caratteri mai visti; poi vengono i
    caratteri del testo, poi le unioni, nell'ordine in cui sono state imparate. Un'unione non passa
    da una parola all'altra; lo spazio sta all'inizio della parola che segue.
    Fonte: Sennrich, Haddow e Birch 2016, §3.2, algoritmo 1; i byte di riserva: Touvron et al. 2023, §2.1.
    """

    def __init__(self, n_merges=200):
        self.n_merges = as_whole("n_merges", n_merges, 0)
        self._set([], [])

    def _set(self, characters, merges):
        self._ids = {character: 256 + i for i, character in enumerate(characters)}
        self.merges = merges
        self._ranks = {pair: 256 + len(characters) + i for i, pair in enumerate(merges)}
        self.vocabulary = [*(f"<{byte:02X}>" for byte in range(256)), *characters]
        for left, right in merges:
            self.vocabulary.append(self.vocabulary[left] + self.vocabulary[right])

    def train(self, text):
        """Impara caratteri e unioni da text, da capo. Restituisce sé stesso.

        A ogni passo si unisce la coppia vicina più frequente; a parità, quella che compare prima nel
        testo. Ci si ferma prima di n_merges se nessuna coppia compare almeno due volte.
        `.merges` è la lista delle coppie (ID, ID) unite.
        """
        characters = list(dict.fromkeys(_text(text)))
        ids = {character: 256 + i for i, character in enumerate(characters)}
        words = [[ids[character] for character in piece] for piece in pieces(text)]
        self._set(characters, learn_merges(words, self.n_merges, 256 + len(characters)))
        return self

    def encode(self, text):
        """Gli ID dei pezzi di text: su ogni parola si rifanno le unioni, nell'ordine dell'addestramento."""
        done, ids = {}, []
        for piece in pieces(_text(text)):
            if piece not in done:
                done[piece] = encode_word([i for c in piece for i in self._character(c)], self._ranks)
            ids += done[piece]
        return ids

    def decode(self, ids):
        """Il testo: l'inverso di encode."""
        ids = _checked(ids, self.vocabulary)
        return _assemble((i if i < 256 else self.vocabulary[i] for i in ids), bytes, lambda digits: 0)

    def _character(self, character):
        known = self._ids.get(character)
        return _to_bytes(character) if known is None else [known]


def _text(text):
    if not isinstance(text, str):
        raise ValueError(f"text: mi aspettavo una stringa, è arrivato un {type(text).__name__}.")
    return text


def _checked(ids, vocabulary):
    """Gli ID come lista di int, tutti nel vocabolario."""
    ids = as_ids("ids", ids, len(vocabulary))
    if ids.ndim != 1:
        raise ValueError(f"ids: mi aspettavo una fila di ID, è arrivata la forma {tuple(ids.shape)}.")
    return ids.tolist()


def _to_bytes(character):
    return list(character.encode("utf-8", "surrogatepass"))


def _from_bytes(data):
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def _assemble(parts, to_bytes, left_over):
    """Mette in fila stringhe e numeri; i numeri consecutivi (byte, o cifre di byte) si leggono insieme."""
    text, run = [], []
    for part in [*parts, ""]:
        if isinstance(part, int):
            run.append(part)
            continue
        text += [_from_bytes(to_bytes(run)), "�" * left_over(run), part]
        run = []
    return "".join(text)
