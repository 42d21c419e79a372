"""Le scene del notebook 1: dal testo ai vettori."""

from __future__ import annotations

from course_lib.widgets.scenes.scene import Scene

FIRST = {"phase": 1, "phases": [1, 2]}           # il Simulatore come lo apre il notebook 1

VECTORS = (
    Scene(
        key="quale-parola", notebook=1, title="Quale parola decide?", minutes=4, stage="sentence",
        question="«La chiave accanto ai libri era …»: arrugginita o arrugginiti? Quale parola lo decide, e "
        "quanti posti prima di «era»?",
        answer="Arrugginita: lo decide «chiave», al posto 1, quattro posti prima di «era». «libri» è al "
        "posto 4, il più vicino, e non c'entra.",
        notes=(
            "Leggi la frase ad alta voce e fermati prima dell'aggettivo. Fai votare; a chi ha detto "
            "«arrugginita» chiedi quale parola ha guardato.",
            "Dopo aver rivelato ci sono sei token, con i posti contati da 0. Clicca la figura e con le "
            "frecce porta la cornice da «chiave» a «era», contando i passi insieme alla classe.",
            "Una frase della classe: chiedine una con la stessa trappola, per esempio «Il cane delle vicine "
            "è …». Scrivila nel campo in basso, o alla lavagna: quanti posti separano il nome dal verbo?",
            "Se qualcuno dice «arrugginiti», non correggere: chiedigli che cosa sarebbe arrugginito, se i "
            "libri o la chiave. Si corregge da solo, e dice quale parola è tornato a guardare.",
        ),
        slips="Si contano i posti da 1. Si pensa che l'accordo si faccia con il nome più vicino: qui è il "
        "più vicino a sviare.",
        before={"i": 1},
    ),
    Scene(
        key="ultime-parole", notebook=1, title="Quanto larga la finestra?", minutes=4, stage="two_sentences",
        cover="numbers",
        question="Una tabella guarda soltanto le ultime parole. Quante gliene servono, come minimo, per "
        "distinguere le due frasi?",
        answer="Cinque: le ultime quattro, ai posti da 2 a 5, sono uguali. Andando indietro, la prima "
        "diversa è al posto 1: «chiave» e «gatto».",
        notes=(
            "Una tabella così dice: dopo queste parole, di solito, viene quest'altra. Fai coprire alla "
            "classe, con una mano, le parole a sinistra della finestra: con una di quattro resta «accanto ai "
            "libri era» in tutte e due le frasi, e la tabella dà la stessa risposta.",
            "Il segno ≠ sta sotto i token diversi. Premi s per passare da una frase all'altra, e le frecce "
            "per scorrere i posti.",
            "Una frase della classe: fai allontanare il soggetto, con «La chiave che ieri era accanto ai "
            "libri …», e chiedi quanto dovrebbe essere larga adesso la finestra.",
            "Se la classe dice «sei», fai contare da destra: la prima parola diversa basta.",
        ),
        slips="Si risponde «due», perché due sono i token diversi: la finestra però parte dal fondo e deve "
        "arrivare fino a loro.",
        before={"side": 0, "i": 1}, after={"side": 0, "i": 1},
    ),
    Scene(
        key="tabella", notebook=1, title="La tabella esplode", minutes=4, stage="simulator", options=FIRST,
        question="Qui il vocabolario ha 33 voci. Una tabella con finestra di 5 parole ha 165 righe, circa un "
        "milione, o circa 39 milioni?",
        answer="33⁵ = 39 135 393 righe, una per ogni fila di 5 voci. Con 50 000 voci sarebbero circa "
        "3,1·10²³.",
        notes=(
            "Fai costruire il conto: finestra di 1, 33 righe; finestra di 2, 33 × 33. A chi ha detto 165 "
            "chiedi quante sono le targhe di due lettere.",
            "Indica il vocabolario in basso: è piccolo, e la tabella è già enorme. Il racconto del corso, "
            "con i suoi 60 caratteri e finestra di 5, tocca 18 121 righe su 777 600 000.",
            "Domanda per andare avanti: allargare la finestra fa esplodere la tabella, restringerla taglia "
            "fuori «chiave». Che cosa vorremmo, al suo posto? La risposta da raccogliere è: guardare tutto, "
            "e scegliere.",
        ),
        slips="Si moltiplica 33 per 5. Si pensa che basti leggere più testi.",
        before={"i": 0},
    ),
    Scene(
        key="id-o-posto", notebook=1, title="Due posti, quanti ID?", minutes=4, stage="turned",
        cover="numbers", options=FIRST,
        question="«regola» è al posto 1 nella prima frase e al posto 3 nella seconda. In tutto, quanti ID "
        "diversi servono per le due frasi?",
        answer="Quattro: 3, 4, 31 e 32, gli stessi nelle due frasi. L'ID nomina la parola: «regola» ha il 4 "
        "al posto 1 e al posto 3.",
        notes=(
            "Prima di rivelare fai leggere i posti, frase per frase: gli ID sono coperti. Poi chiedi che "
            "cosa deve restare uguale quando una parola si sposta.",
            "Dopo, la cornice è su «regola» nelle due frasi. Con le frecce scorri le altre: ogni token ha il "
            "suo ID sotto, e nel vocabolario la voce incorniciata è una sola.",
            "L'ID è il nome sul registro, il posto è il banco: si cambia banco, non nome.",
            "Se la classe risponde «otto», chiedi quante voci occupano «La» e «la»: la maiuscola non conta, "
            "ed è una sola.",
        ),
        slips="Si scambia l'ID con il posto, come fa il documento che lo chiama numero di sedia. Nella frase "
        "del corso coincidono soltanto perché il vocabolario comincia da lì.",
        before={"side": 0, "i": 1}, after={"side": 0, "i": 1},
    ),
    Scene(
        key="dall-id-al-vettore", notebook=1, title="Dall'ID al vettore", minutes=5, stage="simulator",
        options={**FIRST, "phase": 2},
        question="Il primo numero di «regola» (ID 4) è 0,5·sin 2 + 0,3·cos 1,2, in radianti. Che segno ha? E "
        "quanto può valere, al massimo?",
        answer="+0,563, circa 0,455 + 0,109: due addendi positivi. Oltre 0,5 + 0,3 = 0,8 nessun numero può "
        "andare.",
        notes=(
            "Fai trovare i due segni senza calcolatrice: 2 radianti sono circa 115 gradi, 1,2 circa 69. Poi "
            "chi ha la calcolatrice, in radianti, rifà il conto.",
            "La cornice è sulla prima componente di «regola», e accanto c'è la ricetta. Muoviti a destra con "
            "le frecce: cambia soltanto il fattore i + 1 dentro l'angolo.",
            "Con tre cifre i due addendi farebbero 0,564: si arrotonda una volta sola, alla fine.",
            "Se la calcolatrice dà 0,317, è in gradi: è lo sbaglio da far vedere. Un modello vero gli "
            "embedding li impara: questa formula dà soltanto a ogni ID i suoi numeri.",
        ),
        slips="Angoli presi per gradi; i al posto di i + 1. Si cerca un significato nelle componenti: non "
        "c'è.",
        before={"i": 4, "c": 0},
    ),
    Scene(
        key="righe-spostate", notebook=1, title="Si cambia l'ordine", minutes=3, stage="turned",
        options={**FIRST, "phase": 2},
        question="Da «La regola è chiara» a «È chiara la regola»: dei 16 numeri quanti sono nuovi?",
        answer="Nessuno: le quattro righe si scambiano i posti e restano uguali. «regola» è +0,563; −0,600; "
        "−0,409; +0,521 in tutte e due.",
        notes=(
            "Fai prevedere per iscritto: nessuno, 4, 16. Poi rivela: la cornice è su «regola» in tutte e due "
            "le tabelle.",
            "La domanda che resta aperta: se la tabella non sa l'ordine, «il cane morde l'uomo» e «l'uomo "
            "morde il cane» danno le stesse righe. Ne parleremo nel notebook 5.",
            "Da provare dal vivo: sposta il cursore di d da 4 a 8. Le prime quattro colonne non cambiano, se "
            "ne aggiungono altre quattro.",
        ),
        slips="Si dice che il vettore dipende dal posto o dai vicini: qui viene dal solo ID.",
        before={"side": 0, "i": 1, "c": 0},
    ),
    Scene(
        key="parola-nuova", notebook=1, title="Una parola mai vista", minutes=4, stage="simulator", cover="",
        options=FIRST,
        question="Il vocabolario ha 33 voci, numerate da 0. Dite una frase con una parola nuova: quale ID "
        "prenderà?",
        answer="33, il primo numero libero: la parola nuova va in coda al vocabolario. Due parole nuove "
        "prendono 33 e 34.",
        notes=(
            "Scrivi la frase della classe in «La tua frase» e premi Mostra: la parola nuova compare in fondo "
            "al vocabolario. Passa alla fase 2 con il tasto 2: ha già un vettore, che non dice nulla di lei.",
            "Nel file senza Python la frase non si può scrivere: fai la domanda alla lavagna.",
            "Spiega che un modello vero non allunga il vocabolario mentre lo si usa: o ha un token ignoto, o "
            "taglia la parola in pezzi che conosce. La BPE del notebook 1 fa così.",
        ),
        slips="Si risponde 34, contando le voci da 1. Si pensa che il modello capisca la parola nuova perché "
        "le ha dato un numero.",
        before={"i": 0},
    ),
)  # fmt: skip
