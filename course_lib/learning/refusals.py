"""Le frasi con cui un Tensor rifiuta ciò che non si può derivare, e dice che cosa scrivere al suo posto."""

from __future__ import annotations

NO_WRITING = (
    "Dentro un Tensor non si scrive: il gradiente dei numeri di prima andrebbe perso. "
    "Al posto di a += b scrivi a = a + b; al posto di un ciclo che riempie un array, il conto in blocco "
    "(o np.stack, o np.concatenate, di una lista)."
)
NO_ARRAY = (
    "Un Tensor non si trasforma in un array: il gradiente si perderebbe. Togli np.array e np.asarray, usa "
    "np.stack per unire una lista di Tensor, e non riempire un array in un ciclo: scrivi il conto in blocco."
)
NO_PATH = (
    "L'attenzione ha restituito un array, non un Tensor: per strada ha lasciato i Tensor (.data?), e il "
    "gradiente non la attraversa. Scrivi il conto in blocco, su Q, K e V così come arrivano."
)
NO_NUMBER = (
    "Un Tensor non si trasforma in un numero di Python (float, math.exp, una cella riempita in un ciclo): il "
    "gradiente si perderebbe. Usa le funzioni di NumPy (np.exp) e scrivi il conto in blocco; "
    "se ti serve soltanto il valore, è .item()."
)
NO_TRUTH = (
    "Un Tensor non è né vero né falso: al posto di if scrivi np.where(condizione, a, b); "
    "se ti servono soltanto i numeri, sono in .data."
)
