"""Le promesse del notebook 8: addestrare e generare."""

from __future__ import annotations

from tests.notebooks.promises import Promise

PROMISES = [
    Promise(
        "numero", "ln V al passo 0", ("chi non sa nulla: ln 4 = 1,386", "Dal conto: (b)", "ln 105 = 4,654")
    ),
    Promise(
        "numero",
        "il gradiente è p − y, e le differenze finite lo confermano",
        ("gradiente: (−0,500; 0,250; 0,125; 0,125)", "Il gradiente, (p − y) / T"),
    ),
    Promise(
        "numero",
        "i risultati accanto al livello del caso, con il seme",
        ("livello del caso: 0,5", "finestra di 4", "Transformer, 400 passi", "seme 0"),
    ),
    Promise(
        "numero",
        "gli n-grammi del racconto: il trigramma, e il migliore",
        ("3-gramma              1,851", "5-gramma              1,505", "il trigramma: 1,851"),
    ),
    Promise(
        "esperimento",
        "la concordanza con un attrattore, su coppie mai viste",
        ("240 coppie per addestrare, 80 per la prova, in comune 0", "coppie mai viste il modello indovina"),
    ),
    Promise(
        "esperimento",
        "contare, e una finestra più corta della distanza, restano al caso; una più lunga no",
        (
            "7-gramma               0,500           0,500",
            "finestra di 6          1,000           0,500",
            "Dal conto: (a) 0,5: come tirare a caso.",
            "Fra il soggetto e l'aggettivo ci sono quattro parole",
        ),
    ),
    Promise(
        "esperimento",
        "senza il soggetto e il suo articolo resta il caso",
        ("soggetto e articolo             0,500", "Senza il soggetto **e** il suo articolo resta il caso"),
    ),
    Promise(
        "esperimento",
        "i risultati reggono con cinque semi, non con uno",
        ("### Cinque semi", "seme 4", "numero qualunque"),
    ),
    Promise(
        "esperimento",
        "con più passi impara il racconto a memoria",
        ("Dal conto: (c) risale.", "**sovradattamento** (*overfitting*)"),
    ),
    Promise(
        "esperimento",
        "il modello a caratteri scrive all'inizio, a metà e alla fine",
        ("— prima di cominciare", "— dopo 1250 passi", "— dopo 2500 passi"),
    ),
    Promise(
        "esperimento",
        "greedy, temperatura, top-k e top-p sulle stesse probabilità",
        ("top-p = 0,8  0,471  0,353  0,176  0,000  0,000  1,000",),
    ),
    Promise("esperimento", "la KV cache dà lo stesso testo", ("29 con la memoria, 390 senza",)),
    Promise(
        "esperimento",
        "un'attenzione scritta con NumPy si addestra come la nostra",
        ("loss al passo 100, la tua:", "assert gap < 1e-3"),
    ),
    Promise(
        "esperimento",
        "usare un modello non ne cambia i parametri: l'impronta prima e dopo",
        ("prima dell'uso:", "assert before == after != trained_on"),
    ),
    Promise("esperimento", "il tuo libro", ("Non trovo «il-mio-libro.txt»",)),
    Promise(
        "errata",
        "S0 motiva la concordanza, il corso la misura",
        ("la motiva, non la dimostra",),
    ),
    Promise("errata", "le teste interferiscono: le mescola W_O", ("escono mescolate da W_O",)),
    Promise(
        "errata",
        "«esattamente questo succede in ChatGPT»",
        ("da una mappa non addestrata non si legge nulla",),
    ),
    Promise("errata", "«insormontabili» è troppo per le RNN", ("«insormontabili»", "gradiente evanescente")),
    Promise(
        "limite",
        "una mappa di attenzione non è una spiegazione",
        (
            "### Una mappa non è una spiegazione",
            "Jain e Wallace 2019, su reti ricorrenti; Wiegreffe e Pinter 2019",
        ),
    ),
    Promise(
        "limite",
        "un vettore contestuale non rende corretta una risposta",
        ("Un vettore ben contestualizzato non rende corretta una risposta",),
    ),
    Promise("limite", "LoRA è fuori dal corso", ("LoRA (Hu e altri 2022), fuori da questo corso",)),
    Promise(
        "faq",
        "perché le reti ricorrenti faticano lontano: il segnale svanisce o esplode",
        ("fattore 0,5 per 50 passi: 8,88·10⁻¹⁶",),
    ),
    Promise(
        "da portare via",
        "S0: contestualizzare non è riaddestrare",
        ("Contestualizzare non è riaddestrare: usare un modello non ne cambia i parametri",),
    ),
    Promise(
        "da portare via",
        "si chiude con la frase da cui si era partiti",
        ("### La frase da cui siamo partiti", "La chiave accanto ai libri era arrugginita. Oppure nuova"),
    ),
]
