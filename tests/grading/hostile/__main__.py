"""`python -m tests.grading.hostile`: corregge la classe ostile e stampa la tabella."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.grading.hostile.batch import CASES, GOOD, PLACES, grade, printed, table, wrong


def main() -> int:
    """Con nomi di casi, soltanto quelli."""
    cases = [case for case in CASES if not sys.argv[1:] or case.name in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        batch = grade(Path(folder), cases)
        print(table(batch, cases))
        bad = [line for case in cases for line in wrong(case, batch.of(case))]
        bad += [
            f"{name}: {result}"
            for name, result in batch.good().items()
            if result != ("valutato", GOOD[name.rsplit("-", 1)[1]])
        ]
        probe = [name for name in batch.outcomes if name.endswith("-canarini")]
        clean = probe and all("TROVATI []" in printed(batch, name) for name in probe)
        bad += ["la sonda ha trovato un canarino"] if probe and not clean else []
    if probe:
        print(f"canarini trovati: {'nessuno' if clean else 'SÌ'}")
    sent = len(cases) * len(PLACES)
    print(f"\n{len(cases)} casi, {sent} consegne ostili fra {len(batch.good())} buone; ", end="")
    print("nessuno è riuscito." if not bad else "\n".join(["RIUSCITI:", *bad]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
