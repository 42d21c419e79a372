"""I box tenuti pronti: nulla passa fra due consegne, e le prove nascoste stanno in un box a parte."""

from __future__ import annotations

import pytest

from course_lib.grading import warm
from course_lib.grading.judge import evaluate
from course_lib.grading.limits import Limits
from course_lib.grading.session import Cell
from course_lib.project import CorsoError

LEAVE = """
import os, pathlib
for place in ("/tmp", "/tmp/lavoro", "/tmp/mpl"):
    pathlib.Path(place, "lasciato").write_text("mio")
if os.fork() == 0:
    import time
    time.sleep(600)
def f(x):
    pathlib.Path("/tmp/lavoro/visto").write_text(str(x))
    return x + 1
"""
LOOK = """
import os, pathlib
found = [str(p) for place in ("/tmp", "/tmp/lavoro", "/tmp/mpl") for p in pathlib.Path(place).glob("*")]
found = [p for p in found if "lasciato" in p or "visto" in p]
print("TROVATO", found, len([p for p in os.listdir("/proc") if p.isdigit()]))
def f(x):
    return x + 1
"""
TEST = "assert f(1) == 2\n### BEGIN HIDDEN TESTS\nassert f(424242) == 424243\n### END HIDDEN TESTS"


@pytest.fixture
def specs(isolation, monkeypatch):
    """Gli argomenti dei due box, tenuti pronti per questa prova sola."""
    monkeypatch.setattr(warm, "_ready", {})
    spec = (isolation, Limits(), (), ("numpy",), 0)
    yield spec, spec
    for box, _ in warm._ready.values():
        box.__exit__(None, None, None)


def grade(specs, pupil):
    with warm.boxes(*specs) as (box, hidden):
        result = evaluate(box, [Cell("r", pupil)], [], [(Cell("p", TEST), 1.0)], ("f",), frozenset(), hidden)
        return result, box, hidden


def test_nothing_is_left_to_the_next_submission(specs):
    first, box, hidden = grade(specs, LEAVE)
    second, again, hidden_again = grade(specs, LOOK)
    assert (again, hidden_again) == (box, hidden)  # gli stessi, tenuti pronti
    assert first.results["p"].passed
    assert second.results["p"].passed
    assert "TROVATO [] 2" in str(second.outputs)  # il capostipite e chi guarda


def test_a_hidden_input_never_enters_the_box_that_shows(specs, monkeypatch):
    asked = {}
    original = warm.Box.ask

    def spy(self, header, chunks, seconds):
        asked.setdefault(id(self), []).append(str(header))
        return original(self, header, chunks, seconds)

    monkeypatch.setattr(warm.Box, "ask", spy)
    _, box, hidden = grade(specs, LOOK)
    assert box is not hidden
    assert "424242" not in "".join(asked[id(box)])
    assert "424242" in "".join(asked[id(hidden)])


def with_a_fault(specs):
    with warm.boxes(*specs) as (box, hidden):
        wrong = [(Cell("p", "assert sconosciuta(1)"), 1.0)]
        evaluate(box, [Cell("r", LOOK)], [], wrong, ("f",), frozenset(), hidden)


def test_after_a_fault_the_boxes_are_closed_and_new(specs):
    _, box, _ = grade(specs, LOOK)
    assert grade(specs, LOOK)[1] is box
    with pytest.raises(CorsoError):
        with_a_fault(specs)
    assert box.process is None
    assert warm._ready == {}
    assert grade(specs, LOOK)[1] is not box


def test_a_box_is_changed_after_many_uses(specs, monkeypatch):
    monkeypatch.setattr(warm, "MOST_USES", 2)
    used = [grade(specs, LOOK)[1] for _ in range(3)]
    assert used[0] is used[1]
    assert used[2] is not used[0]
