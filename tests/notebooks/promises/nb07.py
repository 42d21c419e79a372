"""Le promesse del notebook 7: il blocco, le sette fasi, le famiglie, il primo gradiente."""

from __future__ import annotations

from tests.notebooks.promises import Promise

PROMISES = [
    Promise(
        "numero",
        "LayerNorm di (1, 0, 0, 0) con ε = 10⁻⁵",
        ("LayerNorm(1, 0, 0, 0) = (1,732005; −0,577335; −0,577335; −0,577335)",),
    ),
    Promise(
        "numero",
        "un blocco a mano, «chiave»",
        (
            "chiave  coefficienti (1,000)                x″ = (1,866; −0,289; 1,371; −0,451)",
            "era     coefficienti (0,231; 0,231; 0,538)  x″ = (0,902; 0,902; 0,439; 0,439)",
            "il blocco del corso dà gli stessi numeri; parametri: 102",
        ),
    ),
    Promise(
        "numero",
        "i parametri di ogni famiglia",
        (
            "encoder-only     parametri: 6608",
            "decoder-only     parametri: 6761",
            "encoder-decoder  parametri: 15 337",
            "assert count == built.n_parameters",
        ),
    ),
    Promise(
        "numero",
        "le forme di S3 in PyTorch, con e senza maschera",
        (
            "senza maschera  uscita (2, 1, 4, 64), coefficienti (2, 1, 4, 4), somma 1,0000",
            "causale         uscita (2, 1, 4, 64), coefficienti (2, 1, 4, 4), somma 1,0000",
        ),
    ),
    Promise(
        "numero",
        "il risultato di PyTorch, conservato e detto tale",
        (
            "**il suo risultato conservato**, calcolato una volta con PyTorch 2.13.0",
            "le nostre uscite e quelle conservate coincidono fino all'undicesima cifra",
            "PyTorch non è installato qui: vale il risultato conservato.",
        ),
    ),
    Promise(
        "numero",
        "il primo gradiente a mano, p − y, con le differenze finite",
        (
            "p − y:             (0,6652; 0,0900; −0,7553)  somma 0,0000",
            "differenze finite: (0,6652; 0,0900; −0,7553)",
            "dopo un passo:     logit (1,335; −0,090; 1,755)  loss 0,5959",
            "parametri controllati: 72",
        ),
    ),
    Promise(
        "esperimento",
        "le sette fasi da capo a fondo con gli stessi numeri",
        (
            "1 tokenizzazione: ['la', 'chiave', 'accanto', 'ai', 'libri', 'era'] [0 1 2 3 4 5]",
            "2 embedding (per √d)",
            "3 codifica posizionale",
            "4 attenzione multi-testa, blocco 1",
            "5 somma e LayerNorm, blocco 2",
            "6 rete feed-forward e somma, 2",
            "7 proiezione: i logit",
            "np.testing.assert_allclose(logits, model(ids), rtol=0, atol=1e-12)",
        ),
    ),
    Promise(
        "esperimento",
        "il segnale in profondità, con e senza residui",
        (
            "residui e LayerNorm                 colpetto × 2,99       lunghezze × 4,45 ",
            "lunghezze × 4,45       somiglianza 0,837",
            "solo residui                        colpetto × 2723       lunghezze × 2466 ",
            "colpetto × 0,03       lunghezze × 0,50       somiglianza 1,000",
            "W_O e W_2 ÷ √24  colpetto × 1,16       lunghezze × 1,30       somiglianza 0,271",
            "né gli uni né l'altra: alla partenza 1,00, alla fine 8·10⁻¹⁵.",
        ),
    ),
    Promise(
        "esperimento",
        "il segnale con altri semi: che cosa resta e che cosa no",
        (
            "seme 2  tutti e due × 4,76   solo residui × 36 491    solo LayerNorm × 0,01, somiglianza 1,000",
            "seme 5  tutti e due × 3,12   solo residui × 1885      solo LayerNorm × 1,01, somiglianza 1,000",
            "Con la sola LayerNorm dipende dal seme",
        ),
    ),
    Promise(
        "esperimento",
        "i residui dimenticati o interrotti, con i sottostrati a zero",
        (
            "sottostrati a zero, senza somme   da «chiave» esce (0,000; 0,000; 0,000; 0,000)",
            "sottostrati a zero, con la copia  da «chiave» esce (1,732; −0,577; −0,577; −0,577)",
            "componenti negative della rete: 2  con una ReLU in fondo: 0",
        ),
    ),
    Promise(
        "esperimento",
        "soltanto attenzioni: le parole diventano uguali",
        ("passi: 8  (0,889; 0,111)  (0,889; 0,111)  (0,889; 0,111)  fra chiave e libri: 0,0005",),
    ),
    Promise(
        "esperimento",
        "chi guarda chi nelle tre famiglie, con la sonda",
        (
            "encoder-only                      la prima uscita si sposta",
            "decoder-only                      non se ne accorge: 0",
            "encoder-decoder, l'ultima letta   la prima uscita si sposta",
            "encoder-decoder, l'ultima scritta non se ne accorge: 0",
            "decoder: celle vietate 6 su 16",
        ),
    ),
    Promise(
        "esperimento",
        "una pila causale vede l'ordine senza posizioni",
        ("blocchi: 1 nessuna differenza", "blocchi: 2 l'ultimo token se ne accorge", "Haviv e altri 2022"),
    ),
    Promise(
        "esperimento",
        "pre-norm detto, tenuto, e confrontato con post-norm",
        (
            "Si chiama **pre-norm**, ed è l'ordine di tutto il corso.",
            "post-norm chiave (1,281; −0,898; 0,668; −1,052)  media 0,000  varianza 1,000",
            "una LayerNorm in più, dopo l'ultimo blocco",
        ),
    ),
    Promise(
        "errata",
        "S3: un solo Add & Norm, e post-norm",
        (
            "in un blocco le somme sono **due**, e due le LayerNorm",
            "è il **post-norm** del 2017",
            "LayerNorm in un blocco: 2 ['self.gamma', 'ffn.gamma']",
        ),
    ),
    Promise(
        "errata",
        "S3: proietta due volte",
        (
            "una volta sola: due proiezioni di fila ne valgono una",
            "due proiezioni di fila ne valgono una: (3, 2)",
        ),
    ),
    Promise("errata", "S3: limiti insormontabili delle RNN", ("troppo forte", "Bahdanau e altri 2015")),
    Promise(
        "errata", "S3: GPT-4 e Claude", ("la loro architettura non è pubblica: qui GPT-2, LLaMA, Mistral",)
    ),
    Promise("errata", "S1: le teste non si disturbano", ("fino a $W_O$: poi si mescolano",)),
    Promise(
        "faq",
        "a che cosa servono residui e LayerNorm",
        (
            "I residui lasciano una strada diretta dall'ingresso all'uscita",
            "La LayerNorm tiene nella stessa misura ciò che ogni passaggio legge",
        ),
    ),
    Promise("faq", "BERT o GPT", ("**BERT o GPT?** Non è una gara.", "guarderebbe la risposta")),
    Promise(
        "faq",
        "perché le reti ricorrenti sono state superate",
        ("Il Transformer toglie la catena, e così si addestra in parallelo",),
    ),
    Promise(
        "da portare via",
        "un Transformer organizza più trasformazioni (S0)",
        ("Un blocco è attenzione più rete feed-forward", "le distingue chi può guardare chi"),
    ),
    Promise(
        "da portare via",
        "il primo gradiente",
        ("Il primo gradiente è $p - y$: le probabilità del modello meno la risposta giusta.",),
    ),
    Promise(
        "limite",
        "parametri a caso: nessun significato",
        ("**il modello non è addestrato**", "**Che questi modelli sappiano qualcosa.**"),
    ),
    Promise("limite", "il segnale non è garantito", ("Mostrano un meccanismo, non una garanzia",)),
    Promise("limite", "un passo non è addestrare", ("il modello ha imparato a memoria una risposta",)),
]
