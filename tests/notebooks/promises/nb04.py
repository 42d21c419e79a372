"""Le promesse del notebook 4: la maschera causale."""

from __future__ import annotations

from tests.notebooks.promises import Promise

PROMISES = [
    Promise(
        "numero",
        "M vale 0 o −∞, e si somma prima della softmax",
        ("0 & -\\infty & -\\infty", "e elevato a −∞ fa 0"),
    ),
    Promise(
        "numero",
        "chiave/libri/era con la maschera",
        ("(0,665; 0,090; 0,245)", "(0,500; 0,500; 0,000)", "z di «era», con la maschera: (0,788; 0,212)"),
    ),
    Promise(
        "numero",
        "«hello»: le righe stampate hanno somma 1, 1, 0,99, 1,01, 0,99",
        ("somme delle righe come sono stampate: (1,00; 1,00; 0,99; 1,01; 0,99)",),
    ),
    Promise(
        "numero",
        "«hello»: le due colonne l sono uguali nelle righe 4 e 5",
        ("Dal conto: (b) perché lettere uguali hanno key uguali.", "lettere uguali hanno key uguali"),
    ),
    Promise(
        "numero",
        "«hello»: la riga 4 è la riga 3 divisa di nuovo",
        ("riga 4 ÷ riga 3, sulle prime tre colonne: (0,733165; 0,733165; 0,733165)",),
    ),
    Promise("numero", "la perdita con la maschera è 0 esatto", ("con la maschera  perdita 0",)),
    Promise("numero", "causale 2 × 5", ("[[1 1 1 1 0]\\n", " [1 1 1 1 1]]")),
    Promise("numero", "riempimento e causale insieme", ("seconda frase:", "[1 1 0]]")),
    Promise(
        "numero",
        "finestra e prefisso in due righe",
        ("window = (j <= i) & (i - j < 2)", "prefix = (j <= i) | (j < 2)"),
    ),
    Promise(
        "esperimento",
        "senza maschera si copia la risposta",
        ("può guardare tutto:      4 giuste su 4", "non può guardare avanti: 0 giuste su 4"),
    ),
    Promise(
        "esperimento", "una sonda cambia il futuro e guarda il passato", ("senza maschera   perdita 38,976",)
    ),
    Promise(
        "esperimento",
        "un modello causale non può rileggere le prime cinque parole",
        ("non possono essere rilette", "(0,000; 0,000; 0,000; 0,000; 0,000; 0,291; 0,152)   perdita 0"),
    ),
    Promise(
        "esperimento",
        "un token per volta dà le stesse righe del blocco",
        ("in un blocco solo: 3 query, 3 key, gli stessi tre z",),
    ),
    Promise("errata", "−10⁹ non sta in float16", ("il più grande float16: 65", "−10⁹ in float16 diventa −∞")),
    Promise(
        "errata",
        "riga tutta vietata: uniforme con −10⁹, NaN con −∞",
        ("alla lettera:            (NaN; NaN; NaN)", "con −10⁹ al posto di −∞: (0,333; 0,333; 0,333)"),
    ),
    Promise(
        "errata",
        "il triangolo comprende la diagonale",
        ("la prima riga, senza la diagonale, può guardare 0 token",),
    ),
    Promise(
        "errata",
        "la prova di S3 non usa la maschera, e non ha proiezioni",
        (
            "non usa mai la maschera",
            "non ancora auto-attenzione",
            "(2, 1, 4, 64) (2, 1, 4, 4) somma della prima riga: 1,0000",
        ),
    ),
    Promise("errata", "GPT-4 e Claude non sono pubblici", ("la loro architettura non è pubblica",)),
    Promise(
        "limite",
        "lo zero della riga vuota è una convenzione nostra",
        ("È una convenzione nostra", "funzione del corso:      (0; 0; 0)   z = (0; 0)"),
    ),
    Promise("limite", "i parametri di «hello» sono nostri", ("quelli che usiamo li abbiamo scelti noi",)),
    Promise(
        "limite", "la maschera lascia passare un po' d'ordine, non le posizioni", ("Haviv e altri 2022",)
    ),
    Promise("limite", "«insormontabili» è troppo forte per le RNN", ("è parola troppo forte",)),
    Promise("faq", "BERT e GPT", ("La differenza fra BERT e GPT",)),
    Promise(
        "faq",
        "perché le reti ricorrenti sono state superate",
        ("Le reti ricorrenti del notebook 1 devono aspettare anche in addestramento",),
    ),
    Promise(
        "da portare via",
        "si addestra in parallelo, si genera in sequenza",
        ("addestrare in parallelo ciò che si genera in sequenza",),
    ),
    Promise(
        "da portare via",
        "S0: il Transformer organizza più trasformazioni; encoder e decoder vedono cose diverse",
        ("ogni token guarda tutti, prima e dopo", "chi scrive guarda tutto il testo di partenza"),
    ),
]
