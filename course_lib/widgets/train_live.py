"""Rifà data/live.json, l'addestramento già fatto: `python -m course_lib.widgets.train_live`."""

from __future__ import annotations

import json

from course_lib.notation import number
from course_lib.widgets.live_training import FILE
from course_lib.widgets.state import live_training as live

SEED = 0


def finished(seed=SEED):
    """Lo stato di un addestramento portato fino in fondo con le scelte del corso."""
    run = live.Run(seed)
    while not run.over:
        run.step()
    return live.state(run)


def main():
    """Addestra, scrive il file, e dice come è andata."""
    found = finished()
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(found, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
    last = found["moments"][-1]
    print(f"{last['sentence']} ln V = {number(found['uniform'], 3)}")
    print(f"{FILE.name}: {number(FILE.stat().st_size / 1000, 1)} kB")


if __name__ == "__main__":
    main()
