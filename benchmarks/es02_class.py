"""Una classe onesta di es02: alcune consegne giuste, una o più per errore tipico, alcune non svolte."""

from __future__ import annotations

import copy
from pathlib import Path

import nbformat

LOOP = """def combine(weights, V):
    out = np.zeros(V.shape[1])
    for j in range(len(weights)):
        out = out + weights[j] * V[j]
    return out"""
ATTEND = """def attend(i, X, W_Q, W_K, W_V):
    q, K, V = project(X[{i}], {q}), project(X, {k}), project(X, {v})
    weights = {softmax}
    return {result}"""


def attend(**changes):
    """La funzione attend con un pezzo cambiato."""
    right = {
        "i": "i", "q": "W_Q", "k": "W_K", "v": "W_V", "softmax": "softmax_row(scaled_scores(q, K))",
        "result": "combine(weights, V), weights",
    }  # fmt: skip
    return ATTEND.format(**right | changes)


def line(signature, body):
    """Una funzione di una riga."""
    return f"def {signature}:\n    return {body}"


PROJECT, SCORES, SOFTMAX, COMBINE = (
    "project(x, W)", "scaled_scores(q, K)", "softmax_row(scores)", "combine(weights, V)",
)  # fmt: skip
E, ROOT_K = "np.exp(scores)", "np.sqrt(K.shape[1])"
# ciascuna sta al posto della risposta giusta con lo stesso nome; le altre quattro restano giuste
RIGHT = [
    LOOP,
    line(PROJECT, "np.einsum('...i,ij->...j', x, W)"),
    line(SCORES, "np.array([sum(q * k) for k in K]) / len(q) ** 0.5"),
    line(SOFTMAX, "np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()"),
    attend(),
]
WRONG = [
    line(PROJECT, "W @ x"),
    line(PROJECT, "x[..., None] * W"),
    line(PROJECT, "(x[..., None] * W).sum(axis=-1)"),
    line(PROJECT, "(x @ W).T"),
    line(PROJECT, "x[..., -1:] * W[-1]"),
    line(PROJECT, "np.round(x @ W, 1)"),
    line(PROJECT, "(x @ W).astype(int)"),
    line(SCORES, "K @ q"),
    line(SCORES, "K @ q / K.shape[1]"),
    line(SCORES, f"K @ q * {ROOT_K}"),
    line(SCORES, "K @ q / np.sqrt(K.shape[0])"),
    line(SCORES, "K @ q / np.sqrt(2)"),
    line(SCORES, "K @ q / (np.linalg.norm(K, axis=1) * np.linalg.norm(q))"),
    line(SCORES, f"K * q / {ROOT_K}"),
    line(SCORES, f"(K * q).sum(axis=0) / {ROOT_K}"),
    line(SCORES, f"softmax_row(K @ q / {ROOT_K})"),
    line(SCORES, f"np.round(K @ q / {ROOT_K}, 2)"),
    line(SCORES, f"(K @ q / {ROOT_K}).astype(int)"),
    line(SOFTMAX, E),
    line(SOFTMAX, "scores / scores.sum()"),
    line(SOFTMAX, f"{E} / {E}.max()"),
    line(SOFTMAX, f"{E} / len(scores)"),
    line(SOFTMAX, f"{E} / scores.sum()"),
    line(SOFTMAX, f"{E} / {E}[:-1].sum()"),
    line(SOFTMAX, f"{E} / np.linalg.norm({E})"),
    line(SOFTMAX, "np.exp(-scores) / np.exp(-scores).sum()"),
    line(SOFTMAX, "(scores == scores.max()).astype(float)"),
    line(SOFTMAX, f"np.log({E} / {E}.sum())"),
    line(SOFTMAX, "2.0 ** scores / (2.0 ** scores).sum()"),
    line(SOFTMAX, "2.7 ** scores / (2.7 ** scores).sum()"),
    line(SOFTMAX, f"np.round({E} / {E}.sum(), 2)"),
    line(COMBINE, "V.mean(axis=0)"),
    line(COMBINE, "V.sum(axis=0)"),
    line(COMBINE, "weights[:, None] * V"),
    line(COMBINE, "(weights[:, None] * V).sum(axis=1)"),
    line(COMBINE, "V[weights.argmax()]"),
    line(COMBINE, "weights @ V / len(weights)"),
    line(COMBINE, "weights[-1] * V[-1]"),
    line(COMBINE, "np.round(weights @ V, 1)"),
    line(COMBINE, "(weights @ V).astype(int)"),
    attend(softmax="softmax_row(K @ q)"),
    attend(softmax="softmax_row(K @ q / len(q))"),
    attend(softmax="softmax_row(K @ q * np.sqrt(len(q)))"),
    attend(softmax="softmax_row(K @ q / np.sqrt(len(X)))"),
    attend(i="-1"),
    attend(i="0"),
    attend(i="i - 1"),
    attend(q="W_K", k="W_Q"),
    attend(q="W_K"),
    attend(k="W_Q"),
    attend(v="W_K"),
    attend(v="W_Q"),
    attend(softmax="np.exp(scaled_scores(q, K))"),
    attend(result="combine(scaled_scores(q, K), V), weights"),
    attend(result="V.mean(axis=0), weights"),
    attend(result="V[weights.argmax()], weights"),
    attend(result="weights, combine(weights, V)"),
    attend(result="combine(weights, V), scaled_scores(q, K)"),
    attend(result="np.round(combine(weights, V), 2), np.round(weights, 2)"),
]


def write(root: Path, count: int, place) -> None:
    """Scrive count notebook; place(i) è il percorso di quello numero i."""
    release, solution = (
        nbformat.read(root / kind / "es02" / "es02.ipynb", as_version=4)
        for kind in ("exercises", "solutions")
    )
    right = {cell.id: cell.source for cell in solution.cells if cell.id.endswith("-risposta")}
    for i in range(count):
        path = place(i)
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(_filled(release, right, i), path)


def _filled(release, right, i):
    notebook = copy.deepcopy(release)
    if i % 10 == 9:
        return notebook  # non svolta
    own = RIGHT[i // 10 % len(RIGHT)] if i % 10 == 0 else WRONG[(i - i // 10 * 2 - 1) % len(WRONG)]
    name = own.partition("(")[0].removeprefix("def ").replace("_", "-") + "-risposta"
    for cell in notebook.cells:
        if cell.id in right:
            cell.source = own if cell.id == name else right[cell.id]
    return notebook
