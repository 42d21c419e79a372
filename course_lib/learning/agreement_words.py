"""Le parole della grammatica della concordanza, e come si legano: articoli, preposizioni, aggettivi.

I nomi vanno a coppie, un femminile e un maschile che possono stare al posto l'uno dell'altro nella
stessa frase. Sono tutti oggetti che possono essere arrugginiti, bagnati, nuovi…; i libri e le lettere,
che arrugginiti non sono mai, fanno soltanto da attrattori. Gli articoli sono tutti interi: un nome con
l'articolo elideso («l'armadio») non c'è, perciò l'articolo dice sempre genere e numero.
"""

from __future__ import annotations

from typing import NamedTuple

GENDERS = ("f", "m")
NUMBERS = ("s", "p")


class Noun(NamedTuple):
    """Un nome: le due forme, il genere («f» o «m»), e se è un oggetto piccolo."""

    singular: str
    plural: str
    gender: str
    small: bool = False

    def form(self, number):
        """La parola nel numero dato, «s» o «p»."""
        return self.singular if number == "s" else self.plural


def _pair(feminine, masculine, small=False):
    return Noun(*feminine.split("/"), "f", small), Noun(*masculine.split("/"), "m", small)


SUBJECT_PAIRS = (
    _pair("chiave/chiavi", "chiodo/chiodi", small=True),
    _pair("moneta/monete", "coltello/coltelli", small=True),
    _pair("scatola/scatole", "baule/bauli"),
    _pair("lampada/lampade", "specchio/specchi"),
    _pair("campana/campane", "martello/martelli"),
    _pair("pentola/pentole", "secchio/secchi"),
    _pair("catena/catene", "lucchetto/lucchetti"),
    _pair("bilancia/bilance", "vassoio/vassoi"),
    _pair("lanterna/lanterne", "sgabello/sgabelli"),
    _pair("statua/statue", "scrigno/scrigni"),
)
ATTRACTOR_ONLY = _pair("lettera/lettere", "libro/libri", small=True)
PAIRS = (*SUBJECT_PAIRS, ATTRACTOR_ONLY)

# Quattro forme ciascuno: -o, -a, -i, -e. Dicono cose che si possono dire di tutti i nomi di qui sopra.
ADJECTIVES = (
    "arrugginito", "bagnato", "freddo", "impolverato", "nascosto",
    "nero", "nuovo", "piccolo", "prezioso", "rotto",
)
ENDINGS = {("f", "s"): "a", ("m", "s"): "o", ("f", "p"): "e", ("m", "p"): "i"}
VERBS = {"s": "era", "p": "erano"}

WITH_A = ("accanto", "vicino", "davanti")        # vogliono «a»: accanto alla, vicino ai
PLAIN = ("dietro", "sopra", "sotto")             # vogliono il solo articolo: dietro la, sopra i
BEHIND = ("davanti", "dietro")                   # di un oggetto piccolo non si dice: «dietro la moneta»
JOINED = {"la": "alla", "le": "alle", "il": "al", "lo": "allo", "i": "ai", "gli": "agli"}


def article(noun, number):
    """L'articolo determinativo: la, le; lo, gli davanti a s seguita da consonante; altrimenti il, i."""
    if noun.gender == "f":
        return "la" if number == "s" else "le"
    word = noun.form(number)
    if word[0] == "s" and word[1] not in "aeiou":
        return "lo" if number == "s" else "gli"
    return "il" if number == "s" else "i"


def adjective(lemma, gender, number):
    """La forma dell'aggettivo: «nuovo», «f», «p» dà «nuove»."""
    return lemma[:-1] + ENDINGS[gender, number]


def prepositions_for(noun):
    """Le preposizioni che possono reggere il nome."""
    every = (*WITH_A, *PLAIN)
    return tuple(word for word in every if word not in BEHIND) if noun.small else every


def complement(preposition, noun, number):
    """Le tre parole del complemento: («accanto», «ai», «libri») o («sopra», «i», «libri»)."""
    word = article(noun, number)
    return preposition, JOINED[word] if preposition in WITH_A else word, noun.form(number)


def every_word():
    """Tutte le parole che possono comparire in una frase, ognuna una volta, in un ordine fisso."""
    nouns = [noun for pair in PAIRS for noun in pair]
    words = [article(noun, number) for number in NUMBERS for noun in nouns]
    words += [noun.form(number) for noun in nouns for number in NUMBERS]
    words += [*WITH_A, *PLAIN, *JOINED.values(), *VERBS.values()]
    words += [adjective(lemma, *key) for lemma in ADJECTIVES for key in ENDINGS]
    return tuple(dict.fromkeys(words))
