"""Le tabelle di deploy/jupyterhub/CRESCERE.md, fatte da results/hub.json.

python benchmarks/hub_table.py le riscrive nella pagina. Una prova controlla che vi siano queste, e non altre.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import table
from table import number

PAGE = Path(__file__).resolve().parents[1] / "deploy" / "jupyterhub" / "CRESCERE.md"
CLASSES = (30, 100, 300, 1000)
MARGIN = 1.25  # un notebook può tenere più dati del quarto, e non tutti i server sono nuovi
BUSY = 1.5  # carico della macchina, prima di cominciare
SPARE_GB = 2  # il sistema, l'hub, il proxy
KEPT_MB = 0.4 * 8 * 3  # a persona: 0,4 MB a consegna corretta (misurato su es02), otto esercizi, tre consegne
MEASURED = (
    "persone", "server, a riposo", "kernel, dopo il notebook", "al massimo, a testa", "CPU del notebook",
    "il più lento finisce in", "CPU per accendere il server",
)  # fmt: skip
ESTIMATED = (
    "persone", "memoria", "core perché tutti finiscano in {seconds} s", "tutti i server accesi in",
    "core se ne lavora una su quattro", "disco", "macchine",
)  # fmt: skip


def rows(titles, cells):
    """Una tabella Markdown."""
    lines = [" | ".join(row) for row in [titles, ["---"] * len(titles), *cells]]
    return [f"| {line} |" for line in lines]


def measured():
    """Una riga per caso: ciò che si è misurato."""
    return rows(
        MEASURED,
        [
            (
                number(case["pupils"]), f"{number(case['server_mb'], 0)} MB",
                f"{number(case['kernel_mb'], 0)} MB", f"{number(case['peak_mb'], 0)} MB",
                f"{number(case['cpu_seconds'], 1)} s", f"{number(case['slowest_seconds'], 1)} s",
                f"{number(case['start_cpu_seconds'], 1)} s",
            )
            for case in table.results("hub")["cases"]
        ],
    )  # fmt: skip


def summary():
    """Quante persone per GB e per core, su quale macchina, con quale carico."""
    content = table.results("hub")
    found, machine, last = content["figures"], content["machine"], content["cases"][-1]
    per_gb, per_core, free = (number(found[f"pupils_per_{what}"], 1) for what in ("gb", "core", "free_core"))
    at_least, alone = "", ""
    if not conclusive(content):
        at_least = "almeno "
        alone = f" (a contare soltanto la CPU, con un core tutto per loro, sarebbero {free})"
    return table.wrapped(
        f"Misure del {table.date(content['date'])}, {machine['processor']}, {machine['cores']}~core, "
        f"{number(content['memory_of_the_machine_mb'] / 1000, 0)}~GB."
        f"{_busy(content['load_at_start'])} Una persona in più costa {number(found['mb_per_pupil'], 0)}~MB: "
        f"**{per_gb}~persone per GB**. Da sola finisce il notebook in {number(found['alone_seconds'], 1)}~s; "
        "se lo lanciano tutte nello stesso istante, lo finiscono entro "
        f"{found['patience_seconds']}~s fino a **{at_least}{per_core}~persone per "
        f"core**{alone}. L'hub e il proxy tengono {number(last['hub_mb'], 0)}~MB. La casa di chi è appena "
        f"entrato occupa {number(content['home_mb'], 0)}~MB."
    )


def conclusive(content):
    """Se le persone provate dicono quante stanno in un core: bastavano, e nessun altro lavorava."""
    too_few = content["figures"]["pupils_in_time"] >= content["cases"][-1]["pupils"]
    return not too_few and content["load_at_start"] < BUSY


def _busy(load):
    """Una frase se sulla macchina lavorava anche altro."""
    if load < BUSY:
        return ""
    return (
        f" Sulla stessa macchina lavoravano altri programmi (carico {number(load, 1)} all'inizio): i "
        "secondi d'attesa sono anche colpa loro, e su una macchina libera sono meno; memoria e CPU no."
    )


def estimated():
    """Una riga per grandezza della classe: ciò che si stima dalle misure."""
    content = table.results("hub")
    found, patience = content["figures"], content["figures"]["patience_seconds"]
    start = max(case["start_cpu_seconds"] for case in content["cases"])
    per_core = found["pupils_per_core" if conclusive(content) else "pupils_per_free_core"]
    cells = []
    for people in CLASSES:
        memory = math.ceil(people * found["mb_per_pupil"] * MARGIN / 1000 + SPARE_GB)
        cores = max(2, math.ceil(people / per_core))
        disk = math.ceil(people * (content["home_mb"] * 3 + KEPT_MB) / 1000)
        few = max(2, math.ceil(cores / 4))
        cells.append((
            number(people), f"{memory} GB", number(cores), f"{number(people * start / cores, 0)} s",
            number(few), f"{disk} GB", machines(memory),
        ))  # fmt: skip
    titles = [title.format(seconds=patience) for title in ESTIMATED]
    return rows(titles, cells)


def machines(memory):
    """Su quante macchine conviene stare, data la memoria che serve in tutto."""
    if memory <= 32:
        return "una"
    if memory <= 128:
        return "una grande, o poche con Kubernetes"
    return f"Kubernetes, {math.ceil(memory / 64)} nodi da 64 GB"


def written(text):
    """La pagina con le tabelle di adesso fra i suoi segni."""
    for mark, lines in (("misurato", [*measured(), "", *summary()]), ("stimato", estimated())):
        start, end = f"<!-- {mark}: da qui -->", f"<!-- {mark}: fin qui -->"
        before, _, rest = text.partition(start)
        _, _, after = rest.partition(end)
        text = "\n".join([before + start, "", *lines, "", end + after])
    return text


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"riscritte le tabelle di {PAGE.name}")
