"""Le previsioni delle Maschere: chi può guardare chi, e quanto farà Σ con la maschera messa dopo."""

from __future__ import annotations

MOST_OPTIONS = 4


def questions(found):
    """Le due domande su una maschera: prima di vederla, e prima di vederla messa dopo la softmax.

    found: lo stato senza domande
    Restituisce: {"before": …, "after": …}; ciascuna è None se non c'è nulla da prevedere, oppure un
    dizionario con row (la riga di cui si chiede), text, options e right (il posto della risposta giusta).
    """
    return {"before": _before(found), "after": _after(found)}


def _before(found):
    if not found["masked"]:
        return None
    if found["blocked"]:
        row = found["blocked"][0]
        options = ["tutti 0, e Σ = 0", "tutti uguali, e Σ = 1", "1 a sé, 0 agli altri"]
        text = f"«{found['rows'][row]}» non può guardare nessuno. Quali coefficienti avrà?"
        return {"row": row, "text": text, "options": options, "right": 0}
    row = _middle([i for i, line in enumerate(found["allowed"]) if not all(line)])
    place = len(found["columns"]) - len(found["rows"]) + row             # le query sono le ultime posizioni
    columns = range(len(found["columns"]))
    right = tuple(j for j in columns if found["allowed"][row][j])
    guesses = [
        tuple(j for j in columns if j <= place),
        tuple(j for j in columns if j < place),
        tuple(j for j in columns if j >= place),
        tuple(columns),
        tuple(j for j in columns if j <= row),
        tuple(j for j in columns if abs(j - place) < 2),
    ]
    sets = list(dict.fromkeys(guess for guess in guesses if guess))
    kept = [*[guess for guess in sets if guess != right][: MOST_OPTIONS - 1], right]
    order = sorted(kept, key=lambda guess: (len(guess), guess))
    text = f"Chi potrà guardare «{found['rows'][row]}»?"
    options = [_who(found["columns"], guess) for guess in order]
    return {"row": row, "text": text, "options": options, "right": order.index(right)}


def _after(found):
    wrong = [i for i, late in enumerate(found["wrong"]) if late and i not in found["blocked"]]
    if not wrong:
        return None
    row = _middle(wrong)
    text = f"La maschera cancella dopo la softmax. Quanto farà Σ nella riga di «{found['rows'][row]}»?"
    return {"row": row, "text": text, "options": ["1, come prima", "meno di 1", "più di 1"], "right": 1}


def _middle(rows):
    return rows[len(rows) // 2]


def _who(names, places):
    if len(places) == len(names):
        return "tutti"
    return f"solo {names[places[0]]}" if len(places) == 1 else ", ".join(names[j] for j in places)
