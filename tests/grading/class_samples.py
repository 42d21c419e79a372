"""Una classe inventata, con nomi e note ostili, scritta come la scrive la correzione."""

from __future__ import annotations

import json

from course_lib.grading.register import Register, student_id

TESTS = {"project": 1, "scaled_scores": 2, "softmax_row": 2, "combine": 2, "attend": 3}
NAMES = (
    "Anna Bianchi", "Bruno Verdi", "Carla Neri", "Dario Esposito", "Elena Però", "Fabio De Luca", "Gaia Neri",
    "Hugo Ünal", "Ines Conti", "Luca Galli", "Mara D'Amico", "Nicolò Fontana", "Olga Rinaldi", "Pietro Greco",
    "Rita Marchetti-Colombo della Rovere", "Sara Lombardi", "Teo Barbieri", "Ugo Moretti",
)  # fmt: skip
SLIPS = {"scaled_scores": ("senza scala", "diviso per d_k"), "softmax_row": ("non divisi per la somma",)}
HOSTILE = "<script>document.title='preso'</script><img src=x onerror=\"document.title='preso'\">"


def graded(name: str, wrong: dict[str, str | None], notes: tuple[str, ...] = ()) -> dict:
    """L'esito di chi sbaglia le prove date, ciascuna con il suo errore riconosciuto o None."""
    tests = [
        {"name": f"{test.replace('_', '-')}-prova", "points": float(worth), "passed": test not in wrong,
         "message": "", "slip": wrong.get(test), "hidden": False, "failure": None}
        for test, worth in TESTS.items()
    ]  # fmt: skip
    points = sum(worth for test, worth in TESTS.items() if test not in wrong)
    return {"nome": name, "verdetto": "valutato", "punti": float(points), "massimo": 10.0, "prove": tests,
            "note": list(notes), "correzione": {"consegnato": "2026-11-20T22:50:00+00:00"}}  # fmt: skip


def empty(name: str, verdict: str, reason: str) -> dict:
    return {"nome": name, "verdetto": verdict, "punti": None, "motivo": reason, "note": []}


def a_class() -> list[dict]:
    records = []
    for i, name in enumerate(NAMES):
        wrong: dict[str, str | None] = {}
        if i % 3 == 1:
            wrong |= {"scaled_scores": SLIPS["scaled_scores"][i % 2], "attend": SLIPS["scaled_scores"][i % 2]}
        if i % 5 == 2:
            wrong["softmax_row"] = "non divisi per la somma"
        if i % 7 == 3:
            wrong |= {"combine": None, "attend": None}
        note = ("Consegnata in ritardo di 6 minuti: 21/11/2026 alle 00:05:00. La scadenza: 20/11/2026.",)
        records.append(graded(name, wrong, note if i == 4 else ()))
    records.append(
        empty("Vito Fermi", "tempo scaduto", "la cella «project-risposta» ha superato 20 secondi.")
    )
    records.append(
        empty(
            "Zeno Rota", "illeggibile", "Il file es02.ipynb è vuoto: consegna di nuovo il notebook salvato."
        )
    )
    return records


def write_class(register: Register, records: list[dict]) -> None:
    for i, record in enumerate(records):
        path = register.outcome("es02", student_id(record["nome"]) or f"x{i}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
