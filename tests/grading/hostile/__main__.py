"""`python -m tests.grading.hostile`: corregge la classe ostile e stampa la tabella."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.grading.hostile.batch import CASES, GOOD, grade, table, wrong


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
    sent = sum(len(case.places) for case in cases)
    print(f"\n{len(cases)} casi, {sent} consegne ostili fra {len(batch.good())} buone; ", end="")
    print("nessuno è riuscito." if not bad else "\n".join(["RIUSCITI:", *bad]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
