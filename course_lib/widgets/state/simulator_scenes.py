"""Gli esempi del Simulatore: i cinque esperimenti del documento S2 e le sue coppie di parole riordinate.

Ogni esempio ha una nota che dice che cosa provare, e una frase, misurata sui numeri mostrati, che dice che
cosa si vede davvero e che cosa non vuol dire.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from course_lib.notation import number
from course_lib.transformer.sentences import EXPERIMENTS, IN, OTHER_ORDERS
from course_lib.widgets.state import simulator
from course_lib.widgets.state.simulator_words import equal_rows, largest, listed

OPENING, EXPERIMENT, PAIR = "apertura", "esperimento", "coppia"


class Scene(NamedTuple):
    """Un esempio: nome, nota, frasi (una o due) e con che cosa si apre.

    seen(stato, frasi): che cosa si vede davvero   question(stato): la previsione; None per quella comune
    """

    name: str
    note: str
    sentences: tuple[str, ...]
    d: int = 4
    positions: bool = True
    first_d: int | None = None
    group: str = EXPERIMENT
    seen: object = None
    question: object = None

    def state(self, d=None, positions=None):
        """Lo stato dell'esempio, con le sue dimensioni e le sue posizioni o con altre."""
        return simulator.state(
            *self.sentences, d=self.d if d is None else d,
            positions=self.positions if positions is None else positions,
            first_d=self.first_d, seen=self.seen, question=self.question,
        )  # fmt: skip


def _context(found, full):
    kept = [i for i in range(len(full[0]["tokens"])) if i not in found["changed"][0]]
    one, two = (np.array(side["weights"]) for side in full)
    ratios = [two[i, kept].sum() / one[i, kept].sum() for i in kept]
    return (
        "Nella lingua cambia quasi tutto: con «il», «legge» diventa un nome, «la» un pronome, «regola» un "
        "verbo. Qui cambia un vettore solo: il coefficiente più spostato cambia di "
        f"{number(largest(found), 3)}, e in ogni altra riga i sei coefficienti verso le parole rimaste sono "
        f"moltiplicati per uno stesso numero, fra {number(min(ratios), 3)} e {number(max(ratios), 3)}. I "
        "vettori vengono dagli ID: di grammatica non sanno nulla."
    )


def _ambiguity(found, full):
    one = full[0]
    distances, entropies = one["distances"], one["entropies"]
    pairs = sorted(distances[i][j] for i, j in combinations(range(len(distances)), 2))
    a, b = one["words"].index("mele"), one["words"].index("vermi")
    rank = 1 + sum(value < distances[a][b] for value in pairs)
    grammar = [entropies[i] for i, word in enumerate(one["words"]) if word in ("che", "le")]
    content = [entropies[i] for i, word in enumerate(one["words"]) if word not in ("che", "le")]
    return (
        f"«mele» e «vermi» distano {number(distances[a][b], 3)}: fra le {len(pairs)} coppie, dalla più "
        f"vicina alla più lontana, sono al posto {rank}, e con un'altra d il posto cambia. L'entropia di una "
        f"riga dice quanto lo sguardo è sparso: è {_spread(grammar)} per «che» e «le», "
        f"{_spread(content)} per le altre (al più "
        f"{number(math.log2(len(entropies)), 3)} bit): quasi nessuna preferenza, per nessuno. L'ambiguità "
        "della frase qui non si vede."
    )


def _spread(values):
    low, high = number(min(values), 3), number(max(values), 3)
    return low if low == high else f"fra {low} e {high}"


def _order(found, full):
    if not found["positions"]:
        groups = equal_rows(full, "weights", " ")
        return (
            "Senza posizioni le due frasi sono la stessa, mescolata: i coefficienti fra due parole non "
            f"cambiano.{groups + '.' if groups else ''} Accendi le posizioni e confronta."
        )
    return (
        "Con le posizioni gli stessi due token, in posti diversi, si guardano con coefficienti diversi: la "
        f"differenza più grande è {number(largest(found), 3)}. L'ordine ora conta; che cosa voglia dire, "
        "alla mappa non l'ha insegnato nessuno."
    )


def _dimensions(found, full):
    one, two = full
    if one["d"] == two["d"]:
        return "Con le stesse dimensioni le due mappe sono uguali: sposta il cursore di d e confronta."
    return (
        f"Fra due vettori la distanza media è {number(_apart(one), 3)} con d = {one['d']} e "
        f"{number(_apart(two), 3)} con d = {two['d']}: più dimensioni li separano di più, ma non aggiungono "
        "significato. «Ogni parola guarda soprattutto sé stessa» non è una legge: dipende da d."
    )


def _apart(one):
    """La distanza media fra i vettori di due token diversi."""
    pairs = list(combinations(range(len(one["tokens"])), 2))
    return math.fsum(one["distances"][i][j] for i, j in pairs) / len(pairs)


def _own(found, full):
    marco, book = full
    return (
        f"«lui» → «Marco»: {_ranked(marco, 'lui', 'marco')}; «era» → «libro»: "
        f"{_ranked(book, 'era', 'libro')}. In italiano un «lui» espresso spesso indica qualcun altro, non il "
        "soggetto: ma da una mappa non addestrata non si legge né questo né il contrario."
    )


def _ranked(one, who, whom):
    """Il coefficiente fra due parole, e a che posto è nella sua riga."""
    i, j = one["words"].index(who), one["words"].index(whom)
    row = one["weights"][i]
    rank = 1 + sum(value > row[j] for value in row)
    return f"coefficiente {number(row[j], 3)}, al posto {rank} su {len(row)} dal più grande"


def _who_is_he(found):
    side = found["sides"][0]
    row = side["weights"][side["tokens"].index("lui")]
    return {
        "id": "|".join(found["sentences"]), "text": "Chi guarda di più «lui»?", "choices": side["tokens"],
        "right": row.index(max(row)),
    }  # fmt: skip


_WORDS = {
    "Il contesto": ("Cambia una parola sola. Che cosa cambia nelle quattro fasi?", _context),
    "L'ambiguità": ("«Vermi» o «mele»: chi mangia che cosa? Guarda se i numeri lo sanno.", _ambiguity),
    "La posizione": ("Le stesse parole in un altro ordine, prima senza posizioni; poi accendile.", _order),
    "Le dimensioni": ("La stessa frase con d = 2 e con d = 8: il cursore muove la seconda.", _dimensions),
    "Frasi tue": ("Due frasi del documento; poi scrivi le tue.", _own),
}


def _experiment(experiment):
    """Un esperimento del documento come esempio del Simulatore."""
    note, seen = _WORDS[experiment.title]
    first, *others = experiment.views
    second = others[0] if others else first
    sentences = tuple(view.sentence for view in (first, *others[:1]))
    return Scene(
        experiment.title, note, sentences, second.d, first.positions,
        first_d=first.d if first.d != second.d else None, seen=seen,
        question=_who_is_he if experiment.title == "Frasi tue" else None,
    )  # fmt: skip


def _pair(sentences):
    moved = [word for word in sentences[0].lower().split() if word not in ("il", "la", "mangia", "è")]
    note = "Le stesse parole in un altro ordine: senza posizioni, e poi con."
    return Scene(listed(moved), note, tuple(sentences), positions=False, group=PAIR, seen=_order)


SCENES = (*map(_experiment, EXPERIMENTS), *map(_pair, OTHER_ORDERS))


def opening(sentences=(IN,), d=4, positions=True):
    """L'esempio con cui ci si apre: la frase del corso, o quelle date."""
    return Scene("La prima frase", "Una frase attraverso le quattro fasi.", tuple(sentences), d, positions,
                 group=OPENING)  # fmt: skip


@cache
def packed_scenes():
    """Tutti gli esempi, impacchettati una volta sola."""
    return [simulator.packed(scene) for scene in SCENES]
