"""Notebook 3: la formula in blocco, la softmax che regge, la scala."""

from __future__ import annotations

from tests.notebooks.promises import Promise

PROMISES = [
    Promise(
        "numero", "softmax([1000, 1001, 1002])", ("softmax([1000, 1001, 1002]) = (0,090; 0,245; 0,665)",)
    ),
    Promise("numero", "la formula diretta trabocca su 1000, 1001, 1002", ("coefficienti: (NaN; NaN; NaN)",)),
    Promise(
        "numero",
        "i nove punteggi di chiave, libri, era",
        ("hand_scores = [[4, 0, 2], [0, 0, 0], [2, 0, 1]]", "chiave             4      0    2"),
    ),
    Promise("numero", "i coefficienti di era in blocco", ("era            0,665  0,090  0,245  1,000",)),
    Promise("numero", "libri guarda tutti allo stesso modo", ("libri          0,333  0,333  0,333  1,000",)),
    Promise("numero", "lo z di era", ("z di «era»: (0,788; 0,212)",)),
    Promise(
        "numero",
        "la varianza di q·k è d, misurata entro il suo errore standard",
        ("assert abs(dots.var() - d) < 3 * error", "d * math.sqrt((2 + 6 / d) / m)", "d = 512       512,000"),
    ),
    Promise(
        "numero", "la varianza è esattamente d con componenti ±1", ("d = 4: 256 casi, media 0, varianza 4",)
    ),
    Promise(
        "numero", "le coppie sono n²", ("2000 token:  4 000 000 coppie", "Con $n$ token le coppie sono $n^2$")
    ),
    Promise(
        "numero", "i batch: (…, L, d)", ("(2, 3, 2) @ (2, 2, 3) -> (2, 3, 3)", "np.swapaxes(Ks, -1, -2)")
    ),
    Promise(
        "numero", "la softmax non sente una costante aggiunta", ("$e^{s+c} = e^s\\,e^c$", "scores + 1000")
    ),
    Promise(
        "numero",
        "i limiti della temperatura",
        ("**τ → ∞**", "**τ → 0**", "τ = 100         0,337  0,330  0,333"),
    ),
    Promise(
        "numero", "la saturazione, con colpetti finiti", ("il colpetto lo cambia di 0,0000005", "satura")
    ),
    Promise("numero", "l'asse della softmax", ("Softmax per colonna: Σ non è 1",)),
    Promise(
        "errata",
        "S3: varianza vicina a 1 solo con media 0; con media 1 è circa 3d",
        ("d = 3: media 3, varianza 9", "con media 1 è circa 3", "varianza di q·k ÷ √d = 3,0"),
    ),
    Promise(
        "errata",
        "S3: il frammento è attenzione, non ancora auto-attenzione",
        (
            "mancano le proiezioni da $x$",
            "uscita (2, 1, 4, 64)   coefficienti (2, 1, 4, 4)   prima riga, somma 1,0000",
        ),
    ),
    Promise(
        "faq",
        "perché √d_k",
        ("Perché si divide per $\\sqrt{d_k}$ e non per $d_k$?", "«perché $\\sqrt{d_k}$»"),
    ),
    Promise("da portare via", "una riga di matrici basta per tutte le query", ("Una riga di matrici basta",)),
    Promise(
        "da portare via", "la softmax guarda le differenze", ("La softmax guarda soltanto le differenze",)
    ),
    Promise(
        "da portare via", "la varianza cresce come d_k", ("la varianza di $q\\cdot k$ cresce come $d_k$",)
    ),
    Promise("limite", "la ragione della radice ha un'ipotesi", ("La ragione della radice vale all'inizio",)),
    Promise("limite", "l'attenzione densa non è la sola", ("attenzione *densa*; esistono varianti",)),
    Promise("limite", "i numeri sono inventati", ("restano inventati",)),
]
