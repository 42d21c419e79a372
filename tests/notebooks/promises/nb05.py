"""Le promesse del notebook 5: la posizione."""

from __future__ import annotations

from tests.notebooks.promises import Promise

PROMISES = [
    Promise(
        "numero",
        "«regola» al posto 4",
        (
            "PE(4)           (−0,7568; −0,6536; 0,0400; 0,9992)",
            "«regola» al posto 4: (0,336; −0,796; −0,397; 0,821)",
        ),
    ),
    Promise(
        "numero",
        "«regola» al posto 2, con sin 2 positivo",
        (
            "PE(2)           (0,9093; −0,4161; 0,0200; 0,9998)",
            "«regola» al posto 2: (0,836; −0,724; −0,403; 0,821)",
        ),
    ),
    Promise(
        "numero",
        "l'embedding di «regola», con i suoi due addendi",
        (
            "0,5 · sin       (0,4546; −0,3784; −0,1397; 0,4947)",
            "0,3 · cos       (0,1087; −0,2212; −0,2690; 0,0262)",
            "embedding       (0,5634; −0,5996; −0,4087; 0,5209)",
        ),
    ),
    Promise(
        "numero",
        "R_k PE(p) = PE(p + k) entro 10⁻¹²",
        ("assert worst < 1e-12", "ogni d, ogni passo, ogni posto: scarto sotto 10⁻¹²"),
    ),
    Promise("numero", "d = 5, p = 1", ("d = 5, p = 1: (0,841471; 0,540302; 0,025116; 0,999685; 0,000631)",)),
    Promise(
        "numero",
        "d = 512, posto 1 comincia con quattro numeri",
        ("d = 512, posto 1: (0,841; 0,540; 0,822; 0,570)",),
    ),
    Promise(
        "numero",
        "d = 3: la distanza dipende dal posto",
        (
            "d = 3: fra 0 e 200 1,0955, fra 900 e 1100 1,0398",
            "d = 4: fra 0 e 200 1,9642, fra 900 e 1100 1,9642",
        ),
    ),
    Promise("numero", "d = 2: i posti 0 e 44", ("d = 2: distanza fra il posto 0 e il 44: 0,018",)),
    Promise(
        "numero",
        "il prodotto scalare dipende soltanto da k",
        (
            "prodotto scalare fra 0 e 10:    1,696185",
            "prodotto scalare fra 100 e 110: 1,696185",
        ),
    ),
    Promise(
        "esperimento",
        "equivarianza senza maschera, e non invarianza",
        (
            "Dal conto: (b) sono le stesse righe, mescolate come le parole.",
            "Non è la stessa cosa dell'*invarianza*",
        ),
    ),
    Promise(
        "esperimento",
        "con la maschera causale più strati vedono l'ordine",
        (
            "senza maschera strati: 3   righe, rimesse in ordine: 0,000   ultimo token: 0,000",
            "causale        strati: 1   righe, rimesse in ordine: 0,389   ultimo token: 0,000",
            "Dal conto: (b) con uno strato no, con due sì.",
            "Haviv e altri 2022",
        ),
    ),
    Promise(
        "esperimento",
        "esperimento 3 di S2",
        (
            "Sul divano dorme il gatto:\\n   senza posizioni 0,000   con le posizioni 0,055",
            "Simulator(experiment=3, phases=(1, 2, 3), phase=3",
        ),
    ),
    Promise(
        "esperimento",
        "le altre coppie riordinate di S2",
        (
            "Il gatto mangia il topo / Il topo mangia il gatto:",
            "Il gatto mangia il pesce / Il pesce mangia il gatto:",
            "La regola è chiara / È chiara la regola:",
        ),
    ),
    Promise(
        "errata",
        "la tabella di «regola» in S2, calcolata",
        (
            "numeri stampati non giusti a tre cifre: 16",
            "0,5·sin, dim 0                 0,454   0,455",
            "0,3·cos, dim 2                −0,258  −0,269",
            "PE(2), dim 0                  −0,909   0,909",
            "finale, posizione 2, dim 0     0,290   0,836",
        ),
    ),
    Promise(
        "errata",
        "l'ID non è il posto",
        ("l'ID nomina la **parola**", "Che i due numeri coincidano è un caso"),
    ),
    Promise("errata", "i è l'indice della coppia", ("$i$ è l'indice della coppia**, non della dimensione",)),
    Promise("errata", "un codice unico per posto", ("in senso esatto sì; ma con $d = 2$",)),
    Promise(
        "errata",
        "0,3 è la scala del simulatore, √d quella dell'articolo",
        ("moltiplicano l'embedding per $\\sqrt d$",),
    ),
    Promise(
        "errata",
        "i codici «con d = 512» sono di d = 4, e tagliati",
        ("d = 4,   posto 1: (0,841; 0,540; 0,010; 1,000)", "cos 0,01 = 1,00    cos 2 = −0,42"),
    ),
    Promise(
        "errata",
        "la distanza dipende da k per d pari",
        ("per $d$ **pari**; e il fatto più forte è la rotazione",),
    ),
    Promise(
        "errata",
        "frasi più lunghe di quelle viste",
        (
            "la formula è definita; il buon comportamento non è promesso",
            "Press e altri (2022)",
            "posto 300:       −0,990",
        ),
    ),
    Promise(
        "errata", "«il cane morde l'uomo» = «l'uomo morde il cane»", ("uguali sono solo dopo una media",)
    ),
    Promise(
        "numero",
        "imparata, relativa, ALiBi, RoPE in breve",
        (
            "la tabella imparata ha le righe da 0 a 511",
            "secondo la distanza",
            "ALiBi, coefficienti della query 3: (0,102; 0,167; 0,276; 0,455)",
            "(2,584812; 2,584812; 2,584812)",
        ),
    ),
    Promise(
        "limite",
        "la rotazione esiste, nessuno garantisce che serva",
        ("Che la rotazione esista non vuol dire che serva", "tabella 3, riga E"),
    ),
    Promise(
        "limite",
        "i vettori del simulatore non sono addestrati",
        ("dipendono da ID e posti, non dal significato",),
    ),
    Promise("da portare via", "il posto va scritto nei vettori", ("Il posto va scritto nei vettori",)),
    Promise(
        "da portare via",
        "le lancette e la rotazione",
        ("spostarsi di $k$ posti è una rotazione uguale per tutti",),
    ),
]
