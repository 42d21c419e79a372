"""Le promesse del notebook 6: le teste."""

from __future__ import annotations

from tests.notebooks.promises import Promise

PROMISES = [
    Promise(
        "numero",
        "arange(8) come (1, 2, 4), con due teste",
        ("testa 0: [[0, 1], [4, 5]]   testa 1: [[2, 3], [6, 7]]",),
    ),
    Promise(
        "numero",
        "attenzione incrociata Q(2, 3, 4), K(2, 5, 4), V(2, 5, 6) → (2, 3, 6)",
        (
            "Q (2, 3, 4)  K (2, 5, 4)  V (2, 5, 6)",
            "coefficienti (2, 3, 5)  risultato (2, 3, 6)",
            "assert crossed.output.shape == (2, 3, 6)",
        ),
    ),
    Promise(
        "numero",
        "due teste su chiave, libri, era, e W_O",
        (
            "testa 1: punteggi (0; 2; 1)  coefficienti (0,0900; 0,6652; 0,2447)  z (0,2124; 0,7876)",
            "«era», due teste e W_O: (1,5752; 0,4248)",
        ),
    ),
    Promise(
        "numero",
        "i parametri non dipendono da quante sono le teste",
        (
            "h = 1: d_k = 64, parametri 16 384",
            "h = 8: d_k =  8, parametri 16 384",
            "Dal conto: (b) gli stessi.",
        ),
    ),
    Promise(
        "numero",
        "attenzione incrociata su una piccola traduzione, L ≠ S",
        (
            "coefficienti: (2, 3, 5)  uscita: (3, 10)",
            "testa 0: chiave       0,042  0,042  0,834  0,042  0,042  1,000",
            "testa 1: chiave       0,042  0,834  0,042  0,042  0,042  1,000",
        ),
    ),
    Promise(
        "esperimento", "una testa sola confonde chi fa che cosa", ("una media, soggetto libri:  (0,5; 0,5)",)
    ),
    Promise(
        "esperimento",
        "esperimento 1 di S2: in → il",
        (
            "il cambiamento più grande: 0,034",
            "riga di regola    gli altri sei coefficienti × 1,035",
            "Simulator(experiment=1, phase=4)",
        ),
    ),
    Promise(
        "esperimento",
        "esperimento 2 di S2: mele e vermi",
        (
            "ordine del corso: distanza fra i vettori finali di mele e vermi 1,287",
            "ordine alfabetico: distanza fra i vettori finali di mele e vermi 0,549",
            "embedding di mele e vermi: 1,196   coppia di mezzo: 1,128",
        ),
    ),
    Promise(
        "esperimento",
        "esperimento 5 di S2: le due frasi",
        (
            "«lui» guarda «disse»: 0,182\\n   «era» guarda «ieri»: 0,150",
            "«lui» guarda «avrebbe»: 0,219\\n   «era» guarda «interessante»: 0,145",
        ),
    ),
    Promise(
        "esperimento",
        "teste addestrate per te",
        (
            "differenza più grande: riga di «era» 0,000   altre righe 0,980",
            "addestrate per te: lo rifarai nel notebook 8",
            "testa 1·1                 1,000   0,000",
            "testa 2·1                 1,000   0,000",
            "HeadAtlas()",
        ),
    ),
    Promise(
        "esperimento",
        "l'ablazione di una testa",
        (
            "togliendo nulla               generi giusti: 100,0 %",
            "togliendo la testa 1·1        generi giusti: 74,8 %",
            "togliendo la testa 2·1        generi giusti: 100,0 %",
            "togliendo la testa 2·2        generi giusti: 100,0 %",
            "togliendo le teste 1·1 e 2·1  generi giusti: 49,5 %",
            "chi tira a caso ne indovina metà",
        ),
    ),
    Promise(
        "esperimento",
        "quali risposte si perdono",
        (
            "1·1                              0,059            0,990             0,988           0,958",
            "1·1 e 2·1                        0,000            1,000             0,864           0,117",
        ),
    ),
    Promise(
        "esperimento",
        "le teste guardano l'articolo",
        (
            "testa 1·1, in media: all'articolo 0,885, al nome 0,099",
            "testa 2·1, in media: all'articolo 0,925, al nome 0,057",
            "vietato guardare l'articolo: 50,6 %",
            "vietato guardare il nome:    98,9 %",
        ),
    ),
    Promise("errata", "le teste non interferiscono", ("dopo W_O, spostamenti:     (1,5752; 0,4248)",)),
    Promise("errata", "due proiezioni di fila", ("due proiezioni di fila: 80 parametri;  una sola: 16",)),
    Promise("errata", "da in a il cambia tutto", ("nessun coefficiente cambia più di 0,035",)),
    Promise(
        "errata",
        "ogni parola guarda soprattutto sé stessa",
        (
            "d = 4, non guardano soprattutto sé stesse: Una → vecchia, silenzio → in",
            "d = 8, non guardano soprattutto sé stesse: nessuna",
        ),
    ),
    Promise(
        "errata",
        "le parole grammaticali sparpagliano",
        ("entropia media: parole grammaticali 0,986   le altre 0,983",),
    ),
    Promise("errata", "parole simili, colori simili", ("le due parole più vicine: silenzio e pesce 0,172",)),
    Promise(
        "errata",
        "a chi si riferisce lui",
        ("In italiano il pronome espresso fa spesso pensare a qualcun altro",),
    ),
    Promise(
        "errata",
        "«esattamente così» in ChatGPT",
        ("in un modello vero i parametri sono addestrati", "ogni strato 96 teste"),
    ),
    Promise("errata", "il legame di una parola con sé stessa", ("che nel documento non è disegnato",)),
    Promise("limite", "a nessuna testa è dovuto un ruolo", ("Non diciamo che ogni testa abbia un ruolo",)),
    Promise(
        "limite",
        "una mappa non è una spiegazione",
        (
            "Una mappa non è una spiegazione",
            "su classificatori ricorrenti, non su Transformer",
            "Wiegreffe e Pinter",
        ),
    ),
    Promise("limite", "che cosa dice un'ablazione", ("Un'ablazione risponde a una domanda precisa",)),
    Promise("limite", "una mappa non addestrata", ("Che cosa non si legge in una mappa non addestrata",)),
    Promise(
        "faq", "a che cosa serve avere più teste", ("Una media sola dice che cosa c'è, non chi fa che cosa",)
    ),
    Promise(
        "da portare via",
        "dividere, riunire, mescolare",
        ("le uscite si mettono in fila e $W_O$ le mescola. Se le teste si dividono le colonne",),
    ),
    Promise(
        "da portare via",
        "una mappa è un'ipotesi",
        ("Una mappa fa nascere un'ipotesi, un'ablazione la mette alla prova",),
    ),
]
