"""Le promesse del notebook 2: i numeri di S0, ciò che non dicono, le sue tre cose."""

from tests.notebooks.promises import Promise

PROMISES = [
    Promise(
        "numero",
        "query, key e value di S0, esatti",
        (
            "np.testing.assert_array_equal(q[2], [math.sqrt(2), 0])",
            "np.testing.assert_array_equal(k, [[2, 0], [0, 0], [1, 0]])",
            "np.testing.assert_array_equal(v, [[1, 0], [0, 1], [0.5, 0.5]])",
        ),
    ),
    Promise(
        "numero", "prodotti scalari 2√2, 0, √2", (r"| chiave | $2\sqrt2$ | 2 |", r"| era | $\sqrt2$ | 1 |")
    ),
    Promise("numero", "punteggi 2, 0, 1", ("punteggi      (2,000; 0,000; 1,000)",)),
    Promise("numero", "denominatore 11,107", ("somma 11,107",)),
    Promise("numero", "coefficienti 0,665 0,090 0,245", ("coefficienti  (0,665; 0,090; 0,245)",)),
    Promise("numero", "z = (0,787605; 0,212395)", ("0,787605", "0,212395", "z             (0,788; 0,212)")),
    Promise("numero", "il denominatore con tutte le cifre", ("11,107338", "0,665241; 0,090031; 0,244728")),
    Promise("numero", "gli stessi conti con un quarto candidato", ("0,610", "0,083", "12,107", "0,917")),
    Promise("numero", "x e W del corso danno gli altri sei punteggi", ("[[4, 0, 2], [0, 0, 0], [2, 0, 1]]",)),
    Promise(
        "numero", "«libri» guarda tutti allo stesso modo", ("coefficienti di «libri»: (0,333; 0,333; 0,333)",)
    ),
    Promise(
        "esperimento",
        "aggiungere un candidato cambia tutti i coefficienti",
        (
            "Un token in più, e cambiano tutti i coefficienti",
            "coefficienti cambiati: 9 su 9",
        ),
    ),
    Promise(
        "esperimento", "cambiare un value lascia la mappa com'era", ("la mappa è la stessa, cifra per cifra",)
    ),
    Promise("esperimento", "parametri gli stessi prima e dopo", ("parametri: 12 come all'inizio",)),
    Promise(
        "errata",
        "chi arrotonda due volte trova 0,7875 e 0,2125",
        ("0,787500", "0,212500", "(0,7875; 0,2125)"),
    ),
    Promise(
        "faq",
        "che cosa rappresentano Q, K e V",
        (
            "Che cosa vogliono dire Q, K e V",
            "Nessuno dei tre è scritto nel testo",
        ),
    ),
    Promise("faq", "perché punteggio 0 non è coefficiente 0", ("**Punteggio 0 non è coefficiente 0.**",)),
    Promise(
        "da portare via",
        "l'attenzione combina vettori secondo il contesto",
        ("1. L'attenzione combina vettori secondo il contesto",),
    ),
    Promise(
        "da portare via",
        "un Transformer organizza più trasformazioni",
        ("2. Un Transformer è più di questo: organizza molte trasformazioni",),
    ),
    Promise(
        "da portare via", "contestualizzare non è riaddestrare", ("3. Contestualizzare non è riaddestrare",)
    ),
    Promise("limite", "0,665 non è una sicurezza sul soggetto", ("**0,665 non vuol dire",)),
    Promise("limite", "z non è una parola né una previsione", ("**$z$ non è una parola.**",)),
    Promise(
        "limite",
        "numeri inventati, componenti senza grammatica",
        (
            "**I numeri sono inventati.**",
            "Le componenti non hanno alcun significato grammaticale",
        ),
    ),
    Promise("limite", "x e W sono una scelta del corso", ("**una scelta di questo corso**",)),
    Promise("limite", "la key non è il token «chiave»", ("la *key* è un vettore, e ogni token ha la sua",)),
    Promise("limite", "«pesi» è ambiguo: parametri e coefficienti", ("Si sente parlare dei «pesi»",)),
    Promise(
        "limite",
        "una mappa di attenzione non è una spiegazione",
        (
            "**Una mappa di attenzione non è una spiegazione.**",
            "Jain e Wallace (2019)",
            "Wiegreffe e Pinter (2019)",
            "Entrambi i lavori studiano classificatori ricorrenti, non Transformer.",
        ),
    ),
    Promise(
        "limite", "un vettore contestualizzato non rende giusta la risposta", ("che può essere sbagliata",)
    ),
    Promise(
        "limite", "un token non è sempre una parola", ("i tokenizzatori veri spesso ne fanno più d'uno",)
    ),
]
