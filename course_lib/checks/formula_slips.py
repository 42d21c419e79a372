"""Errori tipici della formula dell'attenzione che tornano in più esercizi: nome e domanda di ciascuno."""

NO_SCALE = (
    "senza scala",
    "I tuoi punteggi sono quelli attesi, moltiplicati tutti per uno stesso numero: quale passaggio "
    "della formula manca?",
)
TIMES_ROOT = (
    "moltiplicato per √d_k",
    "La scala deve rendere i punteggi più piccoli, i tuoi sono diventati più grandi: quale "
    "operazione hai usato?",
)
TIMES_ROOT_IN_WEIGHTS = (
    "moltiplicato per √d_k",
    "Un token prende quasi tutto: la scala ingrandisce i tuoi punteggi o li riduce?",
)
DIVIDED_BY_LENGTH = (
    "diviso per d_k",
    "I tuoi coefficienti sono troppo vicini fra loro: che cosa c'è, nella formula, sotto la linea di "
    "frazione?",
)
ROOT_OF_TWO = ("scala fissa √2", "Dividi sempre per √2. Nel notebook era giusto: perché là, e qui no?")
COSINE = (
    "diviso per i moduli",
    "I tuoi punteggi stanno tutti fra −1 e 1: hai calcolato il coseno di un angolo. Per che cosa "
    "divide la scheda?",
)
WRONG_LENGTH = (
    "scala da una dimensione sbagliata",
    "Per la scala conta quante componenti hanno i vettori di cui fai il prodotto scalare: "
    "tu che cosa hai contato?",
)
DIVIDED_BY_COUNT = (
    "divisi per quanti sono",
    "Dividi per il numero dei punteggi: i coefficienti che ottieni hanno somma 1?",
)
SIGN_FLIPPED = (
    "segno invertito",
    "Il punteggio più alto riceve il coefficiente più basso: dove cambia segno?",
)
LOGARITHM = (
    "logaritmo dei coefficienti",
    "I tuoi numeri sono negativi, un coefficiente no: c'è un logaritmo di troppo?",
)
OTHER_BASE = (
    "un'altra base",
    "Il rapporto fra due tuoi coefficienti è una potenza di un numero diverso da e: quale base hai usato?",
)
SCALED_TWICE = ("scala ripetuta", "I punteggi arrivano qui già scalati: perché li dividi ancora?")
VALUES_BY_SCORES = (
    "value combinati con i punteggi",
    "Con che cosa hai moltiplicato i value: con i punteggi o con i coefficienti?",
)
