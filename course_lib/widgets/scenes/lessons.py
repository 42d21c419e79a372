"""Gli otto incontri, uno per notebook, e l'assaggio per chi ha poco tempo."""

from __future__ import annotations

from course_lib.widgets.scenes import lessons_first, lessons_second
from course_lib.widgets.scenes.lesson import Lesson, Step

LESSONS = (*lessons_first.LESSONS, *lessons_second.LESSONS)
TASTER = Lesson(
    title="Un assaggio di 20 minuti", notebook=2,
    goal="Dire a parole che cosa fa l'attenzione, con tre numeri veri e un modello che li ha imparati.",
    steps=(
        Step(4, "scena", "La domanda da cui parte tutto il corso. Si vota, poi si rivela. Gli ID e il "
             "vocabolario, oggi, si lasciano stare.", "quale-parola"),
        Step(4, "scena", "Tre previsioni di somma 1 alla lavagna; si rivela e si legge la riga.",
             "chi-guarda-era"),
        Step(3, "scena", "Da dove vengono i tre numeri. Prima si scrivono alla lavagna i punteggi (2; 0; 1) "
             "e, sotto, e², e⁰ ed e: i punteggi dicono quanto due parole si accordano, e in venti minuti "
             "basta. Ciascun esponenziale si divide per la somma.", "quota"),
        Step(4, "scena", "I numeri di prima li avevamo scelti noi. Questo modello li ha imparati, e guarda "
             "altrove: verso l'articolo. La curva dice soltanto che sbaglia sempre meno; si legge l'ultima "
             "riga della mappa.", "chi-guarda-alla-fine"),
        Step(4, "scena", "La stessa frase, continuata dal modello. Si vota la lettera, poi si rivela.",
             "frase-di-partenza"),
        Step(1, "discussione", "Che cosa non abbiamo detto: che il modello capisca la frase. Chi vuole "
             "sapere come si arriva fin qui comincia dal notebook 1."),
    ),
    home="Il notebook 1, fino a «Prima prevedi»; chi ha fretta comincia dal 2.",
    slips="Pensare che 0,665 sia una regola di grammatica: è il risultato di numeri scelti per l'esempio. E "
    "che il modello addestrato faccia lo stesso conto con le stesse parole: guarda «la», non «chiave».",
)  # fmt: skip
