"""I primi quattro incontri: dal testo ai vettori, l'attenzione a mano, la formula, le maschere."""

from __future__ import annotations

from course_lib.widgets.scenes.lesson import Lesson, Step

LESSONS = (
    Lesson(
        title="Dal testo ai vettori", notebook=1,
        goal="Dire perché una tabella di ciò che di solito segue non basta, e passare da una frase ai suoi "
        "ID e ai suoi vettori.",
        steps=(
            Step(4, "scena", "Si vota l'aggettivo, poi si cerca la parola che lo decide e si contano i "
            "posti.", "quale-parola"),
            Step(4, "scena", "Quanto dev'essere larga la finestra per distinguere due "
            "frasi.", "ultime-parole"),
            Step(4, "scena", "Quante righe avrebbe la tabella: si moltiplica, non si somma.", "tabella"),
            Step(3, "notebook", "La prima cella di codice, in «Una tabella di ciò che segue»: quante delle "
            "righe possibili il racconto incontra, e quante una volta sola."),
            Step(4, "scena", "L'ID e il posto: che cosa resta quando una parola si sposta. Se avanza tempo, "
            "«Una parola mai vista» (parola-nuova), con una frase della classe.", "id-o-posto"),
            Step(6, "notebook", "«BPE: i pezzi si imparano»: la prima unione su carta, contando le coppie di "
            "libri · libro · libri · libretto · chiave · chiavi; poi la cella che le trova tutte e le due "
            "parole nuove."),
            Step(5, "scena", "Un numero dell'embedding, con la calcolatrice in "
            "radianti.", "dall-id-al-vettore"),
            Step(3, "scena", "Le righe si spostano, i numeri no: l'ordine per ora non "
            "conta.", "righe-spostate"),
            Step(9, "esercizio", "es01, in coppia: `vocabulary`. Chi finisce comincia `encode`."),
            Step(3, "discussione", "Che cosa manca a questi vettori? Due risposte da raccogliere: le parole "
            "vicine (notebook 2) e il posto (notebook 5)."),
        ),
        home="es01: `tokenise`, `encode`, `most_frequent_pair`, `merge_pair`, `embedding` (circa 45 minuti). "
        "Da leggere: «Che cosa non stiamo dicendo».",
        slips="ID scambiato con il posto; posti contati da 1; calcolatrice in gradi; nell'esercizio, coppie "
        "contate a cavallo di due parole, o, a parità, l'ultima incontrata al posto della prima.",
    ),
    Lesson(
        title="L'attenzione fatta a mano", notebook=2,
        goal="Calcolare con carta e penna i coefficienti di un token, e dire che cosa 0,665 dice e che cosa "
        "no.",
        steps=(
            Step(4, "scena", "Tre previsioni di somma 1, poi la mappa; si legge per "
            "righe.", "chi-guarda-era"),
            Step(4, "scena", "Il prodotto scalare, componente per componente.", "prodotti"),
            Step(3, "scena", "La divisione per la radice; i tre punteggi restano scritti alla "
            "lavagna.", "diviso-radice"),
            Step(3, "scena", "Punteggio 0 non è coefficiente 0. Servono le calcolatrici.", "esponenziale"),
            Step(3, "scena", "Ciascun esponenziale, diviso per la somma della riga.", "quota"),
            Step(4, "scena", "La media dei value, disegnata sul piano.", "combina"),
            Step(6, "notebook", "Dalla prima cella, che fa query, key e value con le tre matrici, fino a "
            "«Terzo gradino»: una cella alla volta, ritrovando i numeri della lavagna. Chi è veloce cambia "
            "`q_era` in «Secondo gradino» e dice prima che cosa succederà: escono i numeri nuovi, poi "
            "`assert` si ferma, perché non sono più quelli della lavagna."),
            Step(3, "scena", "Una candidata in più cambia tutti i coefficienti.", "quarta-candidata"),
            Step(4, "scena", "Che cosa 0,665 non dice: si cambia un value, e la mappa resta. Se avanza "
            "tempo, la scena che segue, «Chi non cerca nulla» (libri-guarda), fa da "
            "verifica.", "che-cosa-dice"),
            Step(8, "esercizio", "es02: `softmax_row`, da soli; si controlla con la riga di «era»."),
            Step(3, "discussione", "Parametri e coefficienti: quali numeri di oggi cambierebbero con "
            "un'altra frase, e quali no."),
        ),
        home="es02: `project`, `scaled_scores`, `combine`, `attend` (circa 30 minuti), e «Mettiti alla "
        "prova» del notebook.",
        slips="Mappa letta per colonne; softmax senza esponenziale; divisione per d_k al posto della radice; "
        "nell'esercizio, W messa a sinistra di x, e coefficienti arrotondati prima di combinare.",
    ),
    Lesson(
        title="La formula e la scala", notebook=3,
        goal="Leggere la formula con le sue forme, scrivere una softmax che regge, spiegare con una misura "
        "perché si divide per la radice.",
        steps=(
            Step(3, "scena", "Un prodotto solo per tutte le coppie: si contano, e si raddoppiano i "
            "token.", "tutte-le-coppie"),
            Step(3, "scena", "Il conto giusto sulla carta e rotto al computer.", "trabocca"),
            Step(3, "scena", "Aggiungere lo stesso numero a tutti non cambia nulla.", "mille-in-piu"),
            Step(4, "scena", "Allora si toglie il massimo.", "togli-il-massimo"),
            Step(15, "esercizio", "es03, in coppia: `softmax` per tutte le righe di una tabella. Prima di "
            "scrivere, ciascuno dice quale asse va sommato e perché."),
            Step(4, "scena", "La temperatura è un divisore comune. Se avanza tempo, «Più caldo» "
            "(temperatura-alta).", "temperatura-bassa"),
            Step(4, "notebook", "«La varianza, contata»: per d = 1 e d = 2 i casi si elencano alla lavagna, "
            "poi la cella li conta fino a d = 4."),
            Step(5, "scena", "La stessa varianza, misurata su vettori a caso con 64 componenti.", "varianza"),
            Step(4, "scena", "Che cosa succede senza dividere: una key prende quasi tutto, scelta dal "
            "caso.", "senza-radice"),
        ),
        home="es03: `at_temperature`, `block_scores`, `attention` (circa 30 minuti). Da leggere: «Perché è "
        "un guaio: il colpetto».",
        slips="Un massimo solo per tutta la tabella; somma sull'asse sbagliato; `K.T` con più frasi; scala "
        "presa dal numero dei token; temperatura letta come sicurezza.",
    ),
    Lesson(
        title="La maschera causale", notebook=4,
        goal="Costruire una maschera, metterla prima della softmax, e controllare con una prova che nulla "
        "trapeli dal futuro.",
        steps=(
            Step(4, "scena", "Quanto guarda ciò che deve prevedere.", "sbirciare"),
            Step(5, "scena", "Si disegna la maschera su un foglio, poi si confronta.", "causale"),
            Step(4, "scena", "La maschera messa dopo: Σ non fa più 1.", "dopo-la-softmax"),
            Step(8, "esercizio", "es04: `causal_mask`, da soli; si prova anche con due query e cinque key."),
            Step(4, "scena", "Perché il triangolo si appoggia in fondo. Se avanza tempo, «Solo i vicini» "
            "(finestra).", "due-query"),
            Step(6, "notebook", "«La sonda: cambia il futuro, guarda il passato»: si prevede, per ciascuna "
            "delle sette parole, quale vettore si sposta passando da «in» a «il»; poi le due celle."),
            Step(3, "scena", "In parallelo quando il testo c'è, in fila quando si genera.", "in-parallelo"),
            Step(3, "scena", "Il riempimento: colonne, non righe.", "riempimento"),
            Step(3, "scena", "I numeri che ci si mettono sono una convenzione.", "senza-diagonale"),
            Step(5, "discussione", "Encoder e decoder: quale maschera per tradurre, per classificare, per "
            "scrivere il seguito. Se avanza tempo, «Le due l di hello» (due-l) apre al notebook 5."),
        ),
        home="es04: `padding_mask`, `combine_masks`, `masked_softmax`, `masked_attention` (circa 35 minuti). "
        "La funzione `masked_attention` servirà nel notebook 8.",
        slips="Punteggio 0 al posto di −∞; True e False scambiati; diagonale vietata; triangolo appoggiato "
        "all'inizio quando le query sono meno delle key; riempimento vietato per righe.",
    ),
)  # fmt: skip
