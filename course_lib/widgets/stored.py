"""Le figure di riserva già disegnate, per i modi in cui un widget si apre di solito.

Chi esegue la cella non deve aspettare che si carichi matplotlib: la figura dello stato iniziale è sempre
quella. `python -m course_lib.widgets.stored` le ridisegna tutte, quando uno stato o una figura cambia.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from types import SimpleNamespace

from course_lib import widgets

FOLDER = Path(__file__).resolve().parent / "data" / "pictures"
OPENED = {name: [{}] for name in widgets.CATALOGUE}  # gli argomenti con cui un widget si apre
OPENED["Simulator"] += [{"phases": (1, 2)}]


def written(given: dict) -> str:
    """Gli argomenti in parole, senza la scelta di prevedere: la figura non ne dipende."""
    return repr(sorted((name, value) for name, value in given.items() if name != "predict"))


def picture(name: str, given: dict) -> SimpleNamespace | None:
    """La figura del widget `name` aperto con quegli argomenti, o None se non è fra quelle già disegnate.

    Ha png, alt, summary, width e height, come una Picture.
    """
    path = FOLDER / f"{name}.json"
    if name not in OPENED or not path.is_file():
        return None
    found = json.loads(path.read_text(encoding="utf-8")).get(written(given))
    return found and SimpleNamespace(**{**found, "png": base64.b64decode(found["png"])})


def drawn(name: str, given: dict) -> dict:
    """La stessa figura, disegnata adesso, con i byte del PNG scritti in base64."""
    made = getattr(widgets, name)(**given).fallback()
    kept = {part: getattr(made, part) for part in ("alt", "summary", "width", "height")}
    return {**kept, "png": base64.b64encode(made.png).decode("ascii")}


def main() -> None:
    """Ridisegna tutte le figure."""
    FOLDER.mkdir(exist_ok=True)
    for name, ways in OPENED.items():
        made = {written(given): drawn(name, given) for given in ways}
        text = json.dumps(made, ensure_ascii=False, indent=1) + "\n"
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}: {len(text):,} byte".replace(",", " "))


if __name__ == "__main__":
    main()
