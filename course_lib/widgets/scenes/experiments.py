"""Le scene degli esperimenti 1, 2, 4 e 5 del documento S2: che cosa si vede, e che cosa non vuol dire."""

from __future__ import annotations

from course_lib.widgets.scenes.scene import Scene

EXPERIMENTS = (
    Scene(
        key="esperimento-1", notebook=6, title="Esperimento 1: in, il", minutes=4, stage="context",
        question="«Una vecchia legge la regola in silenzio», poi «… il silenzio». Quanto cambia, al più, un "
                 "coefficiente?",
        answer="0,034: «in» → «Una» vale 0,123, «il» → «Una» 0,157. È cambiato 1 vettore su 7; nella "
               "lingua, invece, quasi tutta la frase.",
        notes=(
            "Prima fai analizzare le due frasi: con «in», «legge» è un verbo; con «il» è un nome, e "
            "«regola» diventa un verbo. Poi chiedi quanto di tutto questo si vedrà nei numeri.",
            "Fra le due tavole la differenza si vede appena. Accendi «Differenze» e scorri: fuori "
            "dalla riga cambiata, i sei coefficienti verso le parole rimaste sono moltiplicati per uno "
            "stesso numero, e basta.",
            "Se la classe si aspettava molto, è la risposta giusta alla domanda sbagliata: i vettori "
            "vengono dagli ID, e gli ID non sanno la grammatica.",
        ),
        slips="«Cambia tutto» è vero per chi legge, non per questi numeri. Una mappa non addestrata non ha "
              "capito nulla.",
        after={"lit": True, "side": 0, "i": 5, "j": 0},
    ),
    Scene(
        key="esperimento-2", notebook=6, title="Esperimento 2: l'ambiguità", minutes=3, stage="ambiguity",
        question="«Dice che mangia le mele vermi»: a chi dà di più «vermi»? E a che posto arriva «mele», "
                 "su 6?",
        answer="A sé stesso, 0,195; «mele» è ultima, 0,130. I 6 coefficienti sono quasi pari: "
               "l'ambiguità, qui, non si vede.",
        notes=(
            "Chi mangia che cosa? La frase si può leggere in più modi: falli trovare alla classe prima di "
            "rivelare.",
            "Sei coefficienti fra 0,130 e 0,195, quando un sesto è 0,167: quasi nessuna preferenza. Si vede "
            "dallo spessore, tutte le linee sono quasi uguali.",
            "Sposta d con il cursore: il posto di «mele» cambia. Se cambia con d, non era una scoperta "
            "sulla lingua.",
        ),
        slips="Si cerca nella mappa una conferma di ciò che si sa già, e la si trova.",
        after={"lit": True, "side": 0, "i": 5, "j": 5},
    ),
    Scene(
        key="esperimento-4", notebook=6, title="Esperimento 4: le dimensioni", minutes=3, stage="dimensions",
        look="[data-coefficients='1']",
        question="Con d = 2, 3 parole su 7 guardano soprattutto sé stesse. Con d = 8, quante?",
        answer="Tutte e 7. La distanza media fra i vettori sale da 0,983 a 1,865: più separati, non più "
               "sapienti.",
        notes=(
            "Nelle due tabelle fai cercare, riga per riga, il coefficiente più grande: è sulla diagonale? "
            "«Ogni parola guarda soprattutto sé stessa» sembra una legge: con d = 2 è falsa, con d = 8 è "
            "vera, e la frase è la stessa.",
            "Muovi il cursore di d: cambia soltanto la seconda tavola. Soltanto con d = 8 tutte e 7 "
            "guardano sé stesse: con d = 7 sono ancora 6.",
            "Se qualcuno dice che con più dimensioni il modello capisce di più: qui le dimensioni in più "
            "vengono dalla stessa formula, nessuna è stata imparata.",
        ),
        slips="Si crede che più dimensioni aggiungano significato.",
    ),
    Scene(
        key="esperimento-5", notebook=6, title="Esperimento 5: chi è «lui»?", minutes=3,
        stage="own_sentences",
        question="«Marco disse che lui avrebbe vinto»: a chi dà di più «lui»? E «Marco» a che posto è, su "
                 "6?",
        answer="A sé stesso, 0,232; «Marco» è l'ultimo, 0,117. In italiano, poi, un «lui» espresso "
               "spesso è qualcun altro.",
        notes=(
            "Chiedi prima alla classe chi sia «lui», e se «Marco disse che avrebbe vinto» voglia dire lo "
            "stesso. Le opinioni divise sono il punto.",
            "La seconda frase, «Il libro che ho letto ieri era interessante», dice lo stesso: «era» dà a "
            "«libro» 0,121, sesto su 8. Premi s per passare alla seconda frase.",
            "Da una mappa non addestrata non si legge né questo né il contrario. Fra poco ne guardiamo una "
            "addestrata.",
        ),
        slips="Si dice che il modello sbaglia: qui non c'è un modello che abbia imparato qualcosa, quindi "
              "nemmeno un errore.",
        after={"lit": True, "side": 0, "i": 3, "j": 0},
    ),
    Scene(
        key="la-vostra-frase", notebook=6, title="La vostra frase al tavolo", minutes=4,
        stage="simulator", cover="",
        question="Proponete una frase. Prima di premere «Mostra»: a chi darà di più l'ultima parola?",
        answer="Dipende dalla frase. Nella prima riga si legge quante parole guardano soprattutto sé "
               "stesse: in quella del corso 5 su 7.",
        notes=(
            "Con Python acceso scrivi la frase in «La tua frase» e premi «Mostra». Prima fai scommettere: "
            "a chi darà di più l'ultima parola?",
            "Prova anche una frase con una parola ripetuta: senza posizioni le due righe sono uguali, con "
            "le posizioni no.",
            "Senza Python restano gli esempi: «gatto e topo» è il più breve. Va bene anche saltare la scena.",
        ),
        slips="Si spiega a posteriori qualunque coefficiente, anche se viene da un ID.",
        before={"phase": 4},
    ),
)  # fmt: skip
