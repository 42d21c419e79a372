"""Lo stato di Softmax e temperatura: dai logit ai coefficienti, per la via stabile e per quella diretta."""

from __future__ import annotations

import numpy as np

from course_lib.notation import number
from course_lib.transformer.attention import softmax
from course_lib.widgets.state.plain import check_names, hidden, plain, real_array

FEWEST, MOST = 3, 8              # quanti logit
COLDEST, HOTTEST = 0.1, 5.0      # la temperatura
LARGEST = 100_000.0              # il logit più grande che si accetta, in valore assoluto
HALF_SPAN = 5.0                  # i cursori vanno da centro − 5 a centro + 5
WORDS = ("chiave", "libri", "era", "accanto", "ai", "la", "arrugginita", ".")
LETTERS = ("a", "b", "c", "d", "e", "f", "g", "h")
DIRECT = {"float32": np.float32, "float64": np.float64}
EQUAL = {"float32": 1e-5, "float64": 1e-12}      # entro quanto la via diretta «regge»


def state(logits, temperature=1.0, shift=0.0, names=None, span=None):
    """I coefficienti di pochi logit a una temperatura, con ogni passo del conto.

    logits: (n,), n da 3 a 8   temperature: τ, da 0,1 a 5   shift: c, aggiunto a tutti i logit
    names: n nomi; se mancano, le lettere   span: [minimo, massimo] dei cursori; se manca, centrato sui logit
    Restituisce: un dizionario; `ways` ha il conto fatto in tre modi (stable, float32, float64), con None e
    una parola dove il risultato non è un numero.
    Solleva ValueError, con una frase da mostrare, se un argomento non va.
    Fonte: Vaswani et al. 2017, §3.2.1; il massimo sottratto: Goodfellow et al. 2016, §4.1.
    """
    logits = _logits(logits)
    temperature = _within("τ", temperature, COLDEST, HOTTEST)
    shift = _within("c", shift, -LARGEST, LARGEST)
    names = check_names(LETTERS[: len(logits)] if names is None else names, len(logits), "names")
    scaled = (logits + shift) / temperature                              # (n,)
    weights = softmax(scaled)                                            # (n,)
    drift = float(np.abs(weights - softmax(logits / temperature)).max())
    ways = {"stable": _stable(scaled, weights)}
    ways |= {kind: _direct(logits + shift, temperature, kind, weights) for kind in DIRECT}
    entropy, most = _entropy(weights), _most(weights)
    return {
        "names": names, "logits": plain(logits), "span": _span(logits, span),
        "temperature": temperature, "shift": shift,
        "shifted": plain(logits + shift), "scaled": plain(scaled), "reduced": plain(scaled - scaled.max()),
        "weights": plain(weights), "largest": float(weights.max()), "most": most,
        "entropy": entropy, "entropy_max": float(np.log2(len(logits))),
        "ways": ways,
        "notes": _notes(names, logits, shift, drift),
        "finding": _finding(names, weights, most, entropy),
    }  # fmt: skip


def longer(names):
    """I nomi con uno in più, il primo libero fra le parole della frase o fra le lettere."""
    pool = WORDS if names[0] in WORDS else LETTERS
    free = [name for name in (*pool, *LETTERS, *WORDS) if name not in names]
    return [*names, free[0]]


def middle(span):
    """Il logit di una candidata nuova: il centro dei cursori."""
    return round((span[0] + span[1]) / 2, 1)


def sentence(found, j):
    """La riga j in parole, come la legge il widget."""
    stable = found["ways"]["stable"]
    return (
        f"{found['names'][j]}: logit {number(found['shifted'][j])}; ÷τ = {number(found['scaled'][j])}; "
        f"meno il massimo {number(found['reduced'][j])}; esponenziale {stable['texts'][j]}; "
        f"coefficiente {number(found['weights'][j], 3)}"
    )


def summary(found):
    """I coefficienti e l'entropia in parole, per chi non vede la figura."""
    rows = [f"{sentence(found, j)}." for j in range(len(found["names"]))]
    return "\n".join([f"Temperatura τ = {number(found['temperature'])}: {found['finding']}.", *rows])


def short(value):
    """Un esponenziale in poco spazio: «7,389», «2,20·10⁴», «∞»."""
    value = float(value)
    if not np.isfinite(value):
        return number(value)
    if 0.0005 <= value < 10_000 or value == 0.0:
        return number(value, 3) if value != round(value) else number(value, 0)
    mantissa, _, exponent = f"{value:.2e}".partition("e")
    power = str(int(exponent)).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
    return f"{mantissa.replace('.', ',')}·10{power}"


def _logits(values):
    if isinstance(values, str):
        raise ValueError(f"logits: mi aspettavo da {FEWEST} a {MOST} numeri, è arrivato un testo.")
    message = f"logits: mi aspettavo da {FEWEST} a {MOST} numeri, è arrivato {values!r:.60}."
    try:
        array = real_array(list(values), message)
    except TypeError:
        raise ValueError(message) from None
    if array.ndim != 1 or not FEWEST <= len(array) <= MOST:
        raise ValueError(
            f"logits: mi aspettavo da {FEWEST} a {MOST} numeri in fila, è arrivata la forma {array.shape}."
        )
    if not (np.abs(array) <= LARGEST).all():
        raise ValueError(
            f"logits: mi aspettavo numeri fra −{number(LARGEST, 0)} e {number(LARGEST, 0)}; uno non lo è."
        )
    return array


def _within(name, value, low, high):
    try:
        found = float("nan") if isinstance(value, str) or hidden(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = float("nan")
    if not low <= found <= high:
        shown = number(found) if found == found else repr(value)[:40]
        raise ValueError(
            f"{name}: mi aspettavo un numero fra {number(low)} e {number(high)}, è arrivato {shown}."
        )
    return found


def _span(logits, span):
    """Da dove a dove vanno i cursori: quello chiesto se contiene i logit, se no uno centrato su di loro."""
    if span is not None:
        low, high = float(span[0]), float(span[1])
        if low <= logits.min() and logits.max() <= high and low < high:
            return [low, high]
    if np.abs(logits).max() <= HALF_SPAN:
        return [-HALF_SPAN, HALF_SPAN]
    centre = float(np.round((logits.min() + logits.max()) / 2))
    half = max(HALF_SPAN, float(np.ceil(np.abs(logits - centre).max())))
    return [centre - half, centre + half]


def _stable(scaled, weights):
    """Prima si toglie il massimo: il più grande esponente è 0, il suo esponenziale 1."""
    exponentials = np.exp(scaled - scaled.max())
    return {
        "ok": True, "exponentials": plain(exponentials), "texts": [short(e) for e in exponentials],
        "total": short(exponentials.sum()), "weights": plain(weights), "sum": float(weights.sum()),
        "verdict": "regge sempre", "detail": "l'esponente più grande è 0, e⁰ = 1",
    }  # fmt: skip


def _direct(logits, temperature, kind, right):
    """La formula com'è scritta, in float32 o in float64: che cosa dà davvero NumPy, anche se trabocca."""
    dtype = DIRECT[kind]
    with np.errstate(all="ignore"):
        scaled = logits.astype(dtype) / dtype(temperature)
        exponentials = np.exp(scaled)
        total = exponentials.sum(dtype=dtype)
        weights = exponentials / total
    limit = float(np.log(np.finfo(dtype).max))
    ok, verdict = _verdict(exponentials, total, weights, right, EQUAL[kind])
    return {
        "ok": ok, "exponentials": plain(exponentials), "texts": [short(e) for e in exponentials],
        "total": short(total), "weights": plain(weights), "sum": plain(weights.sum(dtype=float)),
        "verdict": verdict,
        "detail": f"esponente più grande {number(round(float(scaled.max()), 1))}; limite {number(limit, 1)}",
    }  # fmt: skip


def _verdict(exponentials, total, weights, right, tolerance):
    if np.isinf(exponentials).any():
        return False, "trabocca: ∞ ÷ ∞ non è un numero"
    if np.isinf(total):
        return False, "la somma trabocca: ogni coefficiente dà 0"
    if total == 0.0:
        return False, "si annulla: 0 ÷ 0 non è un numero"
    error = float(np.abs(weights.astype(float) - right).max())
    if error > tolerance:
        return False, f"perde cifre: sbaglia di {short(error)}"
    return True, "regge: coefficienti giusti"


def _entropy(weights):
    """Quanto sono sparsi i coefficienti, in bit: 0 se uno solo vale 1, log₂ n se sono uguali."""
    positive = weights[weights > 0]
    return float(-(positive * np.log2(positive)).sum()) + 0.0


def _most(weights):
    return [j for j, weight in enumerate(weights) if weights.max() - weight < 5e-4]


def _finding(names, weights, most, entropy):
    tail = f"entropia {number(entropy, 2)} bit, al più {number(np.log2(len(names)), 2)}"
    value = number(weights[most[0]], 3)
    if len(most) == len(names):
        return f"Coefficienti uguali, {value} ciascuno; {tail}"
    which = " e ".join(f"«{names[j]}»" for j in most)
    return f"Il coefficiente più grande è di {which}: {value}; {tail}"


def _notes(names, logits, shift, drift):
    """Le righe sotto la figura: i due limiti della temperatura e, se c non è 0, l'invarianza."""
    top = [names[j] for j in range(len(names)) if logits[j] == logits.max()]
    share = number(1 / len(names), 3)
    if len(top) == 1:
        cold = f"Se τ → 0, tutto va al logit più grande: «{top[0]}» tende a 1, gli altri a 0."
    else:
        part = number(1 / len(top), 3)
        cold = f"Se τ → 0, i {len(top)} logit più grandi, alla pari, tendono a {part} ciascuno."
    lines = [cold, f"Se τ → ∞, i coefficienti diventano uguali: 1 ÷ {len(names)} = {share} ciascuno."]
    if shift:
        rounding = "" if drift == 0.0 else f" (differenza {short(drift)}: solo arrotondamento)"
        lines += [
            f"Aggiunto {number(shift, sign=True)} a tutti i logit: i coefficienti non cambiano{rounding}. "
            "Il fattore e^{c/τ} si semplifica.",
        ]
    return lines
