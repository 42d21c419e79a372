"""Le scene dei notebook 5 e 6: la posizione, e le teste di un modello addestrato; gli esperimenti a parte."""

from __future__ import annotations

from course_lib.widgets.scenes.experiments import EXPERIMENTS
from course_lib.widgets.scenes.scene import Scene

PLACE = (
    Scene(
        key="scambio-senza-posizioni", notebook=5, title="Due parole cambiano posto", minutes=4,
        stage="position",
        question="«Il gatto mangia il topo», «Il topo mangia il gatto». Senza posizioni, che cosa ne è "
                 "della z di «gatto»?",
        answer="Resta la stessa, in un altro posto: a destra c'è «uguale» per tutte e 5 le parole. Senza "
               "posizioni l'attenzione vede un insieme, non una fila.",
        notes=(
            "La z è il vettore con cui una parola esce dall'attenzione. Fai scegliere fra «la stessa», "
            "«un'altra» e «tutta zero», poi rivela e segui con il dito il filo di «gatto».",
            "Dal vivo: un clic su due parole scambia quelle. Se scambi le due «il», la frase non cambia "
            "affatto: hanno lo stesso embedding.",
            "Con Python acceso scrivi una frase della classe, da 2 a 6 parole: «Marco saluta Anna» va bene. "
            "Guarda soltanto l'ultima colonna.",
            "Se la classe risponde «un'altra», chiedi quale numero del conto q·k dica il posto di una "
            "parola: nessuno.",
        ),
        slips="Si scambia «le righe cambiano ordine» con «non succede nulla»: la matrice è un'altra, le "
              "righe sono le stesse. E vale senza la maschera causale: con la maschera l'ordine si vede "
              "anche così.",
        before={"at": 2, "n": 8, "a": 1, "b": 4, "pe": False},
    ),
    Scene(
        key="scambio-con-posizioni", notebook=5, title="Adesso il posto conta", minutes=3, stage="position",
        cover="numbers",
        question="Sommiamo 0,3 × PE a ogni embedding e rifacciamo lo scambio. Quante z cambiano, su 5? "
                 "Quale di più?",
        answer="Cambiano tutte e 5: «gatto» di 0,076, «topo» di 0,065. Chi non si è mosso cambia meno, fra "
               "0,015 e 0,022.",
        notes=(
            "Prima di rivelare si vede ancora la figura di prima, senza numeri. Rivelando si accende «somma "
            "le posizioni»: i fili diventano tratteggiati, perché la z è cambiata.",
            "Perché cambia anche chi è rimasto fermo? Perché guarda gli altri, e due di loro adesso portano "
            "un altro codice. Fallo dire a qualcuno.",
            "Togli e rimetti la spunta due o tre volte: è il modo più rapido di far vedere che cosa "
            "aggiunge la codifica posizionale.",
        ),
        slips="Si pensa che cambino soltanto le due parole scambiate.",
        before={"at": 2, "n": 8, "a": 1, "b": 4, "pe": False}, after={"pe": True},
    ),
    Scene(
        key="lancette", notebook=5, title="Ogni coppia, una lancetta", minutes=4, stage="position",
        look="[data-pair='3']",
        question="Dal posto 0 al posto 1, quale lancetta gira di più: quella della coppia 0 o della coppia "
                 "3? Di quante volte?",
        answer="Quella della coppia 0: 1 radiante a ogni posto, un giro ogni 6,3 posti. L'ultima è 1000 "
               "volte più lenta: un giro ogni 6283.",
        notes=(
            "Ogni coppia di dimensioni è una lancetta: il seno dice quanto la punta sta a destra, il coseno "
            "quanto sta in alto. Sul posto 0 tutte segnano mezzogiorno; la lancetta tratteggiata è rimasta "
            "lì.",
            "Clicca sulla figura e scendi con ↓ di un posto alla volta: la prima lancetta corre, l'ultima "
            "sembra ferma. Sono come la lancetta dei secondi e quella delle ore.",
            "Fra gli esempi scegli «d = 2, base 10 000»: con una lancetta sola, dopo un giro i posti "
            "tornano quasi uguali. Perché allora servono anche quelle lente?",
        ),
        slips="Si prende i per l'indice della dimensione: è l'indice della coppia, e ogni coppia ha due "
              "dimensioni. Gli angoli sono in radianti.",
        before={"at": 0, "n": 8, "p": 1, "c": 0, "pinned": 0},
    ),
    Scene(
        key="distanza", notebook=5, title="Conta soltanto la distanza", minutes=3, stage="position",
        question="Quali due codici hanno il prodotto scalare più grande: quelli dei posti 0 e 3 o quelli "
                 "dei posti 3 e 6?",
        answer="Pari: 1,965 in tutti e due i casi, perché la distanza è 3. A distanza 6 risale a 3,784: "
               "lontano non vuol dire diverso.",
        notes=(
            "Nella matrice ogni diagonale ha un colore solo: stessa distanza, stesso prodotto. La curva a "
            "destra dice lo stesso in un colpo d'occhio.",
            "Con le frecce vai sulla cella dei posti 0 e 3: il pallino grande della curva non si muove.",
            "Se qualcuno dice che la somiglianza deve calare sempre, mostra la risalita a distanza 6: la "
            "prima lancetta ha fatto quasi un giro. Con «d = 5, base 10» si vede che cosa succede se d è "
            "dispari.",
        ),
        slips="Si crede che il prodotto scalare scenda sempre con la distanza. E la proprietà vale se d è "
              "pari.",
        before={"at": 1, "n": 8, "p": 3, "q": 6},
    ),
    Scene(
        key="regola-posto-4", notebook=5, title="«regola» al posto 4", minutes=4,
        stage="position",
        question="«regola», dimensione 0: embedding +0,563, PE(4) = −0,757. Quanto fa embedding + 0,3 × PE?",
        answer="0,563 − 0,227 = +0,336, come stampa il documento. Nelle altre tre dimensioni il documento "
               "sbaglia: −0,797, −0,386 e 0,824.",
        notes=(
            "Lascia un minuto per il conto a mano: 0,3 × 0,757 fa circa 0,227, e il segno è meno. Poi "
            "rivela e leggi la colonna della dimensione 0 dall'alto in basso.",
            "A destra c'è ciò che stampa il documento del simulatore; il bordo rosso segna i numeri "
            "sbagliati. Da dove viene l'errore? Dai coseni della seconda riga, e poi si trascina.",
            "Con il cursore del posto fai scorrere da 0 a 7: le prime tre righe non cambiano mai. "
            "L'embedding dice che parola è, PE dice dove sta.",
        ),
        slips="Si dimentica lo 0,3, oppure si usano i gradi: sin 4 è −0,757 soltanto in radianti.",
        before={"at": 3, "n": 8, "p": 4, "c": 0},
    ),
    Scene(
        key="errata-posto-2", notebook=5, title="Un segno sbagliato", minutes=3,
        stage="position",
        question="Per PE(2), dimensione 0, il documento stampa −0,909. È sin 2, in radianti: che segno deve "
                 "avere?",
        answer="Più: +0,909. 2 radianti sono quasi 115°, e fino a 180° il seno è positivo. La somma finale "
               "è 0,836, non 0,290.",
        notes=(
            "È un'errata vera, trovata rifacendo i conti. Chiedi come se ne accorgerebbe chi non ha la "
            "calcolatrice: mezzo giro vale circa 3,14, e 2 sta prima.",
            "Un segno solo sposta la somma da 0,836 a 0,290. Al posto 2 i numeri non giusti a tre cifre "
            "sono 13: contali con la classe, hanno il bordo rosso.",
            "Nell'esercizio es05 la stessa funzione vale per qualunque posto: chi la scrive bene trova "
            "l'errore da solo.",
        ),
        slips="Si prende per buono un numero perché è stampato. Chi usa i gradi trova 0,035 e non vede "
              "l'errore.",
        before={"at": 3, "n": 8, "p": 2, "c": 0},
    ),
    Scene(
        key="esperimento-3", notebook=5, title="Esperimento 3: l'ordine", minutes=4, stage="order",
        question="«Il gatto dorme sul divano», «Sul divano dorme il gatto». Con le posizioni, quanto cambia "
                 "al più un coefficiente?",
        answer="0,055: «sul» → «sul» passa da 0,330 a 0,275. L'ordine ora conta; che cosa voglia dire, non "
               "lo sa nessuno.",
        notes=(
            "È il tavolo della fase 4, che nel notebook 6 guarderemo da vicino: una linea per ogni "
            "coefficiente, il numero sulla riga scelta.",
            "Premi «Posizioni» per toglierle: le due mappe tornano la stessa, mescolata. È la prova che, "
            "senza, le due frasi erano una sola.",
            "«dorme» sta al posto 2 in tutte e due le frasi: clicca la sua riga e cerca che cosa cambia lo "
            "stesso.",
        ),
        slips="Si legge nella mappa il significato: «sul divano» messo davanti, in italiano, cambia il tema "
              "della frase, e qui non c'è.",
        after={"lit": True, "side": 0, "i": 3, "j": 3},
    ),
)  # fmt: skip

HEADS = (
    Scene(
        key="quattro-teste", notebook=6, title="Quattro teste addestrate", minutes=4, stage="heads",
        look=".cdl-ring-out",
        question="Un modello ha imparato la concordanza. Nella testa 1·1, a quale parola dà di più «era»?",
        answer="A «la», l'articolo: coefficiente 1,000. «chiave» riceve 0,000. La 1·2 guarda «accanto», la "
               "2·1 di nuovo «la».",
        notes=(
            "Queste teste sono addestrate, in poche migliaia di frasi: nel notebook 8 l'addestramento lo "
            "rifaremo noi. Qui le mappe non vengono più dagli ID.",
            "Scorri in alto e clicca le quattro miniature una per una: l'ultima riga è quella di «era». Chi "
            "guarda che cosa?",
            "Se la classe risponde «chiave», è l'ipotesi naturale: l'articolo porta genere e numero quanto "
            "il nome, e il modello ha trovato quella strada.",
            "Frase da provare: «la lampada sopra i bauli era». Anche lì «era» guarda l'articolo.",
        ),
        slips="Si dà alla testa un mestiere («la testa del soggetto») da una riga sola.",
        after={"e": 0, "i": 5, "j": 0},
    ),
    Scene(
        key="soglia", notebook=6, title="Legami sopra la soglia", minutes=2, stage="links", cover="numbers",
        question="Fino a «libri» i legami permessi sono 15. Se nascondiamo quelli sotto 0,05, quanti ne "
                 "restano?",
        answer="7. Gli altri 8 non si disegnano più, ma nella Σ di ogni riga ci sono ancora.",
        notes=(
            "15 è 1 + 2 + 3 + 4 + 5: con la maschera causale ogni riga ha un posto in più di quella sopra. "
            "È la stessa testa 1·1, con la frase fermata prima di «era».",
            "Muovi la soglia avanti e indietro: una figura con la soglia alta sembra molto più sicura di "
            "quella con la soglia a zero, e i numeri sono gli stessi.",
            "Chiedi sempre, davanti a una mappa pubblicata, che cosa è stato lasciato fuori.",
        ),
        slips="Si crede che un legame non disegnato valga 0.",
        before={"e": 0, "i": 4, "j": 1, "threshold": 0}, after={"threshold": 0.05},
    ),
    Scene(
        key="spegni-la-1-1", notebook=6, title="Spegniamo la testa 1·1", minutes=4,
        stage="heads", cover="numbers", top=True,
        question="La testa 1·1 guarda l'articolo. Se la spegniamo, in che lettera finirà l'aggettivo?",
        answer="In -o: -a scende da 0,997 a 0,025, -o sale a 0,973. Su 3200 frasi di prova il genere giusto "
               "passa dal 100,0 % al 74,8 %.",
        notes=(
            "Questa è l'ablazione: si toglie un pezzo e si rimisura. La barra grigia è la risposta di prima.",
            "75 per cento non è 50: una parte dell'informazione passa da un'altra strada. Quale? Lo "
            "cerchiamo nelle prossime scene.",
            "Con s si riaccende. Poi prova la 1·2, che guarda «accanto»: la risposta non si muove.",
        ),
        slips="Si conclude «la testa 1·1 fa la concordanza»: si è visto che serve, non che basta.",
        before={"e": 0, "off": []}, after={"off": [0]},
    ),
    Scene(
        key="una-mappa-non-spiega", notebook=6, title="Una mappa non spiega", minutes=3, stage="heads",
        cover="numbers", top=True,
        question="Anche la 2·1 guarda «la» con 1,000, come la 1·1. Se spegniamo lei sola, quanto resta di "
                 "-a?",
        answer="0,992, da 0,997: quasi tutto, e il genere resta giusto nel 100,0 % delle frasi. Due righe "
               "uguali, due effetti diversi.",
        notes=(
            "È la scena centrale del notebook 6. Due mappe con la stessa riga: una serve, l'altra, da sola, "
            "no. La mappa non poteva dirlo.",
            "Nell'effetto entrano anche i value, W_O, gli strati che seguono e la connessione residua, che "
            "vedremo nel notebook 7.",
            "Se la classe si aspettava un crollo, torna indietro di una scena e confronta le due miniature.",
        ),
        slips="Si rovescia la frase: «allora le mappe non servono». Servono a farsi un'ipotesi, da misurare.",
        before={"e": 3, "off": []}, after={"off": [2]},
    ),
    Scene(
        key="due-teste-un-lavoro", notebook=6, title="Due teste, un lavoro", minutes=3, stage="two_heads",
        cover="numbers", top=True,
        question="«I coltelli vicino alle lettere erano»: -i resta 0,996 senza la 1·1, 0,980 senza la 2·1. "
                 "E senza tutte e due?",
        answer="Vince -e con 0,666; -i scende a 0,321. Una copriva l'altra: spegnerne una per volta non lo "
               "mostrava.",
        notes=(
            "Spegni prima una, poi l'altra, poi tutte e due, con il bottone: le risposte sono già calcolate.",
            "È il caso della doppia serratura: togliere una chiave sola non dice a che cosa servono le due "
            "insieme.",
            "Chi ha risposto «0,979, si sommano le perdite» ha ragionato bene: ma qui gli effetti non si "
            "sommano.",
        ),
        slips="Da «senza questa non cambia nulla» si conclude «questa non serve».",
        before={"e": 0, "off": []}, after={"off": [0, 2]},
    ),
    Scene(
        key="soggetto-o-articolo", notebook=6, title="Soggetto o articolo?", minutes=3, stage="heads",
        cover="numbers", top=True,
        question="Vietiamo di guardare una parola sola, «chiave» oppure «la». Quale divieto cambia la "
                 "risposta?",
        answer="«la»: -a cade da 0,997 a 0,002, e il genere è giusto nel 50,6 % delle frasi. Senza «chiave» "
               "-a resta 0,996.",
        notes=(
            "Il divieto è una maschera: nessuno dei token che seguono può guardare quella parola, in "
            "nessuno strato.",
            "Dal menu «Vieta di guardare» scegli «chiave»: non si muove quasi nulla, e il genere resta "
            "giusto nel 98,9 % delle frasi.",
            "Il modello non ha trovato il soggetto: ha trovato l'articolo, che è la prima parola e dice "
            "genere e numero. Sarebbe così anche nelle frasi senza articolo?",
        ),
        slips="Si dice «ha capito qual è il soggetto» perché risponde bene.",
        before={"e": 0, "places": []}, after={"places": [0]},
    ),
)  # fmt: skip

SCENES = (*PLACE, *EXPERIMENTS, *HEADS)
