"""es07 · Le maschere delle tre famiglie: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.es04.masks import ADDITIVE, INVERTED, NUMBERS
from course_lib.checks.es07 import functions as f
from course_lib.checks.exercise import Check, Slip

FAMILY_MASKS = Check(
    name="family_masks",
    reference=f.masks_family(),
    family=f.masks_family,
    results=("encoder", "decoder", "incrociata"),
    first_case={"lengths": np.array([3, 2]), "S": 3, "T": 2},
    cases=lambda rng: [
        (np.array([4, 1, 2]), 4, 5),
        (np.array([2]), 3, 4),
        (np.array([1, 3, 3, 2]), 3, 3),
        (np.array([2, 5]), 5, 2),
        (np.array([2, 0]), 2, 1),
    ],
    slips=(
        Slip(
            "riempimento dimenticato nell'encoder",
            "Nella maschera dell'encoder una frase più corta ha la stessa tabella di una lunga: chi non deve "
            "guardare i token finti?",
            {"reader": "full"},
        ),
        Slip(
            "encoder causale",
            "L'encoder legge una frase che c'è già tutta: deve nascondersi le parole che seguono?",
            {"reader": "causal"},
            {"reader": "causal only"},
        ),
        Slip(
            "riempimento sulle righe dell'encoder",
            "Il riempimento dice quali key sono vere. La tua maschera dell'encoder cancella soltanto "
            "colonne, o anche righe?",
            {"reader": "rows"},
            {"reader": "rows and columns"},
        ),
        Slip(
            "encoder senza l'asse delle query",
            "Nell'encoder ogni token ha la sua riga, anche se le righe di una frase sono uguali: quante ne "
            "ha la tua maschera?",
            f.masks_family(reader="one row"),
            f.masks_family(reader="not repeated"),
            f.masks_family(reader="one row", cross="one row"),
            f.masks_family(reader="not repeated", cross="not repeated"),
        ),
        Slip(
            "decoder che vede il futuro",
            "Il decoder scrive un token alla volta: nella tua maschera la prima query che cosa vede?",
            {"writer": "full"},
            {"writer": "one more"},
        ),
        Slip(
            "diagonale vietata nel decoder",
            "Nella tua maschera del decoder la prima query può guardare qualcuno? Il suo token "
            "è già scritto?",
            {"writer": "before"},
        ),
        Slip(
            "triangolo dalla parte sbagliata",
            "Nella maschera del decoder, la prima riga vede ciò che viene prima o ciò che viene dopo?",
            {"writer": "from"},
        ),
        Slip(
            "riempimento dimenticato nell'incrociata",
            "Chi scrive guarda la frase di partenza: i suoi token finti si vedono?",
            {"cross": "full"},
        ),
        Slip(
            "incrociata causale",
            "La frase di partenza è già scritta tutta: chi scrive il primo token deve aspettare per vederla?",
            {"cross": "causal"},
            {"cross": "causal only"},
        ),
        Slip(
            "incrociata con righe e colonne scambiate",
            "Nell'attenzione incrociata chi guarda e chi è guardato? Quante righe e quante colonne ha la tua "
            "maschera?",
            {"cross": "swapped"},
        ),
        Slip(
            "incrociata senza l'asse delle frasi, o delle query",
            "Ogni frase ha la sua lunghezza, e ogni query la sua riga: quanti assi ha la tua maschera "
            "incrociata?",
            {"cross": "one for all"},
            {"cross": "not repeated"},
            f.masks_family(cross="one row"),
        ),
        Slip(
            "un posto di troppo",
            "Quanti True ci sono in una riga dell'encoder? E quanti token veri ha quella frase?",
            {"real": "one more"},
        ),
        Slip(
            "un posto di meno",
            "L'ultimo token vero di una frase: nel tuo risultato si può guardare?",
            {"real": "one less"},
        ),
        Slip(
            "maschere in un altro ordine",
            "In quale ordine le chiede la scheda? Confronta le tre forme, una per una.",
            f.in_order(1, 0, 2),
            f.in_order(0, 2, 1),
            f.in_order(2, 1, 0),
            f.in_order(1, 2, 0),
            f.in_order(2, 0, 1),
        ),
        Slip(
            *INVERTED,
            {"polarity": "forbidden"},
            f.masks_family(polarity="forbidden", changed="padding"),
            f.masks_family(polarity="forbidden", changed="decoder"),
        ),
        Slip(*NUMBERS, {"kind": "numbers"}),
        Slip(*ADDITIVE, {"kind": "additive"}),
    ),
)
