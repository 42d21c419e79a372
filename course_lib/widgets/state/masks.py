"""Lo stato delle Maschere: punteggi, maschera e coefficienti, nell'ordine giusto e in quello sbagliato."""

from __future__ import annotations

import numpy as np

from course_lib.notation import number
from course_lib.transformer.attention import softmax
from course_lib.widgets.state.mask_questions import questions
from course_lib.widgets.state.plain import MOST_TOKENS, check_mask, check_names, plain, real_array

BY_HAND = "A mano"
LARGEST = 9999  # il punteggio più grande, in valore assoluto: di più non sta in una cella
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def state(scores, rows, columns, mask, name=BY_HAND, note=""):
    """Che cosa fa una maschera ai coefficienti, messa prima della softmax oppure (per errore) dopo.

    scores: (L, S), già divisi per √d_k   rows, columns: L e S nomi, tutti diversi
    mask: (L, S) bool, True = può guardare   name, note: come si chiama la maschera, e che cosa vieta
    Restituisce: un dizionario; open sono i coefficienti senza maschera, weights quelli giusti, late quelli
    con la maschera dopo la softmax: (L, S), None dove è vietato; sums, late_sums e missing (quanto manca
    a late_sums) sono (L,); blocked: le righe che non possono guardare nulla, a 0 per convenzione del corso.
    Solleva ValueError, con una frase da mostrare, se forme, nomi o numeri non vanno.
    Fonte: Vaswani et al. 2017, §3.2.3; la griglia di «hello» dal documento S1.
    """
    scores = check_scores(scores)
    L, S = scores.shape
    rows, columns = check_names(rows, L, "rows"), check_names(columns, S, "columns")
    allowed = check_mask(mask, scores.shape)
    opened = softmax(scores)                                             # (L, S): chi guarderebbe tutti
    weights = softmax(scores, mask=allowed)                              # (L, S): prima la maschera
    late = np.where(allowed, opened, 0.0)                                # (L, S): dopo, troppo tardi
    missing = np.where(allowed, 0.0, opened).sum(axis=-1)                # (L,)
    blocked = np.flatnonzero(~allowed.any(axis=-1)).tolist()
    found = {
        "name": name, "note": note or "Maschera disegnata da te, una cella alla volta",
        "rows": rows, "columns": columns, "scores": plain(scores),
        "largest": float(np.abs(scores).max()), "allowed": allowed.tolist(),
        "masked": not bool(allowed.all()), "blocked": blocked,
        "open": plain(opened), "weights": plain(weights, allowed), "sums": plain(weights.sum(axis=-1)),
        "late": plain(late, allowed), "late_sums": plain(late.sum(axis=-1)), "missing": plain(missing),
        "wrong": (missing > 5e-4).tolist(),
    }  # fmt: skip
    asked = {"before": None, "after": None} if name == BY_HAND else questions(found)   # la propria si conosce
    return found | _words(found) | {"questions": asked}


def check_scores(scores):
    """I punteggi come matrice (L, S) di numeri finiti. Solleva ValueError se non lo sono, o sono troppi."""
    scores = real_array(scores, f"scores: mi aspettavo una matrice di numeri, è arrivato {scores!r:.60}.")
    if scores.ndim != 2 or 0 in scores.shape:
        raise ValueError(f"scores: mi aspettavo righe e colonne, non vuote; la forma è {scores.shape}.")
    if max(scores.shape) > MOST_TOKENS:
        raise ValueError(
            f"scores: si mostrano al più {MOST_TOKENS} token, la forma è {scores.shape}. "
            "Scegline una parte, per esempio le prime righe: con di più le celle non si leggerebbero."
        )
    if not np.isfinite(scores).all():
        raise ValueError("scores: mi aspettavo numeri finiti; a vietare le celle pensa la maschera.")
    if np.abs(scores).max() > LARGEST:
        raise ValueError(
            f"scores: mi aspettavo numeri fra −{number(LARGEST)} e {number(LARGEST)}, uno vale "
            f"{number(scores.flat[np.abs(scores).argmax()])}. Hai diviso per √d_k?"
        )
    return scores


def distinct(names):
    """I nomi, con il posto (contato da 1) in piccolo accanto a quelli che si ripetono: l₃ e l₄."""
    names = [str(name) for name in names]
    return [
        f"{name}{str(i + 1).translate(_SUBSCRIPTS)}" if names.count(name) > 1 else name
        for i, name in enumerate(names)
    ]


def _words(found):
    """Le frasi: una per cella e una per riga, nei due ordini, e il risultato in una riga."""
    cells = [[(i, j) for j in range(len(found["columns"]))] for i in range(len(found["rows"]))]
    return {
        "sentences": [[_sentence(found, i, j) for i, j in row] for row in cells],
        "late_sentences": [[_late_sentence(found, i, j) for i, j in row] for row in cells],
        "row_notes": [_row_note(found, i) for i in range(len(cells))],
        "late_row_notes": [_late_row_note(found, i) for i in range(len(cells))],
        "finding": _finding(found),
        "late_finding": _late_finding(found),
    }


def _opening(found, i, j):
    may = "può guardare" if found["allowed"][i][j] else "vietato"
    return f"{found['rows'][i]} → {found['columns'][j]}: punteggio {number(found['scores'][i][j], 2)}; {may}"


def _sentence(found, i, j):
    if i in found["blocked"]:
        return f"{_opening(found, i, j)}; coefficiente 0, per convenzione: la riga non può guardare nessuno"
    if not found["allowed"][i][j]:
        return f"{_opening(found, i, j)}: punteggio + (−∞) = −∞; coefficiente 0"
    return f"{_opening(found, i, j)}; coefficiente {number(found['weights'][i][j], 3)}"


def _late_sentence(found, i, j):
    part = number(found["open"][i][j], 3)
    if not found["allowed"][i][j]:
        return f"{_opening(found, i, j)}: la softmax gli aveva già dato {part}, e la riga lo perde"
    return f"{_opening(found, i, j)}; resta {part}, calcolato dividendo anche per le celle vietate"


def _row_note(found, i):
    name, may = found["rows"][i], sum(found["allowed"][i])
    if not may:
        return (
            f"«{name}» non può guardare nessuno: con −∞ ovunque la softmax sarebbe 0 ÷ 0. "
            "Per convenzione del corso la riga vale 0."
        )
    if may == 1:
        return f"«{name}» può guardare un posto solo, e gli dà tutto: coefficiente 1."
    who = "di tutti i posti" if may == len(found["columns"]) else "dei soli posti che vede"
    return f"Per «{name}» la softmax divide per la somma di {may} esponenziali, quelli {who}."


def _late_row_note(found, i):
    name, banned = found["rows"][i], found["allowed"][i].count(False)
    if not banned:
        return f"«{name}» non ha celle vietate: per questa riga l'ordine non conta."
    cells = "alla cella vietata" if banned == 1 else f"alle {banned} celle vietate"
    return (
        f"A «{name}» manca {number(found['missing'][i], 3)}: la softmax l'aveva dato {cells}. "
        "Chi è vietato ha pesato lo stesso sul divisore."
    )


def _finding(found):
    rows, blocked = found["rows"], found["blocked"]
    if blocked:
        names = ", ".join(f"«{rows[i]}»" for i in blocked)
        return f"Non possono guardare nessuno: {names}; per convenzione del corso coefficienti 0 e Σ = 0"
    if not found["masked"]:
        return "Nessun divieto: la softmax divide ogni riga fra tutti, Σ = 1"
    banned = sum(row.count(False) for row in found["allowed"])
    cells = len(rows) * len(found["columns"])
    return f"Celle vietate: {banned} su {cells}. La softmax divide fra le permesse, e ogni Σ fa 1"


def _late_finding(found):
    wrong = sum(found["wrong"])
    if not wrong:
        return "Ordine sbagliato, ma qui nessuna riga perde nulla: le celle vietate non pesavano"
    rows = "una riga" if wrong == 1 else f"{wrong} righe"
    total = len(found["rows"])
    return f"Ordine sbagliato: {rows} su {total} con Σ ≠ 1. Il divisore contava anche le celle vietate"
