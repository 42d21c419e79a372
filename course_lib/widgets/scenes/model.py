"""Le scene dei notebook 7 e 8: il blocco, l'addestramento, la generazione, la frase del primo notebook."""

from __future__ import annotations

from course_lib.widgets.scenes.scene import Scene

RAIL = {"phases": False}         # il percorso senza la mappa delle sette fasi
CHOICE = {"coefficients": False}  # la scelta del token senza chi guarda chi

BLOCK = (
    Scene(
        key="sette-fasi", notebook=7, title="Le sette fasi", minutes=3, stage="path",
        question="Dal testo alle probabilità le fasi sono 7. Quali si ripetono, blocco dopo blocco?",
        answer="La 4, la 5 e la 6: attenzione multi-testa, add & norm, feed-forward. Qui per 12 blocchi; le "
               "altre si fanno una volta sola.",
        notes=(
            "Fai elencare le fasi a memoria prima di rivelare: token, embedding, codifica posizionale, e "
            "poi? Sono i titoli dei notebook fatti fin qui.",
            "La fase 5 è disegnata una volta, ma in un blocco di somme e di LayerNorm ce ne sono due.",
            "Con n e b si cammina nel blocco, con + e − si aggiungono blocchi: la forma del vettore non "
            "cambia mai, 8 numeri entrano e 8 escono. Per questo i blocchi si impilano.",
        ),
        slips="Si crede che token ed embedding si rifacciano a ogni blocco.",
        before={"at": 2, "depth": 1},
    ),
    Scene(
        key="layernorm", notebook=7, title="Dopo la LayerNorm", minutes=4, stage="path", cover="numbers",
        question="«era» entra nel blocco con media 0,158 e norma 1,251. Dopo la LayerNorm, quanto valgono?",
        answer="Media 0 e norma √8 = 2,828: la deviazione standard è 1 e le componenti sono 8. È così per "
               "ogni token.",
        notes=(
            "Il conto: a ogni componente si toglie la media, poi si divide per la deviazione standard, "
            "0,413. La media è 0 per costruzione.",
            "Perché √8? La norma al quadrato è la somma di 8 quadrati, e la loro media è 1.",
            "Clicca sugli altri token: media 0 e norma 2,828 anche per loro. Con una frase della classe è "
            "lo stesso.",
        ),
        slips="Si normalizza la colonna invece della riga: la LayerNorm guarda un token solo. O si divide "
              "per n − 1.",
        before={"at": 0, "reached": 1, "depth": 1}, after={"at": 1}, options=RAIL,
    ),
    Scene(
        key="residuo", notebook=7, title="La strada vecchia", minutes=4, stage="path", cover="numbers",
        question="Dall'attenzione esce un vettore lungo 0,082; «era» è lungo 1,251. Sommati, quanto "
                 "somigliano a «era»?",
        answer="Quasi del tutto: norma 1,214, coseno 0,998. Senza la somma resterebbe il vettore "
               "dell'attenzione, con coseno −0,480.",
        notes=(
            "La linea blu a sinistra è la connessione residua: porta il vettore com'era fino alla somma, "
            "senza passare per nessuna tappa.",
            "Togli la spunta a «Residui»: la linea si spezza e la tappa diventa «niente somma». Che cosa "
            "resta di «era»?",
            "Chi risponde «metà e metà» non ha guardato le lunghezze: 0,082 contro 1,251.",
        ),
        slips="Si pensa che il blocco sostituisca il vettore: con i residui vi aggiunge una correzione.",
        before={"at": 2, "reached": 2, "depth": 1}, after={"at": 3, "reached": 3}, options=RAIL,
    ),
    Scene(
        key="dodici-blocchi", notebook=7, title="Dodici blocchi più in là", minutes=4, stage="path",
        question="Dopo 12 blocchi, con i residui, «era» ha coseno 0,885 con la partenza. E senza residui?",
        answer="0,195, come due vettori a caso. E la norma è 0,198, la stessa per tutti e 6 i token: non si "
               "distinguono più.",
        notes=(
            "Per confronto: due vettori a caso di 8 componenti hanno coseno fra −0,35 e 0,35 due volte su "
            "tre.",
            "Con i residui spenti clicca i token uno per uno: i numeri dell'ultima riga sono gli stessi. Il "
            "modello ha dimenticato quale parola stava leggendo.",
            "I parametri sono a caso, non addestrati: la scena dice che cosa fa l'architettura da sola, non "
            "che cosa farebbe un modello addestrato così.",
        ),
        slips="Si attribuisce ai residui un sapere: lasciano soltanto aperta la strada, al segnale e al "
              "gradiente.",
        before={"at": 6, "depth": 12, "residuals": True}, after={"residuals": False}, options=RAIL,
    ),
    Scene(
        key="prima-o-dopo", notebook=7, title="LayerNorm, prima o dopo?", minutes=3, stage="path",
        question="LayerNorm prima del sottostrato, o dopo la somma: in quale caso la norma all'uscita non "
                 "cresce?",
        answer="Dopo (post-norm): √8 = 2,828 a ogni uscita. Prima (pre-norm) «libri» passa da 1,560 a 3,510 "
               "in 12 blocchi.",
        notes=(
            "Dal menu scegli «prima (pre-norm)»: la curva della norma sale, perché ogni blocco somma "
            "qualcosa e nessuno la riporta indietro. Perciò la pre-norm ha una LayerNorm finale.",
            "Il nostro ordine è pre-norm; quello di Vaswani e colleghi, nel 2017, era post-norm. «Add & "
            "norm» descrive il secondo.",
            "Quale è meglio non si vede da qui: è una questione di addestramento.",
        ),
        slips="Si confondono i due ordini quando si legge codice: la formula è x + f(LayerNorm(x)) oppure "
              "LayerNorm(x + f(x)).",
        before={"at": 6, "depth": 12, "token": 4}, after={"norm": "post"}, options=RAIL,
    ),
)  # fmt: skip

TRAINING = (
    Scene(
        key="loss-di-partenza", notebook=8, title="Chi non sa nulla", minutes=3, stage="newborn",
        question="Il vocabolario ha 105 parole e il modello è appena nato. Che loss vi aspettate: 0, 1 o ln "
                 "105?",
        answer="4,64, quasi ln 105 = 4,65: ogni parola ha circa 1 probabilità su 105. Genere giusto 48 "
               "volte su 100, come a caso.",
        notes=(
            "La loss è la sorpresa media, −ln p. Se p è 1 su 105, la sorpresa è ln 105: è la linea "
            "tratteggiata.",
            "Leggi la frase scritta da questo modello: parole della grammatica, in un ordine qualsiasi.",
            "Chi dice 0 pensa agli errori non ancora fatti; chi dice 1 pensa a una percentuale. Fai "
            "scrivere la formula.",
        ),
        slips="Si crede che un modello nuovo parta da loss 0, o che ln V sia un errore del programma.",
    ),
    Scene(
        key="scende-ma-il-genere", notebook=8, title="La loss scende, il genere?", minutes=3,
        stage="training", look="[data-measure='genere giusto']",
        question="Dopo 70 passi la loss è scesa da 4,64 a 1,90. Quante volte su 100 il genere è giusto?",
        answer="50, come a caso: finora ha imparato la forma della frase. Al passo 80 sono 75, alla fine "
               "100.",
        notes=(
            "La loss conta tutte le parole allo stesso modo: articolo, preposizione, verbo. Il genere "
            "dell'aggettivo ne è una piccola parte.",
            "Sposta «Momento» a destra di un passo alla volta: fra 70 e 80 il salto, fra 170 e 180 il "
            "secondo. La curva, lì, quasi non si muove.",
            "Chiedi quale misura guarderebbero per dire «ha imparato la concordanza». Non la loss.",
        ),
        slips="Si legge una loss bassa come «sa tutto»; il livello del caso, per il genere, è 50 su 100.",
        before={"at": 0, "head": 0}, after={"at": 7},
    ),
    Scene(
        key="chi-guarda-alla-fine", notebook=8, title="«era» dopo l'addestramento", minutes=4,
        stage="training", look="[data-map]",
        question="Dopo 300 passi, oltre che a sé stessa, a chi dà di più «era»: a «chiave», a «libri» o a "
                 "«la»?",
        answer="A «la»: coefficiente 0,497 nella media delle 2 teste; «libri» 0,019, «chiave» 0,003. Genere "
               "giusto 100 volte su 100.",
        notes=(
            "È lo stesso dell'altro modello: di nuovo l'articolo. Scegli «testa 1» dal menu Mappa: lì «la» "
            "ha 0,988.",
            "Con il cursore torna a 150 passi: «la» valeva 0,096. La strada si è aperta fra 150 e 200.",
            "Con Python acceso premi «Da capo» e «Avvia»: l'addestramento riparte davanti alla classe. "
            "Cambia il numero di teste e confronta.",
            "Chi vuole dire «ha trovato il soggetto» deve togliere l'articolo e rimisurare: è la cella "
            "dopo, nel notebook.",
        ),
        slips="Si prende la mappa per la spiegazione: che serva davvero lo dice l'ablazione.",
        before={"at": None, "head": 0},
    ),
)  # fmt: skip

WRITING = (
    Scene(
        key="greedy", notebook=8, title="Sempre il più probabile", minutes=3, stage="writing_greedy",
        question="Un modello a caratteri continua «La chiave » prendendo sempre il più probabile. Quale "
                 "lettera mette?",
        answer="«s», con 0,221; e dopo 6 passi «La chiave si era». Rifatto 100 volte, il testo è lo stesso.",
        notes=(
            "Il modello ha letto un racconto, carattere per carattere, e si è allenato a prevedere il "
            "seguente. La storia, a destra o sotto, dice i passi fatti.",
            "Torna indietro con ← fino al primo passo: «s» è soltanto il più probabile, nemmeno uno su "
            "quattro.",
            "Fai scrivere a tutti una lettera prima di rivelare: quanti hanno scritto «è»? La classe "
            "prevede parole, il modello caratteri.",
        ),
        slips="«Il più probabile» non vuol dire «probabile»: 0,221 lascia quasi otto casi su dieci agli "
              "altri.",
        after={"at": 5}, options=CHOICE,
    ),
    Scene(
        key="estrazione", notebook=8, title="Si tira a sorte", minutes=3, stage="writing_drawn",
        look="[data-dart]",
        question="Ora si estrae secondo le probabilità. «s» ha 0,221: su 100 estrazioni, quante volte viene "
                 "altro?",
        answer="Circa 78. Con questo seme è uscito u = 0,538 e viene «d», il secondo, con 0,138: non è un "
               "errore.",
        notes=(
            "In basso c'è il segmento da 0 a 1, diviso fra i candidati: u cade nel tratto di «d».",
            "Stesso seme, stesse scelte, stesso testo. Con Python acceso cambia il seme e premi "
            "«Ricomincia».",
            "Chiedi dove, in un programma che usano, l'estrazione è comoda e dove invece no.",
        ),
        slips="Si pensa che il caso sia nel modello: le probabilità sono sempre le stesse, il caso è "
              "nell'estrazione.",
        options=CHOICE,
    ),
    Scene(
        key="tau-un-mezzo", notebook=8, title="Con τ = 0,5", minutes=3,
        stage="writing_cold",
        question="Con τ = 1 la probabilità di «s» era 0,221. Con τ = 0,5 sale o scende? A quanto, circa?",
        answer="Sale a 0,435: i logit si dividono per 0,5, cioè raddoppiano. Con τ = 2 scende a 0,110.",
        notes=(
            "È la temperatura del notebook 3, applicata ai logit del vocabolario: l'ordine dei candidati "
            "non cambia, cambia quanto il primo stacca gli altri.",
            "Con Python acceso muovi τ: verso 0 si arriva a greedy, oltre 2 il testo si disfa.",
            "Chi dice 0,442, il doppio, ha raddoppiato la probabilità: si raddoppiano i logit, e la somma "
            "torna 1.",
        ),
        slips="Si crede che τ bassa renda il modello più esatto: lo rende più ripetitivo.",
        options=CHOICE,
    ),
    Scene(
        key="top-k", notebook=8, title="I primi tre", minutes=3, stage="writing_top_k",
        question="Teniamo i primi 3: 0,221, 0,138 e 0,111. Quanto diventa la probabilità di «s»?",
        answer="0,470, cioè 0,221 diviso la somma dei 3, 0,469. Gli altri 57 caratteri non possono più "
               "uscire.",
        notes=(
            "La linea tratteggiata è il taglio. A destra, la probabilità dopo: è una divisione, come nella "
            "softmax con la maschera.",
            "Prima di rivelare fai verificare a mano: 0,221 + 0,138 + 0,111 fa 0,470, perché gli addendi "
            "sono arrotondati; i numeri interi danno 0,469.",
            "Vai avanti con n di due passi: lì il primo ha già 0,807, e tenerne tre vuol dire tenere anche "
            "chi non c'entra.",
        ),
        slips="Si dimentica di dividere per la somma: le tre probabilità, da sole, non fanno 1.",
        before={"at": 0},
        options=CHOICE,
    ),
    Scene(
        key="top-p", notebook=8, title="Quanti ne servono", minutes=3, stage="writing_top_p",
        question="top-p = 0,8, dopo «La chiave n»: «e» 0,608, «o» 0,212, «i» 0,148. Quanti candidati "
                 "restano?",
        answer="2: 0,608 + 0,212 = 0,820, che passa 0,8. Al passo prima ne servivano 7: il taglio segue "
               "l'incertezza.",
        notes=(
            "Top-k fissa quanti, top-p fissa quanta probabilità: quando il modello è sicuro ne bastano "
            "pochi.",
            "Con ← torna al primo passo: lì per arrivare a 0,8 ne servono 7, e il taglio è più giù.",
            "Chi dice 3 ha tolto anche il candidato che fa superare la soglia: quello si tiene.",
        ),
        slips="Si taglia prima di arrivare a 0,8, lasciando fuori il candidato che la fa superare.",
        before={"at": 1},
        options=CHOICE,
    ),
    Scene(
        key="bivio", notebook=8, title="Un carattere diverso", minutes=3, stage="writing_fork",
        question="Greedy scriveva «La chiave si era». Al primo passo mettiamo noi «d»: poi come prosegue?",
        answer="«La chiave di un»: un carattere diverso, e tutto il seguito cambia. Nessun passo corregge i "
               "precedenti.",
        notes=(
            "Ciò che si è scritto diventa contesto: il modello lo rilegge a ogni passo, e non può più "
            "cambiarlo.",
            "Dal vivo: scegli un candidato con ↓ e premi Invio, oppure «Metti questo». Si apre un altro "
            "ramo, e quello di prima resta nell'elenco.",
            "È lo stesso motivo per cui in generazione si va in sequenza, mentre in addestramento si "
            "calcola tutto insieme (notebook 4).",
        ),
        slips="Si pensa che il modello abbia in mente una frase intera e la scriva.",
        before={"at": 0}, after={"at": 4},
        options=CHOICE,
    ),
    Scene(
        key="frase-di-partenza", notebook=8, title="La frase da cui partimmo", minutes=4, stage="closing",
        question="«La chiave accanto ai libri era …»: in quale lettera finirà la parola che il modello "
                 "sceglie?",
        answer="In -a: i primi 10 candidati sono femminili singolari, insieme 0,997. «arrugginita» è "
               "ottava, 0,062.",
        notes=(
            "È la frase del primo notebook. Lì era un'intuizione; poi 3 numeri fatti a mano, una matrice, "
            "una maschera, le posizioni, le teste, un blocco. Adesso la continua un modello che nessuno ha "
            "istruito sulla concordanza.",
            "Quale aggettivo, dalle parole, non si può sapere: «piccola» ha 0,153 e «nuova» 0,151. Il "
            "genere sì.",
            "È il modello delle quattro teste del notebook 6: «era» guardava l'articolo. Con Python acceso "
            "scrivi la gemella, «il chiodo accanto ai libri era», e premi «Ricomincia»: finisce in -o. Che "
            "cosa sappiamo dire adesso, che al primo incontro non sapevamo? Lascia rispondere la classe.",
        ),
        slips="Si torna a dire che il modello «capisce»: ha imparato a prevedere la parola che segue.",
        options=CHOICE,
    ),
)  # fmt: skip

SCENES = (*BLOCK, *TRAINING, *WRITING)
