"""Le scene dei notebook 3 e 4: la formula e la scala, la maschera causale."""

from __future__ import annotations

from course_lib.widgets.scenes.by_hand import ERA
from course_lib.widgets.scenes.scene import Scene

FORMULA = (
    Scene(
        key="tutte-le-coppie", notebook=3, title="Tutte le coppie insieme", minutes=3, stage="lens",
        question="Q ha 3 righe, K ne ha 3. Quanti prodotti scalari ci sono in QKᵀ? E se i token diventano 6?",
        answer="9, uno per coppia; con 6 token 36. Con n token n²: il doppio dei token, il quadruplo delle "
        "coppie.",
        notes=(
            "Nella formula è acceso √d_k: sotto ci sono i nove punteggi. La riga di «era» è (2; 0; 1), "
            "quella fatta a mano; le altre due vengono dallo stesso prodotto.",
            "Clicca i simboli a uno a uno, e a ogni clic chiedi la forma: Q (3, 2), K (3, 2), softmax (3, "
            "3), V (3, 2), Z (3, 2).",
            "Fai continuare il conto: 1000 token, un milione di coppie; 2000 token, quattro milioni. È il "
            "costo dell'attenzione densa.",
            "Se la classe risponde 6, fai disegnare la tabella 6 × 6: ognuno guarda tutti, sé stesso "
            "compreso.",
        ),
        slips="Si contano le coppie senza sé stessi, o si pensa che raddoppiando i token raddoppi il lavoro.",
        before={"symbol": "√d_k", "step": 3},
    ),
    Scene(
        key="trabocca", notebook=3, title="Il conto si rompe", minutes=3, stage="temperature_big",
        question="Punteggi 1000, 1001 e 1002. Il computer eleva e a ciascuno, e divide per il totale. Che "
        "cosa scrive?",
        answer="Non è un numero: ogni esponenziale diventa ∞, e ∞ ÷ ∞ non si può fare. In float64 il limite "
        "dell'esponente è 709,8.",
        notes=(
            "Fai provare con la calcolatrice: e elevato a 1000 dà errore anche lì. Sulla carta il conto è "
            "giusto, è il numero che non si può scrivere.",
            "È scelta la via diretta in float64. Con m passa alla stessa in float32: il limite scende a "
            "88,7. Molti modelli usano numeri ancora più corti.",
        ),
        slips="Si risponde «circa 1 all'ultimo, 0 agli altri»: le differenze sono quelle di 0, 1 e 2. Si dà "
        "la colpa alla formula.",
        before={"way": "float64"},
    ),
    Scene(
        key="mille-in-piu", notebook=3, title="Mille in più a tutti", minutes=3, stage="temperature_shifted",
        question="Ai punteggi 2, 0 e 1 aggiungiamo 1000 ciascuno. Il coefficiente 0,665 va a 1, resta com'è "
        "o scende verso un terzo?",
        answer="Resta 0,665: e elevato a 1000 moltiplica sopra e sotto la frazione, e si semplifica. Contano "
        "soltanto le differenze.",
        notes=(
            "Scrivi alla lavagna una frazione con un fattore comune, e falla semplificare. Il tratteggio è "
            "il coefficiente di prima: coincide.",
            "Prova dal vivo gli altri bottoni di «+c a tutti»: −1000, 1, 100. Le barre non si muovono mai.",
            "Per la scena seguente: se si può aggiungere qualunque numero, quale conviene togliere?",
        ),
        slips="Si ragiona sui rapporti: 1002 e 1000 sono quasi uguali, dunque coefficienti quasi uguali. La "
        "softmax guarda le differenze.",
        after={"pinned": ERA},
    ),
    Scene(
        key="togli-il-massimo", notebook=3, title="La softmax che regge", minutes=4, stage="temperature_big",
        cover="numbers",
        question="La via stabile toglie a tutti il massimo, 1002. Che esponenti restano, e qual è "
        "l'esponenziale più grande?",
        answer="Restano −2, −1 e 0: il più grande è e⁰ = 1, e nulla trabocca. I coefficienti sono 0,090; "
        "0,245; 0,665.",
        notes=(
            "Chiedi prima perché si può togliere: lo dice la scena di prima, contano soltanto le differenze. "
            "E perché il massimo e non 1000? Qui vanno bene tutti e due, con (0; 0; 3000) soltanto il "
            "massimo.",
            "Dopo aver rivelato leggi la colonna «− massimo». Con m confronta le due vie dirette, che "
            "traboccano ancora.",
            "0,090; 0,245; 0,665 sono i coefficienti di «era», in un altro ordine: (1000; 1001; 1002) e (0; "
            "1; 2) sono la stessa riga. Nell'esercizio ogni riga di una tabella toglierà il suo massimo.",
        ),
        slips="Un massimo solo per tutta la tabella: le righe basse finiscono a 0 ÷ 0. Si divide per il "
        "massimo al posto di toglierlo.",
        before={"way": "float64", "row": 2}, after={"way": "stable", "row": 2},
    ),
    Scene(
        key="temperatura-bassa", notebook=3, title="Più freddo", minutes=4, stage="temperature_low",
        question="I punteggi 2, 0 e 1 danno a «chiave» 0,665. Se la temperatura τ scende da 1 a 0,5, a "
        "«chiave» tocca di più o di meno? Circa quanto?",
        answer="Di più: 0,867. Dividere per 0,5 raddoppia i punteggi, che diventano 4, 0 e 2; l'entropia "
        "scende da 1,20 a 0,64 bit.",
        notes=(
            "Il tratteggio sulle barre è τ = 1. Chi si è ridotto di più, in proporzione, è «libri»: da 0,090 "
            "a 0,016.",
            "0,867 l'abbiamo già visto: è il coefficiente di «chiave» che guarda sé stessa, con punteggi (4; "
            "0; 2). La temperatura è un divisore comune.",
            "Porta il cursore della temperatura a 0,1: «chiave» arriva a 1,000. E con due punteggi alti alla "
            "pari? Si dividono l'intero a metà.",
        ),
        slips="Si pensa che dimezzare τ raddoppi il coefficiente: una quota non può superare 1.",
        after={"pinned": ERA},
    ),
    Scene(
        key="temperatura-alta", notebook=3, title="Più caldo", minutes=2, stage="temperature_high",
        question="E con τ = 5? Scrivete i tre coefficienti di «chiave», «libri» ed «era», a occhio.",
        answer="0,402; 0,269; 0,329: quasi un terzo ciascuno, nell'ordine di prima. L'entropia è 1,57 bit, "
        "al più 1,58.",
        notes=(
            "Fai controllare la somma delle previsioni prima di rivelare. L'entropia misura quanto sono "
            "sparsi i coefficienti: 0 bit se uno prende tutto, 1,58 se sono uguali.",
            "Temperatura alta non è prudenza, bassa non è sicurezza: cambia come si divide l'intero, non ciò "
            "che il modello sa.",
        ),
        slips="Si pensa che l'ordine dei candidati possa cambiare. Si legge τ come sicurezza del modello.",
        after={"pinned": ERA},
    ),
    Scene(
        key="varianza", notebook=3, title="Quanto è sparso q·k?", minutes=5, stage="scaling_some",
        question="q e k hanno 64 componenti a caso, di media 0 e varianza 1. La varianza di q·k è circa 1, "
        "8, 64 o 4096?",
        answer="Circa 64: misurata 64,0, attesa 64 ± 1,5. Un addendo per componente. Divisi per √64 = 8, i "
        "prodotti hanno varianza 1,000.",
        notes=(
            "Prima, alla lavagna, d = 1 con componenti −1 o 1: il prodotto è −1 o 1, varianza 1. Con d = 2 "
            "sono quattro casi, −2, 0, 0 e 2: varianza 2.",
            "In alto i prodotti, in basso gli stessi divisi per 8, sullo stesso asse. Dividere per c divide "
            "la varianza per c²: per portarla da 64 a 1 ci vuole 8. La curva a destra resta coperta.",
            "Con le frecce cambia d: la varianza in alto lo segue, quella in basso resta vicina a 1. «Nuovo "
            "campione» cambia le cifre e non la conclusione (serve Python).",
            "Se la classe dice 8, ha risposto con la radice della varianza: è proprio ciò per cui si divide.",
        ),
        slips="Si confonde la varianza con la sua radice. Si pensa che valga per ogni query: vale per "
        "componenti indipendenti, di media 0 e varianza 1.",
        before={"panel": 0, "predict": True},
    ),
    Scene(
        key="senza-radice", notebook=3, title="E se la radice manca?", minutes=4, stage="scaling_most",
        question="Otto key a caso, 512 componenti, senza dividere. In media il coefficiente più grande è "
        "0,125, circa 0,35 o più di 0,9?",
        answer="Più di 0,9: 0,952 ± 0,006. Una key prende quasi tutto, e la sceglie il caso. Dividendo per "
        "√512 è 0,351.",
        notes=(
            "La curva sale con d se non si divide, resta ferma se si divide. Punteggiato: un ottavo a tutte.",
            "Con le frecce torna a d = 2: lì le due curve sono vicine. È per questo che sull'esempio di "
            "carta la radice sembra un dettaglio.",
            "Perché è un guaio: nelle zone piatte della softmax un ritocco a un punteggio non si sente; il "
            "notebook lo misura. Il limite: questi vettori sono a caso.",
        ),
        slips="Si crede che dividere serva a non traboccare: quello lo fa il massimo. Si divide per d, e la "
        "scelta sparisce.",
        before={"panel": 2}, look="[data-way='scaled']",
    ),
)  # fmt: skip

MASKS = (
    Scene(
        key="sbirciare", notebook=4, title="Le soluzioni sul banco", minutes=4, stage="masks_none",
        question="La riga di «l₃» deve prevedere la lettera seguente di «hello». Senza maschera, quanto "
        "guarda ciò che viene dopo?",
        answer="0,404 in tutto: 0,217 a «l₄», che è proprio la risposta, e 0,187 a «o». Può copiare invece "
        "di prevedere.",
        notes=(
            "Racconta il compito: a ogni posto il modello dice che lettera viene dopo. Chiedi dov'è scritta "
            "la risposta: una colonna più a destra, nella stessa tabella.",
            "I numeri sono coperti: fai stimare la parte di «l₄» e di «o» dalla barra in basso. Poi rivela, "
            "e fai sommare le ultime due celle di quella riga.",
            "La testa non è addestrata e non ha imparato a copiare. Nel notebook 4 una costruita apposta "
            "indovina così 4 lettere su 4.",
            "Se la classe dice «allora vietiamolo», chiedi come: mettere 0 nel punteggio non basta, perché "
            "e⁰ = 1.",
        ),
        slips="Si pensa che il futuro sia soltanto la colonna dopo: sono tutte quelle a destra.",
        cover="numbers", before={"i": 2, "j": 3}, after={"i": 2, "j": 3},
    ),
    Scene(
        key="causale", notebook=4, title="Vietato guardare avanti", minutes=5, stage="masks",
        question="Ognuno guarda sé stesso e chi viene prima. Delle 25 celle quante si vietano? E quanto fa Σ "
        "di ogni riga?",
        answer="10 vietate su 25, quelle sopra la diagonale. Ogni Σ fa ancora 1: la softmax divide soltanto "
        "fra le permesse.",
        notes=(
            "Fai disegnare una griglia 5 × 5 e tratteggiare le celle vietate, poi rivela.",
            "Tre matrici: punteggi, maschera M con 0 e −∞, coefficienti. e elevato a −∞ è 0 esatto. La "
            "cornice è sulla riga di «h»: una cella sola, coefficiente 1 qualunque sia il punteggio.",
            "Da provare con Python: svuota una cella permessa con la barra spaziatrice, e guarda la riga "
            "dividersi di nuovo.",
        ),
        slips="Si vieta sotto la diagonale, leggendo la tabella per colonne. Si vieta anche la diagonale.",
        before={"i": 0, "j": 0},
    ),
    Scene(
        key="dopo-la-softmax", notebook=4, title="La maschera in ritardo", minutes=4, stage="masks",
        cover="numbers",
        question="Se la maschera arriva dopo la softmax, quanto fa Σ nella riga di «h», che può guardare "
        "soltanto sé stessa?",
        answer="0,200 e non 1: la softmax aveva già diviso fra cinque, e 0,800 si perde. Sbagliano 4 righe "
        "su 5; l'ultima no.",
        notes=(
            "La riga di «h» ha cinque punteggi uguali: la softmax dà un quinto a ciascuno, poi quattro "
            "quinti si cancellano.",
            "Dopo aver rivelato, a destra c'è Σ ≠ 1 e nella barra il vuoto che manca. Con d torna all'ordine "
            "giusto, e di nuovo a quello sbagliato.",
            "Scendi con le frecce: alle righe manca sempre meno, perché vietano meno. All'ultima nulla: chi "
            "controlla solo quella non se ne accorge.",
        ),
        slips="Si azzera dopo e si pensa di aver finito. Si rimedia dividendo per la somma: torna, ma è un "
        "conto in più.",
        before={"i": 0, "j": 0, "late": False}, after={"i": 0, "j": 0, "late": True},
    ),
    Scene(
        key="due-query", notebook=4, title="Due query, cinque key", minutes=4, stage="masks_two",
        question="Cinque token, di cui due nuovi: 2 query contro 5 key. Quante key può guardare la prima "
        "delle due?",
        answer="4: le tre di prima e sé stessa. La seconda ne guarda 5. Il triangolo si appoggia in fondo, "
        "non all'inizio.",
        notes=(
            "Succede quando si genera: i token vecchi hanno già le loro key, e si calcolano soltanto le "
            "query nuove.",
            "Fai scrivere la maschera come righe di 1 e 0: 11110 e 11111. Chi scrive 10000 e 11000 ha "
            "appoggiato il triangolo all'inizio.",
            "Sono le ultime due righe della causale 5 × 5: sceglila fra le maschere, e torna.",
        ),
        slips="Il triangolo appoggiato all'inizio: con tante query quante key non si vede, e in generazione "
        "il modello ignora quasi tutto.",
        before={"i": 0, "j": 3},
    ),
    Scene(
        key="finestra", notebook=4, title="Solo i vicini", minutes=2, stage="masks_window",
        question="Ognuno guarda sé stesso e chi viene subito prima. Quante celle restano su 25? E con 1000 "
        "token?",
        answer="9, cioè 2 × 5 − 1. Con 1000 token 1999, contro le 500 500 della causale.",
        notes=(
            "La riga di «o» vede «l₄» e sé stessa. Fai contare per righe: 1, poi 2 per ogni altra.",
            "Chiedi che cosa si perde: con una finestra di 2, «era» non arriverebbe a «chiave».",
            "Una maschera da sola non risparmia tempo: i punteggi, se si cancellano dopo, sono già stati "
            "calcolati.",
        ),
        slips="Si conta 10, dimenticando che la prima riga non ha un precedente.",
        before={"i": 4, "j": 3},
    ),
    Scene(
        key="in-parallelo", notebook=4, title="In parallelo o in "
        "fila", minutes=3, stage="masks", cover="numbers",
        question="«hello» è già scritta: quante previsioni in un passaggio solo? E quanti passaggi per "
        "generarla da «h»?",
        answer="4 previsioni in un passaggio: dopo h, e, l, l. Per generarla, 4 passaggi: la lettera "
        "seguente non c'è ancora.",
        notes=(
            "Con le frecce scorri le righe dall'alto: ognuna vede un pezzo di parola e prevede la lettera "
            "dopo. La riga di «o» non ha nulla da prevedere.",
            "Poiché una riga non dipende da ciò che segue, si calcolano tutte insieme. In generazione il "
            "token va scelto, scritto e riletto: un computer più veloce accorcia l'attesa, non la toglie.",
            "Dal vivo: quattro allievi in fila scrivono una lettera ciascuno; poi, con la parola già "
            "scritta, rispondono tutti insieme.",
            "Se la classe dice 5: fai dire che cosa viene dopo la «o».",
        ),
        slips="Si pensa che anche la generazione vada in parallelo, o che la maschera risparmi da sola.",
        before={"i": 3, "j": 3}, after={"i": 3, "j": 3},
    ),
    Scene(
        key="riempimento", notebook=4, title="Posti finti", minutes=3, stage="masks_padding",
        question="Gli ultimi due posti sono di riempimento. Si vietano due righe o due colonne? E quante "
        "celle su 25?",
        answer="Due colonne, 10 celle: nessuno guarda i posti finti. Le loro righe restano, ma il risultato "
        "non si usa.",
        notes=(
            "Due frasi di 3 e 5 lettere nello stesso lotto: la corta si allunga in fondo. Chi è guardato sta "
            "in colonna, dunque si vietano colonne.",
            "Fai combinare a mente con la causale: una cella resta se la permettono tutte e due. Quante ne "
            "restano nella prima riga? Una.",
        ),
        slips="Si vietano le righe: i token veri continuano a guardare quelli finti.",
        before={"i": 2, "j": 3},
    ),
    Scene(
        key="senza-diagonale", notebook=4, title="Una riga vuota", minutes=3, stage="masks_before",
        question="E se ciascuno guardasse soltanto chi viene prima, e non sé stesso? Che numeri vengono "
        "nella riga di «h»?",
        answer="Nessuno: 0 ÷ 0 non è un numero. Per convenzione del corso la riga vale 0, e Σ = 0.",
        notes=(
            "È lo sbaglio di chi legge «i precedenti» alla lettera. Riprendi la griglia di chi aveva vietato "
            "la diagonale.",
            "La formula qui non dà nulla: ogni numero che ci si mette è una scelta. Altri programmi scrivono "
            "un negativo enorme al posto di −∞, e la riga diventa uniforme: chi non può guardare nessuno "
            "guarda tutti.",
            "La riga di «e» ha adesso una cella sola: tutto a «h», coefficiente 1.",
        ),
        slips="Si risponde «tutti 0» come se lo dicesse la formula: lo dice una convenzione, e va scritta.",
        before={"i": 0, "j": 0},
    ),
    Scene(
        key="due-l", notebook=4, title="Le due l di hello", minutes=3, stage="masks", cover="numbers",
        question="Nella riga di «o» le due l ricevono lo stesso coefficiente. È il caso, è che sono vicine, "
        "o che sono la stessa lettera?",
        answer="La stessa lettera, dunque la stessa key: 0,172 e 0,172. Nella riga di «l₄», 0,267 e 0,267.",
        notes=(
            "Lascia discutere: chi dice «vicine» indichi dove, nel conto, entra la distanza. Non c'è.",
            "Con le frecce sali alla riga di «l₄»: anche lì le due colonne sono uguali. Poi confrontala con "
            "la riga di «l₃»: è la stessa divisa per 1,364, per far posto alla seconda l.",
            "Ne viene la domanda del notebook 5: come si dice al modello quale l è la prima?",
        ),
        slips="Si pensa che la maschera dia la posizione di ogni token: qui dice soltanto chi è permesso.",
        before={"i": 4, "j": 2}, after={"i": 4, "j": 2},
    ),
)  # fmt: skip

SCENES = FORMULA + MASKS
