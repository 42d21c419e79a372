"""Le promesse del notebook 1."""

from tests.notebooks.promises import Promise

PROMISES = [
    Promise(
        "numero", "l'embedding di «regola», quattro cifre", ("0,4546", "(0,5634; −0,5996; −0,4087; 0,5209)")
    ),
    Promise(
        "numero",
        "seni e coseni di «regola»",
        ("−0,3784", "−0,1397", "0,1087", "−0,2212", "−0,2690", "0,0262"),
    ),
    Promise("numero", "quanto è grande la tabella della finestra", ("777\u202f600\u202f000", "3,13·10²³")),
    Promise("numero", "quante righe incontra il racconto", ("18\u202f121", "10\u202f005")),
    Promise("numero", "unioni della BPE su sei parole", ("unioni: li lib libr libri ch chi chia chiav",)),
    Promise(
        "numero", "le prime unioni, fatte a mano", ('hand_merges = [("l", "i"), ("li", "b"), ("lib", "r")',)
    ),
    Promise(
        "numero",
        "il vocabolario del simulatore, con i suoi ID",
        ("*una* 0, *vecchia* 1, *legge* 2, *la* 3", "33"),
    ),
    Promise("numero", "parola, carattere, BPE a confronto", ("10\u202f778", "15\u202f401", "49\u202f108")),
    Promise(
        "esperimento", "4: d da 2 a 8", ("Con più dimensioni le parole si allontanano", "0,019", "0,638")
    ),
    Promise(
        "esperimento",
        "le due parole quasi uguali con d = 2",
        ("«letto» e «pesce» sono quasi lo stesso punto",),
    ),
    Promise("errata", "cifre tagliate di seno", ("0,454 e 0,494", "0,455 e 0,495")),
    Promise("errata", "coseni", ("−0,223, −0,258, 0,030", "−0,221, −0,269, 0,026")),
    Promise("errata", "embedding", ("−0,601, −0,398, 0,524", "−0,600, −0,409, 0,521")),
    Promise("errata", "un ID non è il numero di un posto", ("Un ID non è il numero del posto a tavola",)),
    Promise("errata", "vocabolario di circa 20 parole", ("circa 20 parole",)),
    Promise("errata", "limiti insormontabili delle RNN", ("limiti insormontabili", "Bahdanau")),
    Promise("errata", "il segno sbagliato rimandato al notebook 5", ("c'è un segno sbagliato", "notebook 5")),
    Promise(
        "limite",
        "parole simili, colori simili",
        ("Parole simili non hanno colori simili", "«vermi», a 0,393"),
    ),
    Promise("limite", "parole grammaticali", ("da «la» a «il»: 1,414", "parole grammaticali")),
    Promise("limite", "i conta componenti qui, coppie nella PE", ("conterà *coppie* di componenti",)),
    Promise(
        "limite",
        "512 e 12 288 dimensioni, e GPT-4",
        ("617\u202f558\u202f016", "la grandezza di GPT-4 non è pubblica"),
    ),
    Promise(
        "limite", "il modellino e i modelli veri", ("frasi di 5–10 parole", "le voci sono decine di migliaia")
    ),
    Promise("limite", "vocabolari veri", ("50\u202f257", "32\u202f000")),
    Promise(
        "limite", "i tokenizzatori veri tagliano in altro modo", ("Le parole non sono il taglio giusto",)
    ),
    Promise(
        "limite", "il tavolo di Wittgenstein", ("«tavolo di Wittgenstein»", "a quel tavolo nessuno parla")
    ),
    Promise("limite", "un vettore fisso non basta a *chiave*", ("la chiave del problema",)),
    Promise(
        "limite",
        "la finestra si consulta in blocco",
        ("the cat sat on the m", "she opened the door and looked"),
    ),
    Promise("limite", "la media pesata come risposta", ("una media pesata, con coefficienti che dipendono",)),
    Promise("faq", "perché le RNN sono state superate", ("Perché le reti ricorrenti sono state superate?",)),
    Promise("faq", "il gradiente evanescente, in immagine", ("gradiente evanescente", "0,005")),
    Promise("da portare via", "ID e vettori", ("Un modello non legge parole",)),
    Promise(
        "da portare via", "il posto e i vicini non ci sono ancora", ("Un ID nomina una voce del vocabolario",)
    ),
    Promise("da portare via", "la tabella esplode", ("Una tabella di tutto ciò che può precedere esplode",)),
    Promise(
        "da portare via", "le sette fasi come strada", ("1 · tokenizzazione", "7 · strato lineare e softmax")
    ),
]
