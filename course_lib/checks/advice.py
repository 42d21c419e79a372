"""Che cosa si dice a chi studia quando Python ferma la sua funzione."""

from __future__ import annotations

import re

from course_lib.checks.exercise import Check
from course_lib.checks.observe import Failure

ADVICE = {
    "TypeError": "Spesso vuol dire che un valore non è del tipo che pensavi, o che gli argomenti non "
    "sono quelli della scheda: {signature}.",
    "IndexError": "Un indice esce dai limiti: si conta da 0, e l'ultimo indice è la lunghezza meno 1.",
    "KeyError": "Un dizionario non ha la chiave che cerchi.",
    "NameError": "Un nome non è definito: è scritto bene? Hai eseguito la cella che lo definisce?",
    "UnboundLocalError": "Una variabile è usata prima che la funzione le dia un valore.",
    "ZeroDivisionError": "Una divisione per zero: quale divisore può valere 0?",
    "AttributeError": "Si chiede a un valore qualcosa che non ha: è del tipo che pensavi, e gli argomenti "
    "sono nell'ordine della scheda?",
    "OverflowError": "Un numero è diventato troppo grande per Python: quale conto lo fa crescere tanto?",
    "RecursionError": "La funzione continua a richiamare sé stessa.",
    "ErroreAllievo": "Provala in una cella tua, con gli ingressi scritti qui sotto.",
}
SHAPES = "Spesso vuol dire che due forme non combaciano: stampale con .shape e confrontale."
# di uno stesso nome Python usa più messaggi: questi dicono qualcosa di più preciso
FOR_TEXT = {
    "matmul: Input operand": "Nel prodotto @ le colonne del primo sono tante quante le righe del secondo, "
    "e con più di due assi contano gli ultimi due: stampa le due forme con .shape.",
    "bounds for array of": "L'asse che hai indicato qui non c'è: quanti assi ha l'array, "
    "e da quale parte conviene contarli?",
    "value of an array": "Un array dà tanti sì e no insieme, e if, and, or e not ne vogliono uno solo: "
    "con quali segni si ragiona cella per cella?",
    "Cannot cast ufunc": "Un segno come += o /= scrive dentro l'array che ha davanti: di chi è quell'array, "
    "e quali numeri può contenere?",
    "float infinity to integer": "In un array di interi l'infinito non entra: di chi è l'array in cui "
    "scrivi?",
    "float NaN to integer": "In un array di interi NaN non entra: di chi è l'array in cui scrivi?",
    "boolean index did not match": "Fra le parentesi quadre c'è un array logico di un'altra forma: quella "
    "dell'array da cui scegli qual è?",
    "too many indices": "Fra le parentesi quadre ci sono più indici che assi: quanti assi ha quell'array, "
    "con questi ingressi?",
    "either both or neither of x and y": "np.where vuole tre cose: la domanda, che cosa mettere dove la "
    "risposta è sì, che cosa dove è no. Quale manca?",
    "with a sequence": "In un array stanno soltanto cose della stessa forma: quelle che hai messo insieme "
    "dovevano stare in un array solo?",
    "broadcast": SHAPES,
    "not aligned": SHAPES,
    "mismatch": SHAPES,
    "cannot reshape": SHAPES,
    "must match exactly": SHAPES,
    "must have the same shape": SHAPES,
    "'NoneType' object has no attribute": "Qualcosa vale None: il metodo che ti dovrebbe dare quel valore "
    "restituisce qualcosa, o cambia la lista e basta?",
    "unhashable type": "Chiave di un dizionario, o elemento di un insieme, può essere soltanto ciò che non "
    "cambia: che cosa hai al posto di una stringa, di un numero o di una tupla?",
    "builtin_function_or_method": "Dopo il nome di una funzione mancano le parentesi?",
    "for ^": "In Python il segno ^ non è la potenza: qual è?",
    "'bitwise_xor' not supported": "In Python il segno ^ non è la potenza: qual è?",
    "object is not callable": "Ciò che chiami con le parentesi non è una funzione: il suo nome è stato "
    "riusato per un valore, o manca un segno fra i due?",
    "can be converted to Python scalars": "Le funzioni di math lavorano su un numero alla volta: a chi "
    "le applichi?",
    "module 'numpy' has no attribute": "In NumPy questo nome non c'è: è scritto bene?",
    "module 'math' has no attribute": "In math questo nome non c'è: è scritto bene?",
    "raw_input was called": "La funzione chiede qualcosa con input(): da dove le arrivano i dati?",
}
CALLED = re.compile(r"(?:[\w<>]+\.)*(\w+)\(\) (?:missing|takes|got) ")


def advice(check: Check, failure: Failure) -> list[str]:
    """La riga che segue l'errore di Python: nessuna, se non c'è nulla di utile da dire."""
    precise = next((text for said, text in FOR_TEXT.items() if said in failure.text), None)
    if precise is not None:
        return [precise]
    called = CALLED.match(failure.text) if failure.name == "TypeError" else None
    if called is not None and called[1] != check.name:
        return [f"È {called[1]} che non accetta quegli argomenti: quali vuole, e in quale ordine?"]
    if failure.name in ADVICE:
        return [ADVICE[failure.name].format(signature=check.signature)]
    return []
