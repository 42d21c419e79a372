"""Le scene dei primi due notebook: dal testo ai vettori, e l'attenzione fatta a mano."""

from __future__ import annotations

from course_lib.transformer import examples
from course_lib.widgets.scenes.scene import Scene

# i coefficienti di «era», da tenere tratteggiati accanto a quelli nuovi
ERA = [float(weight) for weight in examples.chiave_libri_era().weights[2]]
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
            "Prima di rivelare fai numerare i posti alla classe, da 0, frase per frase. Poi chiedi che cosa "
            "deve restare uguale quando una parola si sposta.",
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

BY_HAND = (
    Scene(
        key="chi-guarda-era", notebook=2, title="Chi guarda «era»?", minutes=4, stage="lens",
        question="«era» divide il suo sguardo fra «chiave», «libri» e sé stessa: la somma è 1. A chi di più, "
        "e più o meno di un mezzo?",
        answer="A «chiave», più di un mezzo: 0,665. A sé stessa 0,245; a «libri» 0,090. La riga fa 1.",
        notes=(
            "Fai scrivere tre numeri di somma 1 a ciascuno, poi rivela. Nessuno indovina i decimali: conta "
            "chi è primo e se supera la metà.",
            "La riga è chi guarda, la colonna chi è guardato: falla leggere ad alta voce, «era guarda chiave "
            "con 0,665». Poi chiedi quanto «chiave» guarda «era» (0,117): la tabella non è simmetrica.",
            "A destra c'è il conto di 0,665: lo rifaremo riga per riga. I vettori sono inventati per la "
            "spiegazione, e nessuno ha addestrato nulla.",
            "Se la classe dice «libri», perché è più vicino: qui la vicinanza non entra.",
        ),
        slips="Si legge la tabella per colonne. Si prende la parola più vicina.",
        before={"step": 6},
    ),
    Scene(
        key="prodotti", notebook=2, title="Confronta: q per k", minutes=4, stage="lens", cover="numbers",
        question="La query di «era» è (√2; 0), la key di «chiave» è (2; 0). Quanto fa il loro prodotto "
        "scalare?",
        answer="√2 × 2 + 0 × 0 = 2√2, cioè 2,828: componente per componente, poi si somma.",
        notes=(
            "Fai il conto alla lavagna con la classe prima di rivelare; √2 resta √2 fino alla fine.",
            "Dopo aver rivelato la riga accesa è la somma. Con b torna ai due prodotti, con n vai avanti. "
            "Poi clicca la cella di «libri» nella riga di «era»: i prodotti sono 0 e 0.",
            "La query è ciò con cui si cerca, la key ciò con cui ci si fa trovare. La key non è il token "
            "«chiave»: ne ha una anche «libri».",
        ),
        slips="Si dimentica di sommare, o si moltiplica ogni componente con tutte le altre. Si confonde la "
        "key con la parola «chiave».",
        before={"step": 1}, after={"i": 2, "j": 0, "step": 2},
    ),
    Scene(
        key="diviso-radice", notebook=2, title="Diviso per la "
        "radice", minutes=2, stage="lens", cover="numbers",
        question="q·k fa 2√2. Le query hanno 2 componenti: si divide per √2. Il punteggio di «chiave» è 1, 2 "
        "o 4?",
        answer="2: 2,828 ÷ √2. Allo stesso modo «libri» ha punteggio 0 ed «era» 1: la riga è (2; 0; 1).",
        notes=(
            "Il conto si fa a mente: √2 si semplifica.",
            "Clicca le altre due celle della riga di «era», e leggi i punteggi 0 e 1. Servono nelle scene "
            "seguenti: lasciali scritti alla lavagna.",
            "Alla domanda «perché proprio la radice?» rispondi che lo misureremo nel notebook 3.",
        ),
        slips="Si divide per 2, il numero delle componenti, al posto della sua radice.",
        before={"step": 2}, after={"i": 2, "j": 0, "step": 3},
    ),
    Scene(
        key="esponenziale", notebook=2, title="Zero non è niente", minutes=4, stage="lens", cover="numbers",
        question="«libri» ha punteggio 0. Quanto vale il suo esponenziale, e quale dei tre coefficienti sarà "
        "0?",
        answer="e⁰ = 1, e nessun coefficiente è 0: punteggio 0 non è coefficiente 0. Gli altri esponenziali "
        "sono 7,389 e 2,718.",
        notes=(
            "Fai dire a voce e⁰ prima di parlare di coefficienti: è la domanda in cui si sbaglia di più.",
            "La cella è era → libri. Con n si arriva alla divisione: 1 ÷ 11,107 fa 0,090, poco ma non zero.",
            "Per chi è veloce: con quale punteggio il coefficiente sarebbe 0? Con nessun numero; servirà −∞, "
            "la maschera del notebook 4.",
        ),
        slips="Punteggio 0 letto come «non lo guarda».",
        before={"j": 1, "step": 4}, after={"i": 2, "j": 1, "step": 5},
    ),
    Scene(
        key="quota", notebook=2, title="Normalizza: le quote", minutes=3, stage="lens", cover="numbers",
        question="Gli esponenziali sono 7,389 per «chiave», 1 e 2,718. Che quota tocca a «chiave»: un mezzo, "
        "due terzi o nove decimi?",
        answer="Circa due terzi: 7,389 ÷ 11,107 = 0,665. 11,107 è la somma dei tre; le quote fanno 1.",
        notes=(
            "Fai sommare i tre esponenziali a mente, circa 11, e dividere: 7,4 su 11 è vicino a due terzi.",
            "Esponenziale e divisione, insieme, sono la softmax. Prova a cliccare le altre due celle della "
            "riga: il divisore 11,107 è sempre quello, perché è della riga.",
            "Chiedi che cosa succederebbe raddoppiando i punteggi: la risposta è nella riga di «chiave», (4; "
            "0; 2), dove il primo coefficiente è 0,867 e non il doppio.",
        ),
        slips="Si divide il punteggio per la somma dei punteggi, saltando l'esponenziale: verrebbe 2 ÷ 3, "
        "che per caso gli somiglia. Si divide per la colonna.",
        before={"step": 5}, after={"i": 2, "j": 0, "step": 6},
    ),
    Scene(
        key="combina", notebook=2, title="Combina: i value", minutes=4, stage="lens",
        question="I value: (1; 0) di «chiave», (0; 1) di «libri», (0,5; 0,5) di «era». A quale dei tre sarà "
        "più vicino il risultato z?",
        answer="A quello di «chiave»: z = (0,788; 0,212). Anche «libri» entra nella media, con il suo 0,090.",
        notes=(
            "Prima di rivelare fai disegnare i tre value sul piano: stanno su una retta, e z, che ne è una "
            "media, deve starci anche lui.",
            "A sinistra adesso c'è Z, uno z per riga; la riga 7 del conto è la somma di ogni value per il "
            "suo coefficiente. Con i coefficienti arrotondati verrebbe (0,7875; 0,2125): si arrotonda una "
            "volta sola, alla fine.",
            "z non è la parola «chiave», e non è «arrugginita». È un vettore nuovo per «era», che adesso "
            "porta traccia di tutti e tre.",
        ),
        slips="Si prende il value del più guardato e basta. Si legge z come una parola.",
        before={"symbol": "Z"},
    ),
    Scene(
        key="quarta-candidata", notebook=2, title="Arriva una quarta candidata", minutes=3, stage="four",
        question="Si aggiunge «accanto», con punteggio 0. Il coefficiente di «chiave», che era 0,665: sale, "
        "scende o resta? Di quanto?",
        answer="Scende a 0,610: il totale passa da 11,107 a 12,107. «accanto» prende 0,083, e le altre "
        "scendono tutte.",
        notes=(
            "Fai calcolare il totale nuovo: e⁰ = 1, dunque 11,107 + 1. Poi 7,389 ÷ 12,107.",
            "Le barre sono i coefficienti, il tratteggio quelli di prima: chiave 0,610; libri 0,083; era "
            "0,225; accanto 0,083. I punteggi dei tre di prima, qui chiamati logit, non sono cambiati.",
            "Da qui la distinzione: i 12 parametri di W_Q, W_K e W_V sono gli stessi, i coefficienti no. "
            "Contestualizzare non è riaddestrare.",
            "Se la classe dice «resta, perché ha punteggio 0», riprendi la scena dell'esponenziale.",
        ),
        slips="Si pensa che un coefficiente dipenda soltanto dalle due parole della cella: dipende da tutta "
        "la riga.",
        before={"way": "float64"}, after={"way": "float64", "pinned": [*ERA, 0.0]},
    ),
    Scene(
        key="che-cosa-dice", notebook=2, title="Che cosa dice 0,665?", minutes=4, stage="lens_other_value",
        question="Cambiamo il value di «chiave», da (1; 0) a (0; 1), e nient'altro. Che cosa si muove: la "
        "mappa, z, o tutti e due?",
        answer="Soltanto z: da (0,788; 0,212) a (0,122; 0,878). 0,665 resta: dice quanto si prende da "
        "«chiave», non che cosa.",
        notes=(
            "Chiedi prima che cosa voglia dire 0,665. Quasi sempre qualcuno dice: sicuro al 66,5 % che il "
            "soggetto sia «chiave». Scrivi la frase alla lavagna, e rivela.",
            "A sinistra Z, a destra il conto: i primi sei passi sono quelli di prima, 0,665 compreso, e il "
            "value non vi compare. Cambia soltanto il settimo.",
            "Poi cancella dalla lavagna quella frase, parola per parola: nel conto non ci sono soggetti, e "
            "nessuno ha misurato una sicurezza. È la quota di un value in una media.",
            "Se la classe dice «tutti e due», torna al primo passo con n e fai cercare dove entra V.",
        ),
        slips="0,665 letto come probabilità, come sicurezza, o come spiegazione della risposta.",
        before={"symbol": "Z"},
    ),
    Scene(
        key="libri-guarda", notebook=2, title="Chi non cerca nulla", minutes=2, stage="lens",
        question="La query di «libri» è (0; 0). Quanto guarda «chiave», quanto sé stesso, quanto «era»?",
        answer="Un terzo ciascuno, 0,333: tre punteggi 0, tre esponenziali 1. Chi non cerca nulla guarda "
        "tutti allo stesso modo.",
        notes=(
            "È la verifica delle scene prima: chi ha capito che e⁰ fa 1 risponde subito.",
            "Con le frecce passa sulle tre celle della riga di «libri»: il conto è sempre 1 ÷ 3.",
            "Se la classe dice «tutti 0», ricorda che ogni riga fa 1: qualcuno deve pur prendere qualcosa.",
        ),
        slips="Tutti 0; oppure tutto a sé stesso.",
        before={"i": 1, "j": 0, "step": 6},
    ),
)  # fmt: skip

SCENES = VECTORS + BY_HAND
