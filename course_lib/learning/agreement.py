"""La grammatica della concordanza: «la chiave accanto ai libri era arrugginita».

Una frase è fatta di articolo, soggetto, tre parole per ogni attrattore, era/erano, aggettivo. La domanda è
il genere dell'aggettivo: il numero si legge già nel verbo. Tre scelte la rendono una domanda onesta.

1. Ogni frase ha una gemella che differisce solo nel genere del soggetto (nome, articolo, desinenza):
   «il chiodo accanto ai libri era arrugginito». Stanno nella stessa parte, una dopo l'altra. Chi non vede
   il soggetto né il suo articolo dà alle due la stessa risposta, e ne indovina una: il livello del caso
   (`chance_level`) è esattamente 1/2, per qualunque predittore e con qualunque finestra troppo corta.
2. L'attrattore ha sempre il numero opposto a quello del soggetto, e il genere ora uguale ora diverso. È
   obbligato: se avesse lo stesso numero, per distinguersi dovrebbe avere sempre l'altro genere, e così lo
   rivelerebbe. Con opposite=False prende tutti e due i numeri; un quarto degli attrattori allora non ha
   nessun contrasto con il soggetto, ma neppure il verbo si indovina dall'attrattore.
   Quando è opposto, il solo articolo nel numero del verbo è quello del soggetto: chi lo cerca per numero non
   ha bisogno delle posizioni, e un attrattore in più non lo disturba; quando è libero sì.
3. Le parti si dividono per coppie (soggetto, attrattore): una coppia di nomi della prova non compare
   mai, in nessun numero, nell'addestramento. Ogni soggetto compare in tutte le parti, con sei, due e due
   coppie di attrattori; l'aggettivo esce con la stessa frequenza per ogni soggetto e ogni attrattore.

L'articolo è sempre intero (la, il, lo, le, i, gli), dice genere e numero, ed è sempre la prima parola: una
testa che impara a guardare l'articolo invece del nome, o il primo posto, ha ragione quanto una che guarda il
nome. Che cosa le serva davvero non si deduce dall'accuratezza: si misura, vietandole ora l'uno ora l'altro.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from course_lib.learning.agreement_words import (
    ADJECTIVES,
    GENDERS,
    NUMBERS,
    PAIRS,
    SUBJECT_PAIRS,
    VERBS,
    adjective,
    article,
    complement,
    every_word,
    prepositions_for,
)
from course_lib.transformer.arrays import as_generator, as_whole, expect_generator
from course_lib.transformer.tokens import WordTokenizer

SHARES = {"train": 6, "validation": 2, "test": 2}        # su dieci coppie di attrattori per ogni soggetto
MOST_ATTRACTORS = 2


@dataclass(frozen=True, slots=True)
class Sentence:
    """Una frase della grammatica, con tutto ciò che serve a misurarla.

    tokens: le parole   gender, number: del soggetto, «f»/«m» e «s»/«p»
    noun: il soggetto al singolare   attractor_nouns: gli attrattori al singolare, da sinistra
    attractor_genders, attractor_numbers: uno per attrattore   lemma: l'aggettivo al maschile singolare
    """

    tokens: tuple[str, ...]
    gender: str
    number: str
    noun: str
    lemma: str
    attractor_nouns: tuple[str, ...] = ()
    attractor_genders: tuple[str, ...] = ()
    attractor_numbers: tuple[str, ...] = ()

    article = 0          # posizioni fisse
    subject = 1

    @property
    def attractors(self):
        """Le posizioni dei nomi degli attrattori."""
        return tuple(range(4, len(self.tokens) - 2, 3))

    @property
    def verb(self):
        """La posizione di era/erano: è la query da cui si predice l'aggettivo."""
        return len(self.tokens) - 2

    @property
    def adjective(self):
        """La posizione dell'aggettivo, l'ultima."""
        return len(self.tokens) - 1

    @property
    def prefix(self):
        """Le parole prima dell'aggettivo."""
        return self.tokens[:-1]

    def __str__(self):
        return " ".join(self.tokens)


class AgreementGrammar:
    """Le frasi della concordanza, divise in addestramento, validazione e prova.

    seed: un intero o un numpy.random.Generator; decide quali coppie vanno in quale parte e le preposizioni.
    vocabulary: le parole, come in `tokenizer.vocabulary`; la posizione è l'ID (0 è la parola ignota)
    """

    def __init__(self, seed):
        rng = as_generator("seed", seed)
        self.tokenizer = WordTokenizer().train(" ".join(every_word()))
        self.vocabulary = tuple(self.tokenizer.vocabulary)
        self._ids = {word: i for i, word in enumerate(self.vocabulary)}
        # I nomi su un cerchio: una coppia va nella parte che possiede il passo fra soggetto e attrattore.
        self._place = rng.permutation(len(PAIRS))
        self._steps = _share_out(1 + rng.permutation(len(PAIRS) - 1))
        self._adjective_steps = _share_out(rng.permutation(len(ADJECTIVES)))
        self._entropy = int(rng.integers(2**62))
        self._made = {}

    def sentences(self, split, attractors=1, *, opposite=True):
        """Le frasi di una parte, le gemelle una dopo l'altra (prima quella al femminile).

        split: «train», «validation» o «test»   attractors: 0, 1 o 2
        opposite: se vero, ogni attrattore ha il numero opposto a quello del soggetto (vedi sopra)
        Con un attrattore sono 4800, 1600 e 1600; con due 48 000, 3200 e 3200. Senza attrattori sono 240,
        80 e 80, e la coppia tenuta da parte è (soggetto, aggettivo).
        Restituisce: una tupla di Sentence, sempre la stessa per lo stesso seme.
        Solleva ValueError se la parte o il numero di attrattori non esiste.
        """
        _expect(split, attractors)
        key = split, int(attractors), bool(opposite)
        if key not in self._made:
            rng = np.random.default_rng([self._entropy, list(SHARES).index(split), *key[1:]])
            self._made[key] = tuple(self._all(split, int(attractors), opposite, rng))
        return self._made[key]

    def redrawn(self, split, rng, attractors=1, *, opposite=True):
        """Le stesse frasi di `sentences`, nello stesso ordine, con altre preposizioni.

        rng: il Generator da cui escono   il resto: come in sentences
        """
        _expect(split, attractors)
        expect_generator("rng", rng)
        return tuple(self._all(split, int(attractors), opposite, rng))

    def _all(self, split, attractors, opposite, rng):
        for group, number in itertools.product(range(len(SUBJECT_PAIRS)), NUMBERS):
            places = range(len(ADJECTIVES))
            if not attractors:
                places = sorted((group + step) % len(ADJECTIVES) for step in self._adjective_steps[split])
            for nouns in self._attractor_nouns(group, split, attractors):
                for numbers in _attractor_numbers(number, attractors, opposite):
                    for lemma in (ADJECTIVES[place] for place in places):
                        prepositions = _draw_prepositions(nouns, rng)
                        for noun in SUBJECT_PAIRS[group]:
                            yield _sentence(noun, number, nouns, numbers, prepositions, lemma)

    def _attractor_nouns(self, group, split, attractors):
        """Gli attrattori che in quella parte possono stare con i due soggetti della coppia."""
        steps = self._steps[split]
        circle = {place: pair for place, pair in zip(self._place.tolist(), PAIRS, strict=True)}
        for chosen in itertools.permutations(steps, attractors):
            pairs = [circle[(int(self._place[group]) + step) % len(PAIRS)] for step in chosen]
            yield from itertools.product(*pairs)

    def split_of(self, noun, attractor):
        """La parte in cui stanno le frasi con quel soggetto e quell'attrattore («chiave», «libro»).

        Restituisce: «train», «validation» o «test». Solleva ValueError se la coppia non esiste.
        """
        place = {noun.singular: int(p) for p, pair in zip(self._place, PAIRS, strict=True) for noun in pair}
        subjects = {noun.singular for pair in SUBJECT_PAIRS for noun in pair}
        if noun in subjects and attractor in place and place[noun] != place[attractor]:
            step = (place[attractor] - place[noun]) % len(PAIRS)
            return next(split for split, steps in self._steps.items() if step in steps)
        raise ValueError(f"«{noun}» e «{attractor}» non sono un soggetto e un attrattore di queste frasi.")

    def ids(self, sentences):
        """Gli ID delle parole: (N, T) int64. Solleva ValueError se le frasi non hanno la stessa lunghezza."""
        if len({len(sentence.tokens) for sentence in sentences}) != 1:
            raise ValueError("sentences: mi aspettavo una o più frasi con lo stesso numero di attrattori.")
        return np.array([[self._ids[word] for word in sentence.tokens] for sentence in sentences])

    def batches(self, split, size, rng, attractors=1, *, opposite=True):
        """Lotti senza fine di frasi mescolate: passa tutte le frasi, le rimescola, ricomincia.

        size: B, quante frasi per lotto   rng: il Generator che mescola   il resto: come in sentences
        Restituisce: un generatore di coppie (inputs, targets), (B, T) con T = 3 + 3·attractors; targets è la
        frase una parola più avanti, e la sua ultima colonna è l'aggettivo.
        """
        size = as_whole("size", size, 0)
        if not size:
            raise ValueError("size: mi aspettavo almeno una frase per lotto, è arrivato 0.")
        expect_generator("rng", rng)
        ids = self.ids(self.sentences(split, attractors, opposite=opposite))

        def endless():
            queue = rng.permutation(len(ids))
            while True:
                while len(queue) < size:
                    queue = np.concatenate([queue, rng.permutation(len(ids))])
                chosen = ids[queue[:size]]
                yield chosen[:, :-1], chosen[:, 1:]
                queue = queue[size:]

        return endless()

    def adjective_ids(self, gender, number):
        """Gli ID delle forme di tutti gli aggettivi in quel genere e numero, nell'ordine di ADJECTIVES."""
        return np.array([self._ids[adjective(lemma, gender, number)] for lemma in ADJECTIVES])

    def gender_hits(self, sentences, probabilities):
        """Per ogni frase, se chi predice si aspetta un aggettivo del genere giusto: 1, 0, o 1/2 se è incerto.

        probabilities: (N, V), ciò che si predice dopo il verbo di ogni frase, su tutto il vocabolario
        Quale aggettivo venga non si può sapere, perciò non lo si chiede: nel numero del verbo, che è già
        scritto, si confronta la probabilità di tutte le forme di un genere con quella di tutte le altre.
        Restituisce: (N,). Solleva ValueError se la forma è un'altra o se non sono probabilità.
        """
        probabilities, expected = np.asarray(probabilities), (len(sentences), len(self.vocabulary))
        if probabilities.shape != expected:
            raise ValueError(
                f"probabilities: mi aspettavo la forma {expected}, una riga per frase e una colonna "
                f"per parola, è arrivata la forma {probabilities.shape}."
            )
        if not (np.isfinite(probabilities).all() and (probabilities >= 0).all()):
            raise ValueError("probabilities: mi aspettavo probabilità, non logit: applica prima la softmax.")
        mass = {
            (gender, number): probabilities[:, self.adjective_ids(gender, number)].sum(axis=1)   # (N,)
            for gender in GENDERS
            for number in NUMBERS
        }
        right = np.array([mass[s.gender, s.number][i] for i, s in enumerate(sentences)])
        wrong = np.array([mass[_other(s.gender), s.number][i] for i, s in enumerate(sentences)])
        return np.where(right == wrong, 0.5, right > wrong)

    def gender_accuracy(self, sentences, probabilities):
        """La media di gender_hits: il caso è `chance_level(sentences)`."""
        return float(self.gender_hits(sentences, probabilities).mean())


def _sentence(noun, number, attractors, numbers, prepositions, lemma):
    words = [article(noun, number), noun.form(number)]
    for preposition, attractor, its_number in zip(prepositions, attractors, numbers, strict=True):
        words += complement(preposition, attractor, its_number)
    words += [VERBS[number], adjective(lemma, noun.gender, number)]
    return Sentence(
        tokens=tuple(words),
        gender=noun.gender,
        number=number,
        noun=noun.singular,
        lemma=lemma,
        attractor_nouns=tuple(attractor.singular for attractor in attractors),
        attractor_genders=tuple(attractor.gender for attractor in attractors),
        attractor_numbers=tuple(numbers),
    )


def _share_out(steps):
    """I passi mescolati, distribuiti fra le parti secondo SHARES."""
    cuts = itertools.accumulate(SHARES.values(), initial=0)
    return {
        split: steps[a:b].tolist() for split, (a, b) in zip(SHARES, itertools.pairwise(cuts), strict=True)
    }


def _attractor_numbers(number, attractors, opposite):
    other = "p" if number == "s" else "s"
    return itertools.product([other] if opposite else NUMBERS, repeat=attractors)


def _draw_prepositions(nouns, rng):
    """Una preposizione per attrattore, mai la stessa due volte nella frase."""
    chosen = []
    for noun in nouns:
        options = [word for word in prepositions_for(noun) if word not in chosen]
        chosen.append(options[int(rng.integers(len(options)))])
    return chosen


def _other(gender):
    return "m" if gender == "f" else "f"


def _expect(split, attractors):
    if split not in SHARES:
        raise ValueError(f"split: mi aspettavo una parte fra {', '.join(SHARES)}, è arrivato {split!r}.")
    if attractors not in range(MOST_ATTRACTORS + 1):
        raise ValueError(f"attractors: mi aspettavo 0, 1 o 2, è arrivato {attractors!r}.")
