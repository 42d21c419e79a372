"""Le lezioni dei notebook da 5 a 8: quattro incontri di 45 minuti."""

from __future__ import annotations

from course_lib.widgets.scenes.lesson import Lesson, Step

PLACE = Lesson(
    title="La posizione",
    notebook=5,
    goal="Mostrare con un conto che senza posizioni l'attenzione non distingue due frasi con le stesse "
         "parole, e calcolare a mano la codifica di un posto.",
    steps=(
        Step(3, "discussione", "Alla lavagna «La chiave accanto ai libri era …» e «I libri accanto alla "
                               "chiave erano …»: gli stessi nomi. Che cosa, nella formula del notebook 3, "
                               "dice chi viene prima?"),
        Step(4, "scena", "Si vota sulla z di «gatto», poi si scopre che le righe si scambiano e basta.",
             "scambio-senza-posizioni"),
        Step(3, "scena", "Si accendono le posizioni sullo stesso scambio.", "scambio-con-posizioni"),
        Step(5, "notebook", "La classe esegue «Primo gradino» e «Secondo gradino»: il posto 2 con carta e "
                            "penna, poi lo stesso con un ciclo. Radianti."),
        Step(4, "scena", "La prima corre, l'ultima sembra ferma.", "lancette"),
        Step(5, "notebook", "«Le lancette» e «Spostarsi è girare»: si prevede prima di eseguire la cella "
                            "della rotazione."),
        Step(3, "scena", "Il prodotto scalare fra due codici: si scommette, poi si guarda.", "distanza"),
        Step(4, "scena", "Il conto a mano, prima di rivelare.", "regola-posto-4"),
        Step(3, "scena", "L'errata al posto 2: un segno. È il momento di dire che anche le fonti si rifanno.",
             "errata-posto-2"),
        Step(11, "esercizio", "es05: `frequencies` insieme, alla lavagna; poi ciascuno comincia "
                              "`positional_encoding`. Chi finisce guarda «Esperimento 3: l'ordine» "
                              "(esperimento-3)."),
    ),
    home="es05: finire `positional_encoding`, poi `final_vector`, `add_positions` e `rotation`. Nel "
         "notebook, l'errata delle fonti e «Mettiti alla prova».",
    slips="Gradi al posto dei radianti; i preso per l'indice della dimensione; i posti contati da 1; in un "
          "lotto, la codifica sommata lungo l'asse delle frasi.",
)  # fmt: skip

HEADS = Lesson(
    title="Le teste, e che cosa non dicono",
    notebook=6,
    goal="Dividere un vettore in teste e riunirlo; distinguere un'ipotesi letta su una mappa da una misura "
         "fatta con un'ablazione.",
    steps=(
        Step(3, "discussione", "«era» deve sapere chi è arrugginito e accanto a che cosa sta: due domande, "
                               "e una riga sola con somma 1. Come se ne esce?"),
        Step(7, "notebook", "«Primo gradino» e «Terzo gradino»: gli otto numeri in fila divisi in 2 teste. "
                            "Poi «Un reshape solo»: si prevede, si esegue, si cerca l'errore."),
        Step(4, "scena", "Una mappa non addestrata: da «in» a «il». Per chi ha un incontro in più: gli "
                         "esperimenti 2 (esperimento-2), 4 (esperimento-4) e 5 (esperimento-5), e «La vostra "
                         "frase al tavolo» (la-vostra-frase).",
             "esperimento-1"),
        Step(4, "scena", "Adesso un modello addestrato: dove guarda «era», testa per testa.",
             "quattro-teste"),
        Step(2, "scena", "Che cosa sparisce alzando la soglia.", "soglia"),
        Step(4, "scena", "Si spegne la 1·1, e la risposta cambia.", "spegni-la-1-1"),
        Step(3, "scena", "Si spegne la 2·1, con la stessa riga: la risposta resta.", "una-mappa-non-spiega"),
        Step(3, "scena", "Due teste che si coprono.", "due-teste-un-lavoro"),
        Step(3, "scena", "Il soggetto o l'articolo: si vota, poi si misura.", "soggetto-o-articolo"),
        Step(10, "esercizio", "es06: `split_heads` insieme, con gli otto numeri in fila come prova; chi "
                              "finisce comincia `merge_heads`."),
        Step(2, "discussione", "Ognuno completa per iscritto: «da una mappa si può dire …, non si può dire "
                               "…»."),
    ),
    home="es06: `merge_heads`, `masks_for_heads`, `multi_head`, `cross_attention`. Nel notebook, "
         "l'attenzione incrociata e «Quanti parametri».",
    slips="Il reshape senza scambiare gli assi mescola token diversi e dà forme giuste; la scala con "
          "d_model al posto di d_k; «la testa del soggetto» detto da una riga sola.",
)  # fmt: skip

BLOCK = Lesson(
    title="Il blocco",
    notebook=7,
    goal="Dire a che cosa servono connessione residua, LayerNorm e rete feed-forward, e seguire una frase "
         "attraverso le sette fasi.",
    steps=(
        Step(3, "discussione", "Se l'attenzione è una media, che cosa succede a rifarla otto volte? Si "
                               "raccolgono previsioni."),
        Step(4, "notebook", "La cella di «La domanda»: dopo otto passi le tre parole hanno lo stesso "
                            "vettore."),
        Step(3, "scena", "La mappa delle fasi, e quali si ripetono.", "sette-fasi"),
        Step(6, "notebook", "«Le sette fasi, da capo a fondo»: si esegue e si legge la forma di ogni "
                            "passaggio, una fila per ciascuno."),
        Step(4, "scena", "Media e norma dopo la LayerNorm.", "layernorm"),
        Step(9, "esercizio", "es07: `layer_norm`, in classe, a coppie: uno scrive, l'altro fa il conto di "
                             "una riga a mano."),
        Step(4, "scena", "La strada del residuo, con i suoi numeri.", "residuo"),
        Step(4, "scena", "La stessa strada dopo 12 blocchi, aperta e chiusa.", "dodici-blocchi"),
        Step(3, "scena", "Pre-norm e post-norm: dove cresce la norma.", "prima-o-dopo"),
        Step(5, "notebook", "«Tre famiglie, gli stessi pezzi»: si eseguono le due celle delle maschere e si "
                            "dice chi può guardare chi."),
    ),
    home="es07: `feed_forward`, `block`, `family_masks`. Nel notebook, «Il primo gradiente»: servirà subito "
         "nel prossimo incontro.",
    slips="La media sull'asse dei token invece che delle componenti; il divisore d − 1; `x = layer_norm(x)` "
          "e poi `x + …`, che interrompe la strada del residuo.",
)  # fmt: skip

MODEL = Lesson(
    title="Addestrare e generare",
    notebook=8,
    goal="Leggere una loss accanto al livello del caso, dire che cosa serve al modello, e scegliere come si "
         "estrae il token.",
    steps=(
        Step(2, "discussione", "Chi ha trovato i parametri, finora? Nessuno: li avevamo scelti o estratti. "
                               "Le celle che addestrano chiedono un paio di minuti: vanno avviate prima di "
                               "entrare."),
        Step(3, "scena", "La loss di chi non sa nulla: prima si scrive un numero.", "loss-di-partenza"),
        Step(6, "notebook", "«La loss di chi non sa nulla» e «Chi non arriva al soggetto»: si prevede "
                            "quanto indovina una finestra di quattro parole."),
        Step(3, "scena", "La loss scende e il genere no: quale misura guardare.", "scende-ma-il-genere"),
        Step(4, "scena", "La mappa alla fine dell'addestramento.", "chi-guarda-alla-fine"),
        Step(5, "notebook", "«Una mappa non è una spiegazione»: la tabella delle parole vietate, da leggere "
                            "ad alta voce."),
        Step(3, "scena", "Il modello a caratteri, sempre il più probabile.", "greedy"),
        Step(3, "scena", "Estrarre: lo stesso modello, un altro testo.", "estrazione"),
        Step(3, "scena", "La temperatura sui logit.", "tau-un-mezzo"),
        Step(3, "scena", "Il taglio che segue l'incertezza. Se avanza tempo, prima «I primi tre» (top-k), "
                         "dopo «Un carattere diverso» (bivio).", "top-p"),
        Step(6, "esercizio", "es08: `keep_top_k` in classe, con le probabilità della scena come esempio."),
        Step(4, "scena", "Si torna alla frase di partenza.", "frase-di-partenza"),
    ),
    home="es08: `cross_entropy`, `cross_entropy_gradient`, `keep_top_p`, `sample` e la propria "
         "`masked_attention`, che si addestra; si consegnano i parametri imparati. Chi vuole: «Porta il tuo "
         "libro».",
    slips="Un'accuratezza detta senza il livello del caso; la media della loss divisa per i token invece "
          "che per le posizioni; top-p che scarta proprio il candidato che fa superare la soglia.",
)  # fmt: skip

LESSONS = (PLACE, HEADS, BLOCK, MODEL)
