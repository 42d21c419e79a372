"""La tabella dei confronti che sta nel README, fatta dai file di results/.

python benchmarks/table.py la stampa. Una prova controlla che nel README ci sia questa, e non un'altra.
"""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "results"
sys.path.insert(0, str(RESULTS.parents[1]))

from course_lib.notation import number  # noqa: E402

SIZES = ("A", "B", "C")
MONTHS = "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"


def results(name):
    """Il contenuto di results/NAME.json."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def table():
    """Le righe del README: rapporti fra noi e PyTorch, con la data e la macchina."""
    training, generation, imports = map(results, ("training", "generation", "imports"))
    attention = results("attention")
    rows = [
        ("addestrare, un thread", _ratios(training, 1)),
        ("addestrare, due processi (PyTorch: due thread)", _ratios(training, 2)),
        ("generare con la cache, un thread", _ratios(generation, 1)),
        ("i soli prodotti fra matrici, un thread", _ratios(results("products"), 1)),
    ]
    own = next(case["ratio"] for case in training["cases"] if "elementari" in case["case"])
    start = next(case["ratio"] for case in imports["cases"] if case["case"] == "course_lib.transformer")
    lines = ["| velocità, noi / PyTorch | A | B | C |", "|---|---|---|---|"]
    lines += [f"| {name} | " + " | ".join(ratios) + " |" for name, ratios in rows]
    machine, versions = training["machine"], training["versions"]
    text = (
        f"Misure del {date(training['date'])}, {machine['processor']}, {machine['cores']} core, "
        f"{machine['system']}; Python {versions['python']}, NumPy {versions['numpy']}, "
        f"PyTorch {versions['torch']}. "
        f"Le operazioni fuse vanno {number(own, 2)} volte più in fretta delle nostre stesse funzioni "
        f"elementari. `import~course_lib.transformer` costa {number(start, 2)} volte `import~numpy`. "
        "Il tempo dell'attenzione cresce come n elevato a "
        f"{number(attention['exponents']['ours'], 2)} fra n~=~{attention['exponents_from']} e "
        f"n~=~{attention['cases'][-1]['case']} (PyTorch: {number(attention['exponents']['peer'], 2)})."
    )
    return [*lines, "", *wrapped(text), "", *wrapped(_grading()), *_notebooks(), "", *wrapped(_widgets())]


def _grading():
    """Quanto costa correggere una classe, in confronto con nbgrader da solo."""
    cases = results("grading")["cases"]
    box, equal, many = cases
    ours, peer = (number(equal[side]["per_minute"], 0) for side in ("ours", "peer"))
    *first, last = (number(seconds, 0) for seconds in many["thirds_seconds"])
    least, most = (number(f(many["thirds_mib"])) for f in (min, max))
    return (
        f"Correggere {equal['case']} di es02, con due lavoratori: {ours} al minuto, contro {peer} di "
        f"`nbgrader~autograde`, che va senza isolamento ({number(equal['ratio'], 1)} volte; per secondo di "
        f"CPU {number(equal['ratio_cpu'], 1)}), e gli stessi {number(equal['equal_marks'])} voti. "
        f"L'isolamento costa {number(box['tenuto'], 2)}~s a consegna. Con {many['case']}: ciascuna corretta "
        f"una volta, i tre terzi in {', '.join(first)} e {last}~s, memoria {least}–{most}~MB."
    )


def _notebooks():
    """Quanto dura ogni notebook riletto da nbval; nulla finché non lo si è misurato."""
    if not (RESULTS / "notebooks.json").is_file():
        return []
    cases = results("notebooks")["cases"]
    each = ", ".join(f"{case['case'][:2]}~in~{number(case['seconds'], 1)}~s" for case in cases)
    cells = number(sum(case["cells"] for case in cases))
    return ["", *wrapped(f"I notebook, rieseguiti e confrontati cella per cella ({cells} celle): {each}.")]


def _widgets():
    """Dal tasto al disegno: i widget con 12 token, e `interact` con matplotlib sulla stessa figura."""
    cases = results("widgets")["cases"]
    local = [c for c in cases if c["case"].endswith(", locale") and c["tokens"] == 12]
    kernel = next(c for c in cases if c["case"].endswith(", kernel"))
    paint = [c for c in cases if c["case"].endswith(", primo disegno")]
    (peer,) = (c for c in cases if c["case"].startswith("interact") and c["tokens"] == 12)
    p95 = [number(f(c["p95_ms"] for c in local), 0) for f in (min, max)]
    first = [number(f(c["cold_ms"] for c in paint) / 1000, 1) for f in (min, max)]
    return (
        "Nei widget con 12~token, dal tasto al nuovo disegno passano, 95 volte su 100, al più "
        f"{'–'.join(p95)}~ms secondo il widget; {number(kernel['p95_ms'], 0)}~ms in quello delle maschere, "
        "quando deve rispondere il kernel. La mediana di `interact` con `matplotlib`, sulla stessa figura, è "
        f"{number(peer['median_ms'], 0)}~ms. In un kernel nuovo il primo disegno arriva in "
        f"{'–'.join(first)}~s."
    )


def wrapped(text):
    """Righe di testo per il README; «~» è uno spazio che non va a capo."""
    return [line.replace("~", " ") for line in textwrap.wrap(text, 118, break_on_hyphens=False)]


def _ratios(content, threads):
    cases = {case["case"]: case["ratio"] for case in content["cases"] if case["threads"] == threads}
    return [number(cases[size], 2) for size in SIZES]


def date(iso):
    """Una data ISO come si scrive: «30 novembre 2026»."""
    year, month, day = iso.split("-")
    return f"{int(day)} {MONTHS.split()[int(month) - 1]} {year}"


if __name__ == "__main__":
    print("\n".join(table()))
