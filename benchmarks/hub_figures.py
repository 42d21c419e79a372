"""Dalle misure di hub.py a quante persone per GB e per core."""

from __future__ import annotations

PATIENCE = 20  # secondi: quanto si aspetta volentieri che il notebook finisca


def figures(cases: list[dict], cores: int) -> dict:
    """Quante persone per GB e per core, dai casi misurati.

    Per GB: 1000 MB diviso ciò che una persona in più aggiunge al massimo di tutti insieme (dal caso più
    piccolo, che paga anche ciò che poi si condivide, al più grande). Per core: quante ne finiscono il
    notebook entro PATIENCE secondi se lo lanciano tutte nello stesso istante, diviso i core; fra due casi si
    va in linea retta, e oltre il più grande non si va. Per core libero: quante vi starebbero in PATIENCE
    secondi a contare soltanto la CPU, che altri programmi sulla stessa macchina non cambiano.
    """
    first, last = cases[0], cases[-1]
    added = last["peak_mb"]
    if len(cases) > 1:
        total = [case["peak_mb"] * case["pupils"] for case in (first, last)]
        added = (total[1] - total[0]) / (last["pupils"] - first["pupils"])
    return {
        "mb_per_pupil": round(added, 1),
        "pupils_per_gb": round(1000 / added, 1),
        "patience_seconds": PATIENCE,
        "pupils_in_time": round(within(cases, PATIENCE), 1),
        "pupils_per_core": round(within(cases, PATIENCE) / cores, 1),
        "pupils_per_free_core": round(PATIENCE / max(case["cpu_seconds"] for case in cases), 1),
        "alone_seconds": first["slowest_seconds"],
    }


def within(cases: list[dict], seconds: float) -> float:
    """Quante persone insieme finiscono entro questi secondi; mai più di quante se ne sono provate."""
    most = 0.0
    for before, case in zip([None, *cases], cases, strict=False):
        if case["slowest_seconds"] <= seconds:
            most = case["pupils"]
        elif before is not None and before["slowest_seconds"] <= seconds:
            part = (seconds - before["slowest_seconds"]) / (
                case["slowest_seconds"] - before["slowest_seconds"]
            )
            most = before["pupils"] + part * (case["pupils"] - before["pupils"])
    return most
