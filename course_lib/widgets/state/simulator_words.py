"""Le frasi del Simulatore: che cosa si trova in ogni fase, e che cosa prevedere prima di guardare."""

from __future__ import annotations

from course_lib.notation import number

SEEN = 5e-4                      # una differenza più piccola non si vede nelle tre cifre scritte
FEW = 3                          # quanti token al più si elencano per nome


def findings(found, full):
    """Una frase per fase: token, embedding, posizione, attenzione.

    found: lo stato del Simulatore   full: per ogni frase ciò che ne dice transformer/simulator.py
    """
    return [_tokens(found, full), _embedding(found, full), _position(found, full), attention(found, full)]


def _tokens(found, full):
    kind, changed = found["kind"], found["changed"][0]
    if kind == "apart":
        return f"Due frasi: {count(full[0])} token nella prima, {count(full[1])} nella seconda"
    if kind in ("dims", "same"):
        return "La stessa frase due volte: stessi token, stessi ID"
    if kind == "order":
        return "Gli stessi token e gli stessi ID, in un altro ordine"
    if kind == "changed" and len(changed) == 1:
        old, new = (f"«{side['tokens'][changed[0]]}», ID {side['ids'][changed[0]]}" for side in full)
        return f"Cambia un token solo, al posto {changed[0]}: {old}, diventa {new}"
    if kind == "changed":
        return f"Cambiano {len(changed)} token su {count(full[0])}: quelli {places(changed)}"
    one = full[0]
    if one["equal_tokens"]:
        group = one["equal_tokens"][0]
        return (
            f"«{one['tokens'][group[0]]}» sta {places(group)} e ha sempre l'ID {one['ids'][group[0]]}: "
            "un ID nomina una parola, non un posto"
        )
    return f"{count(one)} token, {count(one)} ID: un ID nomina una parola, non un posto"


def _embedding(found, full):
    kind, changed = found["kind"], found["changed"][0]
    if kind == "dims":
        few, many = sorted(side["d"] for side in full)
        return f"Le prime {few} dimensioni sono le stesse: con d = {many} se ne aggiungono altre {many - few}"
    if kind == "same":
        return "La stessa frase, le stesse dimensioni: le due matrici sono uguali"
    if kind == "order":
        return "Le stesse righe, in un altro ordine"
    if kind == "changed":
        return _rows_changed("Cambia soltanto la riga", f"Cambiano {len(changed)} righe", changed, full[0])
    text = f"Ogni ID diventa una riga di {found['d']} numeri, calcolati con una formula dall'ID"
    return text + equal_rows(full, "embedding", "; ")


def _position(found, full):
    kind, changed = found["kind"], found["changed"][0]
    if not found["positions"]:
        return "Posizioni spente: non si somma nulla" + equal_rows(full, "final", ". ")
    if kind == "order":
        return (
            "Le stesse parole in altri posti: cambiano le righe finali di "
            f"{len(changed)} token su {count(full[0])}"
        )
    if kind == "changed":
        return _rows_changed(
            "Il codice dipende dal posto, non dalla parola: cambia soltanto la riga finale",
            f"Il codice dipende dal posto, non dalla parola: cambiano {len(changed)} righe finali",
            changed, full[0],
        )  # fmt: skip
    if kind == "dims":
        return "Le dimensioni 0 e 1 del codice non dipendono da d, le altre sì: onde più lente"
    return "A ogni riga si somma 0,3 × il codice del suo posto" + equal_rows(full, "final", "; ")


def attention(found, full):
    """Che cosa si misura sulle mappe dei coefficienti."""
    kind = found["kind"]
    if kind == "single":
        equal = "" if found["positions"] else equal_rows(full, "weights", ". ")
        return selves(full[0]) + equal
    if kind == "dims":
        one, two = full
        return f"Con d = {one['d']}: {lower(selves(one))}. Con d = {two['d']}: {lower(selves(two))}"
    if kind == "apart":
        return f"Prima frase: {lower(selves(full[0]))}. Seconda: {lower(selves(full[1]))}"
    if kind == "same" or largest(found) < SEEN:
        return "I coefficienti sono gli stessi" + (
            ", in un altro ordine: senza posizioni l'attenzione non vede l'ordine" if kind == "order" else ""
        )
    return f"Il coefficiente che cambia di più, {where(found, full)}, cambia di {number(largest(found), 3)}"


def nothing_to_read(found):
    """Ciò che vale per ogni frase scritta qui."""
    return (
        "I vettori vengono dagli ID e dai posti con una formula fissa: nessuno li ha addestrati, e dalla "
        "mappa non si può leggere nulla sulla lingua."
    )


def question(found):
    """La previsione da chiedere prima di mostrare i coefficienti: testo, scelte e quella giusta, o None.

    id: la stessa previsione non si chiede due volte
    """
    kind = found["kind"]
    if kind == "order":
        return _asked(
            found, "Le stesse parole in un altro ordine: i coefficienti fra due parole restano gli stessi?",
            ["sì, tutti", "no, qualcuno cambia"], int(largest(found) >= SEEN),
            "con le posizioni" if found["positions"] else "senza posizioni",
        )  # fmt: skip
    if kind == "changed":
        top = largest(found)
        return _asked(
            found, "Di quanto cambia, al massimo, un coefficiente fra una frase e l'altra?",
            ["meno di 0,05", "fra 0,05 e 0,2", "più di 0,2"], (top >= 0.05) + (top > 0.2),
        )  # fmt: skip
    side = found["sides"][-1]
    n = len(side["tokens"])
    if n == 1 or kind == "same":
        return None
    which = {"dims": f" con d = {side['d']}", "apart": " nella seconda frase"}.get(kind, "")
    k = len(_selves(side["weights"]))
    right = 0 if k == n else 3 if k == 0 else 1 if 2 * k > n else 2
    choices = ["tutti", "più della metà", "la metà o meno", "nessuno"]
    return _asked(found, f"Quanti token guardano soprattutto sé stessi{which}?", choices, right)


def _asked(found, text, choices, right, more=""):
    name = "|".join([*found["sentences"], more])
    return {"id": name, "text": text, "choices": choices, "right": int(right)}


def selves(one):
    """Quanti token hanno in sé stessi il coefficiente più grande, e quali no."""
    n, own = count(one), _selves(one["weights"])
    if n == 1:
        return "Un token solo guarda sé stesso: coefficiente 1"
    if len(own) == n:
        return f"Tutti e {n} i token guardano soprattutto sé stessi"
    if not own:
        return "Nessun token guarda soprattutto sé stesso"
    others = [i for i in range(n) if i not in own]
    many = len(others) > FEW
    names = "" if many else f"; non lo fa {named(one, others)}" if len(others) == 1 else (
        f"; non lo fanno {named(one, others)}"
    )
    verb = "guarda soprattutto sé stesso" if len(own) == 1 else "guardano soprattutto sé stessi"
    return f"{len(own)} token su {n} {verb}{names}"


def _selves(weights):
    """I posti che guardano soprattutto sé stessi, anche alla pari con altri."""
    return [i for i, row in enumerate(weights) if max(row) - row[i] < SEEN]


def largest(found):
    """Di quanto cambia, al massimo, un coefficiente."""
    return max(abs(v) for row in found["gap"] for v in row)


def where(found, full):
    """La coppia di token il cui coefficiente cambia di più."""
    gap, top = found["gap"], largest(found)
    i, j = next((i, j) for i, row in enumerate(gap) for j, v in enumerate(row) if abs(v) == top)
    one, two = full
    before = f"{one['tokens'][i]} → {one['tokens'][j]}"
    after = f"{two['tokens'][found['match'][i]]} → {two['tokens'][found['match'][j]]}"
    return before if before.lower() == after.lower() else f"{before} che diventa {after}"


def equal_rows(full, name, join):
    """Che ne è delle righe dei token ripetuti: uguali o no, guardando i numeri. Vuoto se non ce n'è."""
    said = []
    for one in full:
        rows = one[name]
        for group in one["equal_tokens"]:
            pairs = [pair for i in group for pair in zip(rows[i], rows[group[0]], strict=True)]
            same = all(abs(a - b) < 1e-12 for a, b in pairs)
            how = "ha righe uguali" if same else "ha righe diverse"
            said.append(f"«{one['tokens'][group[0]]}», {places(group)}, {how}")
    return join + "; ".join(dict.fromkeys(said)) if said else ""


def _rows_changed(only, many, changed, one):
    if len(changed) == 1:
        return f"{only} del posto {changed[0]}"
    return f"{many} su {count(one)}: quelle {places(changed)}"


def count(one):
    """Quanti token ha una frase."""
    return len(one["tokens"])


def named(one, group):
    """I nomi dei token, fra virgolette: «a», «b» e «c»."""
    return listed([f"«{one['tokens'][i]}»" for i in group])


def places(group):
    """«al posto 2», «nei posti 0 e 3»."""
    return f"al posto {group[0]}" if len(group) == 1 else f"nei posti {listed([str(i) for i in group])}"


def listed(items):
    """Un elenco in italiano: «a, b e c»."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} e {items[-1]}"


def lower(text):
    """La frase con l'iniziale minuscola, per metterla dentro un'altra."""
    return text[0].lower() + text[1:]
