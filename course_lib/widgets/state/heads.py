"""Lo stato di Teste: le mappe di ogni testa e, se c'è un modello, la risposta con una parte tolta."""

from __future__ import annotations

import itertools

import numpy as np

from course_lib.learning.agreement_model import forbid
from course_lib.notation import number
from course_lib.transformer.masks import causal_mask
from course_lib.widgets.state.heads_model import answer, key_of
from course_lib.widgets.state.heads_sentence import expected_ending, read_sentence
from course_lib.widgets.state.plain import MOST_TOKENS, check_mask, check_names, plain, real_array

MOST_LAYERS = MOST_HEADS = 12    # oltre, le miniature non si leggono
MOST_SWITCHED = 4                # fino a quante teste si calcola ogni insieme spento: 2^4 risposte
DIGITS = 4                       # quante cifre dei coefficienti passano al browser
NOTE = (
    "Una mappa fa nascere un'ipotesi. Se una testa serva davvero, lo dice la misura: si spegne, e si rilegge "
    "la risposta."
)
UNTRAINED = "Queste mappe le ha date chi mostra il widget: qui non c'è un modello da spegnere."
ANSWERS = ("-a", "-o", "-e", "-i", "altre parole")
MEANINGS = ("femminile singolare", "maschile singolare", "femminile plurale", "maschile plurale", "")


def state(weights, tokens, columns=None, mask=None):
    """Le mappe di teste qualunque, senza un modello: nulla si può spegnere.

    weights: (n_layers, n_heads, L, S), fra 0 e 1   tokens: L nomi   columns: S nomi; se mancano, tokens
    mask: (L, S) bool, True = può guardare
    Restituisce: un dizionario; maps ha una mappa (L, S) per voce di entries, con None dove è vietato.
    Solleva ValueError, con una frase da mostrare, se forme, nomi o numeri non vanno.
    """
    weights = _checked(weights)
    n_layers, n_heads, L, S = weights.shape
    allowed = np.ones((L, S), dtype=bool)
    if mask is not None:
        allowed = check_mask(mask, allowed.shape)
    maps = _maps(weights, allowed, ())
    found = _frame(n_layers, n_heads, check_names(tokens, L, "tokens"),
                   check_names(tokens if columns is None else columns, S, "columns"))  # fmt: skip
    whole = {"name": "", "off": [], "places": [], "effect": "", "maps": list(range(len(maps)))}
    return {**found, "trained": False, "maps": maps, "most": [_most(each) for each in maps],
            "variants": {"": whole}, "notes": [NOTE, UNTRAINED]}  # fmt: skip


def measured(trained, text):
    """Le mappe del modello su una frase, e la sua risposta con una parte di teste o di parole tolta.

    trained: TrainedHeads   text: una frase della grammatica; ciò che segue era/erano non si usa
    Restituisce: come `state`; in più variants, una per cosa tolta: p (5,) secondo answers, top la più
    probabile, effect e score in parole, maps il posto in maps di ogni voce.
    Solleva ValueError, con una frase da mostrare, se la frase non si può usare.
    """
    words = read_sentence(trained, text)
    ids = np.array(trained.grammar.tokenizer.encode(" ".join(words)))
    model = trained.model
    found = _frame(model.n_layers, model.n_heads, words, words)
    maps, place_of, variants, before = [], {}, {}, None
    for off, places in _cases(model.n_layers * model.n_heads, len(words)):
        p, weights = answer(trained, ids, off, places)
        before = p if before is None else before
        allowed = causal_mask(len(words), len(words)) & forbid(len(words), places)
        shown = _maps(weights, allowed, off)
        for each in shown:
            if place_of.setdefault(repr(each), len(maps)) == len(maps):
                maps.append(each)
        name = _name(found, off, places)
        variants[key_of(off, places)] = {
            "name": name, "off": list(off), "places": list(places),
            "ask": f"{name[0].upper()}{name[1:]}: quale risposta avrà la probabilità più alta?",
            "maps": [place_of[repr(each)] for each in shown],
            "p": plain(p), "top": int(p.argmax()),
            "effect": _effect(name, before, p) if off or places else "",
            "score": _score(trained.about, words, key_of(off, places), name),
        }  # fmt: skip
    return {**found, "trained": True, "maps": maps, "most": [_most(each) for each in maps],
            "variants": variants,
            "answers": list(ANSWERS), "expected": expected_ending(words),
            "meanings": [what + "  ✓" * (k == expected_ending(words)) for k, what in enumerate(MEANINGS)],
            "choices": [f"{answer} ({what})" if what else answer
                        for answer, what in zip(ANSWERS, MEANINGS, strict=True)],
            "forbidden": [[_listed(v["places"]), _joined(_word(words, place) for place in v["places"])]
                          for v in variants.values() if v["places"]],
            "notes": [NOTE, _about(trained.about)]}  # fmt: skip


def _checked(weights):
    array = real_array(weights, "weights: mi aspettavo numeri con forma (strati, teste, L, S).")
    if array.ndim != 4 or 0 in array.shape:
        raise ValueError(
            f"weights: mi aspettavo la forma (strati, teste, L, S), non vuota; la forma è {array.shape}."
        )
    if not ((array >= 0) & (array < 1.001)).all():  # NaN non passa; 1,001: arrotondamenti
        raise ValueError("weights: mi aspettavo coefficienti, cioè numeri fra 0 e 1.")
    layers, heads, L, S = array.shape
    if max(layers, heads) > MOST_LAYERS or max(L, S) > MOST_TOKENS:
        raise ValueError(
            f"weights: qui stanno al più {MOST_LAYERS} strati, {MOST_HEADS} teste e {MOST_TOKENS} token; "
            f"sono {layers} strati, {heads} teste, {L} e {S} token. Scegline una parte, come weights[:2]."
        )
    return array


def _frame(n_layers, n_heads, rows, columns):
    """Le voci della griglia, strato per strato: le teste, poi la loro media."""
    entries = []
    for layer in range(n_layers):
        for head in range(n_heads):
            name = f"{layer + 1}·{head + 1}"
            entries.append({"name": name, "label": f"testa {name}", "layer": layer,
                            "head": layer * n_heads + head})  # fmt: skip
        if n_heads > 1:
            entries.append({"name": f"media {layer + 1}", "label": f"media dello strato {layer + 1}",
                            "layer": layer, "head": None})  # fmt: skip
    return {"rows": list(rows), "columns": list(columns), "n_layers": n_layers, "n_heads": n_heads,
            "entries": entries}  # fmt: skip


def _cases(heads, length):
    """Ciò che si può togliere: ogni insieme di teste; una parola alla volta; le prime due insieme."""
    sizes = range(heads + 1) if heads <= MOST_SWITCHED else (0, 1)
    for size in sizes:
        yield from ((off, ()) for off in itertools.combinations(range(heads), size))
    if length > 2:
        yield (), (0, 1)
    yield from (((), (place,)) for place in range(length - 1))


def _maps(weights, allowed, off):
    """weights: (n_layers, h, L, S) -> una mappa per voce; la media è delle sole teste accese."""
    n_layers, n_heads = weights.shape[:2]
    maps = []
    for layer in range(n_layers):
        on = [head for head in range(n_heads) if layer * n_heads + head not in off]
        nothing = np.zeros_like(allowed)
        each = [(weights[layer, head], allowed if head in on else nothing) for head in range(n_heads)]
        if n_heads > 1:
            each.append((weights[layer, on].mean(axis=0), allowed) if on else (weights[layer, 0], nothing))
        maps += [plain(np.round(values, DIGITS), may) for values, may in each]
    return maps


def _most(each):
    """Per ogni riga di una mappa, il posto più guardato; None se nessuno o più d'uno."""
    return [_top(row) for row in each]


def _top(row):
    values = sorted(((value, j) for j, value in enumerate(row) if value is not None), reverse=True)
    clear = values and (len(values) == 1 or values[0][0] - values[1][0] > 5e-4)
    return values[0][1] if clear and values[0][0] > 0 else None


def _listed(places):
    return ",".join(map(str, places))


def _name(found, off, places):
    """«senza la testa 1·1», «vietato guardare «la» e «chiave»»."""
    heads = [entry["name"] for entry in found["entries"] if entry["head"] in off]
    if places:
        return f"vietato guardare {_joined(_word(found['rows'], place) for place in places)}"
    if not heads:
        return "con tutte le teste"
    if len(heads) == found["n_layers"] * found["n_heads"]:
        return "senza nessuna testa"
    return f"senza {'la testa' if len(heads) == 1 else 'le teste'} {_joined(heads)}"


def _word(words, place):
    same = f" (parola {place + 1})" if words.count(words[place]) > 1 else ""
    return f"«{words[place]}»{same}"


def _joined(items):
    *first, last = list(items) or [""]
    return f"{', '.join(first)} e {last}" if first else last


def _effect(name, before, p):
    """Che cosa cambia nella risposta, in una frase."""
    old, new = int(before.argmax()), int(p.argmax())
    moved = "; ".join(
        f"{ANSWERS[k]} {number(before[k], 3)} → {number(p[k], 3)}" for k in dict.fromkeys((old, new))
    )
    what = "resta la stessa" if old == new else f"passa da {ANSWERS[old]} a {ANSWERS[new]}"
    return f"{name[0].upper()}{name[1:]}, la risposta {what}: {moved}."


def _score(about, words, key, name):
    """Che cosa sono i segni; quante frasi di prova restano giuste, se su frasi come questa si è misurato."""
    right, places = expected_ending(words), key.startswith("v")
    grey = " In grigio: con tutte le teste." if key else ""
    lines = [] if right is None else [f"✓: la desinenza giusta.{grey}"]
    value = about["accuracy"].get(key)
    if value is None or (places and (len(words) != 6 or right is None)):
        return lines
    now = f", {_percent(value)} {'con il divieto' if places else name}" if key else ""
    return [
        *lines,
        f"Genere giusto, {number(about['sentences'])} frasi di prova con un attrattore (a caso 50 %):",
        f"{_percent(about['accuracy'][''])} con tutte le teste{now}.",
    ]


def _percent(share):
    return f"{number(100 * share, 1)} %"


def _about(about):
    """Da dove vengono le teste."""
    return (
        f"Le teste sono addestrate per te: lo rifarai nel notebook 8. (Seme {about['seed']}, "
        f"{number(about['steps'])} passi.)"
    )
