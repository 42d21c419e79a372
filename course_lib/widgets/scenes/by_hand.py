"""Le scene dei primi due notebook: l'attenzione fatta a mano è qui, dal testo ai vettori è in vectors.py."""

from __future__ import annotations

from course_lib.transformer import examples
from course_lib.widgets.scenes.scene import Scene
from course_lib.widgets.scenes.vectors import VECTORS

# i coefficienti di «era», da tenere tratteggiati accanto a quelli nuovi
ERA = [float(weight) for weight in examples.chiave_libri_era().weights[2]]

BY_HAND = (
    Scene(
        key="chi-guarda-era", notebook=2, title="Dove guarda «era»?", minutes=4, stage="lens",
        question="«era» divide il suo sguardo fra «chiave», «libri» e sé stessa: la somma è 1. A chi di più, "
        "e più o meno di un mezzo?",
        answer="A «chiave», più di un mezzo: 0,665. A sé stessa 0,245; a «libri» 0,090. La riga fa 1.",
        notes=(
            "Scrivi alla lavagna «La chiave accanto ai libri era …» e cerchia le tre parole: si lavora con "
            "quelle. Ciascuno scrive tre numeri di somma 1, poi riveli. Nessuno indovina i decimali: conta "
            "chi è primo e se supera la metà.",
            "La riga è chi guarda, la colonna chi è guardato: falla leggere ad alta voce, «era guarda chiave "
            "con 0,665». Poi chiedi quanto «chiave» guarda «era» (0,117): la tabella non è simmetrica.",
            "A destra c'è il conto di 0,665, ancora da fare: sette righe, una alla volta, nelle scene che "
            "seguono. I vettori sono inventati per la spiegazione, e nessuno ha addestrato nulla.",
            "Se la classe dice «libri», perché è più vicino: qui la vicinanza non entra.",
        ),
        slips="Si legge la tabella per colonne. Si prende la parola più vicina.",
        before={"step": 0},
    ),
    Scene(
        key="prodotti", notebook=2, title="Confronta: q per k", minutes=4, stage="lens", cover="numbers",
        question="La query di «era» è (√2; 0), la key di «chiave» è (2; 0). Quanto fa il loro prodotto "
        "scalare?",
        answer="√2 × 2 + 0 × 0 = 2√2, cioè 2,828: componente per componente, poi si somma.",
        notes=(
            "Da dove vengono i due vettori? Ogni token ha un embedding x; moltiplicato per tre matrici di "
            "parametri, W_Q, W_K e W_V, dà la sua query, la sua key e il suo value. Lo fa la prima cella del "
            "notebook; alla lavagna si parte dai vettori già fatti.",
            "Fai il conto alla lavagna con la classe prima di rivelare. √2 resta √2 fino alla fine; sullo "
            "schermo è 1,414.",
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
        "radice", minutes=3, stage="lens", cover="numbers",
        question="q·k fa 2√2. Le query hanno 2 componenti: si divide per √2. Il punteggio di «chiave» è 1, 2 "
        "o 4?",
        answer="2: 2,828 ÷ √2. Allo stesso modo «libri» ha punteggio 0 ed «era» 1: la riga è (2; 0; 1).",
        notes=(
            "Il conto si fa a mente: √2 si semplifica.",
            "Clicca le altre due celle della riga di «era», e leggi i punteggi 0 e 1. Scrivi (2; 0; 1) alla "
            "lavagna, e lascialo lì: serve nelle scene seguenti.",
            "Alla domanda «perché proprio la radice?» rispondi che lo misureremo nel notebook 3.",
        ),
        slips="Si divide per 2, il numero delle componenti, al posto della sua radice.",
        before={"step": 2}, after={"i": 2, "j": 0, "step": 3},
    ),
    Scene(
        key="esponenziale", notebook=2, title="Zero non è niente", minutes=3, stage="lens", cover="numbers",
        question="«libri» ha punteggio 0, ma il suo coefficiente, nella mappa, non è 0. Quanto vale il suo "
        "esponenziale, e⁰: 0 o 1?",
        answer="e⁰ = 1: punteggio 0 non è coefficiente 0. Gli altri due esponenziali sono e² = 7,389 ed "
        "e = 2,718.",
        notes=(
            "Fai rispondere per alzata di mano: è la domanda in cui si sbaglia di più. Chi ha la "
            "calcolatrice trova e² ed e; scrivi 7,389; 1; 2,718 sotto i punteggi.",
            "La cella è era → libri. La riga 4 somma 0 e non cambia nulla: è la maschera, la M della "
            "formula, di cui parleremo nel notebook 4.",
            "Per chi è veloce: con quale punteggio il coefficiente sarebbe 0? Con nessun numero; servirà −∞, "
            "la maschera del notebook 4.",
        ),
        slips="Punteggio 0 letto come «non lo guarda».",
        before={"j": 1, "step": 4}, after={"i": 2, "j": 1, "step": 5},
    ),
    Scene(
        key="quota", notebook=2, title="Normalizza: le quote", minutes=3, stage="lens", cover="numbers",
        question="Gli esponenziali sono 7,389 per «chiave», 1 e 2,718. Per quale numero si dividono, tutti e "
        "tre, perché le quote facciano 1?",
        answer="Per la loro somma, 11,107: 7,389 ÷ 11,107 = 0,665. Le altre due quote sono 0,090 e 0,245, in "
        "tutto 1.",
        notes=(
            "Fai sommare i tre esponenziali a mente, circa 11, e stimare: 7,4 su 11 è vicino a due terzi. È "
            "lo 0,665 della mappa, e adesso si sa da dove viene.",
            "Esponenziale e divisione, insieme, sono la softmax. Clicca le altre due celle della riga: il "
            "divisore 11,107 è sempre quello, perché è della riga.",
            "Chiedi che cosa succederebbe raddoppiando i punteggi. Poi clicca la cella chiave → chiave: la "
            "sua riga ha punteggi (4; 0; 2), e il primo coefficiente è 0,867, non il doppio.",
        ),
        slips="Si divide il punteggio per la somma dei punteggi, saltando l'esponenziale: verrebbe 2 ÷ 3, "
        "che per caso somiglia a 0,665. Si divide per la colonna.",
        before={"step": 5}, after={"i": 2, "j": 0, "step": 6},
    ),
    Scene(
        key="combina", notebook=2, title="Combina: i value", minutes=4, stage="lens",
        question="I value: (1; 0) di «chiave», (0; 1) di «libri», (0,5; 0,5) di «era». A quale dei tre sarà "
        "più vicino il risultato z?",
        answer="A quello di «chiave»: z = (0,788; 0,212). Anche «libri» entra nella media, con il suo 0,090.",
        notes=(
            "Prima di rivelare fai disegnare i tre value sul piano: stanno su una retta, e z, che ne è una "
            "media, deve starci anche lui. Poi il conto della prima componente: 0,665 × 1 + 0,090 × 0 + "
            "0,245 × 0,5; la seconda la fanno loro.",
            "A sinistra adesso c'è Z, uno z per riga: il nostro è nella riga di «era». Con i coefficienti "
            "arrotondati la classe trova (0,7875; 0,2125): si arrotonda una volta sola, alla fine.",
            "z non è la parola «chiave», e non è «arrugginita». È un vettore nuovo per «era», che adesso "
            "porta traccia di tutti e tre. Lascialo scritto alla lavagna: torna fra due scene.",
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
            "0,225; accanto 0,083. I punteggi dei tre di prima, qui chiamati logit, non sono cambiati. "
            "L'entropia e i tre riquadri in basso sono del notebook 3: per ora lasciali stare.",
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
            "value non vi compare. Cambia soltanto il settimo. Clicca softmax nella formula: la mappa è "
            "quella di prima.",
            "Poi cancella dalla lavagna quella frase, parola per parola: nel conto non ci sono soggetti, e "
            "nessuno ha misurato una sicurezza. È la quota di un value in una media.",
            "Se la classe dice «tutti e due», premi n: il conto ricomincia dal primo passo. Ancora n, uno "
            "alla volta, finché qualcuno non vede entrare V.",
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
