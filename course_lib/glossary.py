"""Le parole e i simboli del corso, in una tabella sola: da qui vengono il glossario e la pagina dei simboli.

Solo libreria standard: il modulo si usa da ogni piano.
"""

from __future__ import annotations

import html
import unicodedata
from typing import NamedTuple


class Term(NamedTuple):
    """Una voce: come si dice in italiano e in inglese, che cosa vuol dire, dove si incontra.

    notebook: quello che la spiega   symbol: come si scrive nelle formule   shape: la forma dell'array
    stands_for: che cosa è il simbolo, se non è la voce stessa: «N» non è un blocco, ma quanti sono
    avoid: modi di dirla che il corso non usa
    """

    italian: str
    english: str
    meaning: str
    notebook: int
    symbol: str = ""
    shape: str = ""
    stands_for: str = ""
    avoid: tuple[str, ...] = ()


TERMS = (
    Term("token", "token",
         "L'unità in cui si taglia un testo: una parola, un pezzo di parola, un carattere.", 1),
    Term("tokenizzatore", "tokenizer",
         "Il programma che taglia un testo in token, e dagli ID lo ricompone.", 1, avoid=("tokenizer",)),
    Term("token ignoto", "unknown token", "La voce che si usa al posto di un token mai visto.", 1),
    Term("vocabolario", "vocabulary", "L'elenco di tutti i token che un tokenizzatore conosce.", 1),
    Term("ID", "token ID", "Il numero di un token nel vocabolario: nomina il token, non il suo posto.", 1),
    Term("BPE", "byte-pair encoding",
         "Un modo di imparare i pezzi di parola: unisce ogni volta i due simboli vicini più frequenti.",
         1),
    Term("embedding", "embedding", "Il vettore che corrisponde a un token.", 1, "x, X", "(d,), (n, d)",
         avoid=("immersione", "incorporamento")),
    Term("dimensione del modello", "model dimension", "Quanti numeri ha il vettore di un token.", 1,
         "d, d_model"),
    Term("finestra", "window", "Quanti token, e quali, si possono guardare da un posto.", 1, "w",
         stands_for="larghezza della finestra"),
    Term("forma", "shape", "Quanti numeri ha un array lungo ogni asse: (3, 2) sono 3 righe e 2 colonne.", 1),
    Term("Transformer", "Transformer",
         "Un modello fatto di blocchi in fila, ognuno con l'attenzione e una rete feed-forward.", 1),
    Term("numero di token", "sequence length", "Quanti token ha una sequenza.", 3, "n, T"),
    Term("rete ricorrente", "recurrent neural network, RNN",
         "Una rete che legge un token alla volta e porta avanti un solo riassunto di ciò che ha letto.", 1),
    Term("prodotto scalare", "dot product", "La somma dei prodotti fra le componenti di due vettori.", 2,
         "q·k"),
    Term("query", "query", "Il vettore di chi guarda: ciò che un token cerca.", 2, "q", "(d_k,)",
         avoid=("interrogazione", "vettore domanda")),
    Term("key", "key",
         "Il vettore con cui un token si fa trovare, quando è guardato; non è il token «chiave».", 2, "k",
         "(d_k,)", avoid=("vettore chiave", "vettori chiave")),
    Term("value", "value", "Il vettore che un token consegna a chi lo guarda.", 2, "v", "(d_v,)",
         avoid=("vettore valore", "vettori valore")),
    Term("query, key e value in blocco", "queries, keys and values as matrices",
         "Le tabelle di tutte le query, le key, i value, uno per riga: L query, S key e S value.", 2,
         "Q, K, V", "(L, d_k), (S, d_k), (S, d_v)"),
    Term("numero di query, numero di key", "number of queries, number of keys",
         "Quanti guardano, cioè quante righe, e quanti sono guardati, cioè quante colonne.", 3, "L, S"),
    Term("lunghezza di query e key", "key dimension", "Quanti numeri hanno una query e una key.", 2, "d_k"),
    Term("lunghezza dei value", "value dimension", "Quanti numeri ha un value.", 2, "d_v"),
    Term("punteggio", "score", "Quanto la query di chi guarda si accorda con la key di chi è guardato.", 2,
         "s", "(L, S)", avoid=("score", "scores")),
    Term("softmax", "softmax", "La funzione che da punteggi qualsiasi ricava quote positive con somma 1.",
         2),
    Term("coefficiente di attenzione", "attention weight",
         "La quota con cui il value di chi è guardato entra nel risultato di chi guarda.", 2, "α", "(L, S)",
         avoid=("peso di attenzione", "pesi di attenzione", "peso dell'attenzione", "pesi dell'attenzione")),
    Term("uscita di una testa", "head output",
         "Il nuovo vettore di chi guarda: la media dei value secondo i coefficienti.", 2, "z, Z",
         "(d_v,), (L, d_v)"),
    Term("auto-attenzione", "self-attention",
         "Attenzione in cui query, key e value vengono dalla stessa sequenza.", 2,
         avoid=("auto-attention", "autoattenzione", "self-attenzione")),
    Term("parametro", "parameter, learned weight",
         "Un numero che l'addestramento sceglie e che poi resta, qualunque sia il testo.", 2, "W",
         stands_for="matrice di parametri"),
    Term("matrici di proiezione", "projection matrices",
         "Le matrici di parametri che da ogni embedding ricavano query, key e value.", 2, "W_Q, W_K, W_V",
         "(d_model, d_k), (d_model, d_k), (d_model, d_v)"),
    Term("mappa di attenzione", "attention map", "La tabella dei coefficienti, una riga per chi guarda.", 2,
         shape="(L, S)"),
    Term("temperatura", "temperature",
         "Il numero per cui si dividono i punteggi: più è alta, più i coefficienti si somigliano.",
         3, "τ"),
    Term("logit", "logit", "Un numero qualsiasi da cui una softmax ricava una quota.", 3, "ℓ"),
    Term("batch", "batch", "Più frasi calcolate insieme, una per pagina.", 3, "B",
         stands_for="numero di frasi di un batch"),
    Term("trasposta", "transpose", "La tabella con le righe al posto delle colonne.", 3),
    Term("varianza", "variance",
         "La media dei quadrati delle distanze dalla media: dice quanto dei numeri sono sparsi.", 3),
    Term("entropia", "entropy",
         "Quanto i coefficienti di una riga sono sparsi: 0 se uno prende tutto, massima se sono uguali.", 3),
    Term("maschera", "mask", "Dice chi può guardare chi; nella formula vale 0 dove si può e −∞ dove no.", 4,
         "M", "(L, S)"),
    Term("maschera causale", "causal mask", "La maschera che lascia guardare sé stessi e chi viene prima.",
         4, shape="(L, S)"),
    Term("perdita (di una maschera)", "mask leak",
         "Di quanto cambia ciò che sta prima se si cambia ciò che viene dopo: dev'essere 0.", 4),
    Term("riempimento", "padding", "I token finti che portano a una stessa lunghezza le frasi di un batch.",
         4),
    Term("addestramento", "training", "La ricerca dei parametri, su molti esempi.", 2, avoid=("training",)),
    Term("generazione", "generation", "La scrittura di un testo, un token alla volta.", 4),
    Term("inferenza", "inference", "L'uso di un modello già addestrato: i parametri non cambiano.", 8),
    Term("encoder", "encoder", "La parte di un modello che legge una frase intera, da entrambi i lati.", 4),
    Term("decoder", "decoder", "La parte di un modello che scrive: un posto non guarda ciò che viene dopo.",
         4),
    Term("codifica posizionale", "positional encoding",
         "Il vettore che si somma all'embedding per dire in quale posto sta un token.", 5, "PE", "(n, d)",
         avoid=("encoding posizionale", "positional encoding")),
    Term("frequenza di una coppia", "frequency",
         "Di quanti radianti gira, da un posto al successivo, la lancetta di una coppia di dimensioni.", 5,
         "ω", "(⌈d/2⌉,)"),
    Term("posto di un token", "position", "Il suo numero d'ordine nella frase, contato da 0.", 5, "p"),
    Term("rotazione", "rotation",
         "La matrice che dalla codifica di un posto dà quella di k posti più avanti.", 5, "R", "(d, d)"),
    Term("equivarianza", "equivariance",
         "Se si scambiano i token, le uscite si scambiano nello stesso modo.", 5),
    Term("testa", "head", "Un'attenzione con le sue tre matrici; un modello ne ha molte, in parallelo.", 4,
         "h", stands_for="numero di teste"),
    Term("attenzione multi-testa", "multi-head attention",
         "Più teste insieme: le loro uscite si mettono in fila e si proiettano di nuovo.", 6,
         avoid=("multi-head attention", "attenzione multihead")),
    Term("matrice di uscita", "output projection",
         "La matrice di parametri che mescola le uscite delle teste messe in fila.", 6, "W_O",
         "(h·d_v, d_model)"),
    Term("attenzione incrociata", "cross-attention",
         "Attenzione in cui le query vengono da una sequenza, key e value da un'altra.", 6),
    Term("ablazione", "ablation", "Si toglie un pezzo del modello e si misura che cosa peggiora.", 6),
    Term("strato", "layer", "Un passaggio della rete, con i suoi parametri.", 7, avoid=("layer", "layers")),
    Term("blocco", "block", "Attenzione e rete feed-forward, con normalizzazioni e connessioni residue.", 7,
         "N", stands_for="numero di blocchi"),
    Term("sottostrato", "sublayer", "Una delle parti di un blocco: l'attenzione, o la rete feed-forward.", 7),
    Term("pre-norm e post-norm", "pre-norm, post-norm",
         "La LayerNorm prima del sottostrato, sulla copia che esso legge, o dopo la somma.", 7),
    Term("ReLU", "rectified linear unit",
         "La funzione che mette 0 al posto dei numeri negativi e lascia gli altri.", 7),
    Term("GELU", "Gaussian error linear unit", "La versione morbida della ReLU, senza spigoli.", 7),
    Term("connessione residua", "residual connection",
         "All'uscita di un passaggio si somma la sua entrata.", 7),
    Term("normalizzazione di strato (LayerNorm)", "layer normalisation",
         "Porta ogni vettore a media 0 e varianza 1; poi due parametri per componente lo adattano.",
         7, "γ, β", "(d,)", stands_for="scala e spostamento della LayerNorm",
         avoid=("layer normalization",)),
    Term("rete feed-forward", "feed-forward network",
         "Due strati, con una funzione non lineare in mezzo, applicati a ogni token per conto suo.", 7,
         "d_ff", stands_for="lunghezza interna della rete feed-forward", avoid=("feedforward",)),
    Term("media e deviazione standard", "mean, standard deviation",
         "Il centro dei numeri di un vettore, e la radice della loro varianza.", 7, "μ, σ"),
    Term("probabilità di un token", "token probability",
         "La quota che l'ultima softmax dà a un token del vocabolario.", 7, "p_j"),
    Term("funzione di perdita (loss)", "loss",
         "Il numero che dice quanto il modello sbaglia: si vuole piccolo.", 7, "ℒ"),
    Term("gradiente", "gradient",
         "Per ogni parametro, quanto in fretta cambia la loss se lo si cambia di poco.", 7, "∇"),
    Term("tasso di apprendimento", "learning rate",
         "Il numero che moltiplica il gradiente: decide quanto è lungo un passo.", 8, "η",
         avoid=("learning rate",)),
    Term("retropropagazione", "backpropagation",
         "Il conto del gradiente, dall'ultima operazione alla prima.", 8,
         avoid=("backpropagation", "backprop")),
    Term("gradiente evanescente", "vanishing gradient",
         "Un gradiente che, di passo in passo, diventa così piccolo da non insegnare più nulla.", 8,
         avoid=("gradiente che svanisce", "vanishing gradient")),
    Term("campionamento", "sampling", "Si estrae il token seguente secondo le sue probabilità.", 8,
         avoid=("sampling",)),
    Term("decodifica greedy", "greedy decoding", "Si prende sempre il token più probabile.", 8),
    Term("seme", "seed", "Il numero da cui parte una sequenza casuale, che così si può ripetere.", 3,
         avoid=("seed",)),
    Term("insieme di prova", "test set", "Gli esempi tenuti da parte, mai visti in addestramento.", 8,
         avoid=("test set",)),
    Term("concordanza", "agreement",
         "L'accordo in genere e numero fra parole, come «chiave» e «arrugginita».", 8),
    Term("attrattore", "attractor",
         "Un nome più vicino al verbo di quanto sia il soggetto, che può ingannare.", 8),
)  # fmt: skip


class Page:
    """Una tabella di voci, che si mostra come HTML o come testo.

    title: il titolo   columns: i nomi delle colonne   rows: le righe, tuple di testi lunghe come columns
    """

    def __init__(self, title: str, columns: tuple[str, ...], rows: list[tuple[str, ...]]):
        self.title, self.columns, self.rows = title, columns, rows

    def __str__(self):
        """Una voce per riga: le caselle piene, separate da un punto a mezz'aria."""
        return "\n".join([self.title, *(" · ".join(filter(None, row)) for row in self.rows)])

    __repr__ = __str__

    def html(self) -> str:
        """La tabella in HTML; la prima casella di ogni riga ne è l'intestazione."""
        left = ' style="text-align: left"'
        head = "".join(f'<th scope="col"{left}>{html.escape(name)}</th>' for name in self.columns)
        body = ""
        for first, *others in self.rows:
            cells = "".join(f"<td{left}>{html.escape(text)}</td>" for text in others)
            body += f'<tr><th scope="row"{left}>{html.escape(first)}</th>{cells}</tr>'
        caption = f"<caption>{html.escape(self.title)}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": str(self), "text/html": self.html()}


def glossary() -> Page:
    """Tutte le voci in ordine alfabetico: italiano, inglese, che cosa vuol dire, in quale notebook."""
    rows = [
        (term.italian, term.english, term.meaning, str(term.notebook))
        for term in sorted(TERMS, key=lambda term: _plain(term.italian))
    ]
    return Page("Le parole", ("italiano", "inglese", "che cosa vuol dire", "notebook"), rows)


def symbols() -> Page:
    """Le voci che hanno un simbolo, nell'ordine del corso: simbolo, che cos'è, forma, in quale notebook."""
    rows = [
        (term.symbol, term.stands_for or term.italian, term.shape, str(term.notebook))
        for term in sorted(TERMS, key=lambda term: term.notebook)
        if term.symbol
    ]
    return Page("I simboli", ("simbolo", "che cos'è", "forma", "notebook"), rows)


def _plain(text: str) -> str:
    """Un testo senza accenti e in minuscolo, per l'ordine alfabetico."""
    return unicodedata.normalize("NFD", text).encode("ascii", "ignore").decode().lower()
