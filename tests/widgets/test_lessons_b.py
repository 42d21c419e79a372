"""Le lezioni dei notebook da 5 a 8: 45 minuti, le scene tutte usate o nominate, funzioni che esistono."""

from __future__ import annotations

import re

import pytest

from course_lib.project import project_root
from course_lib.widgets.scenes import model, place_and_heads
from course_lib.widgets.scenes.lesson import KINDS
from course_lib.widgets.scenes.lessons_b import LESSONS

SCENES = {scene.key: scene for scene in (*place_and_heads.SCENES, *model.SCENES)}
TITLED = re.compile(r"«([^»]+)»")
CODE = re.compile(r"`(\w+)`")
GRADED = re.compile(r"risposta, nome-([\w-]+)")


def names(lesson):
    return [step.scene for step in lesson.steps if step.scene]


def test_there_is_one_for_each_notebook():
    assert [lesson.notebook for lesson in LESSONS] == [5, 6, 7, 8]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.notebook)
def test_it_lasts_45_minutes_and_shows_its_scenes_in_order(lesson):
    assert lesson.minutes == 45
    for step in lesson.steps:
        assert step.kind in KINDS
        assert (step.kind == "scena") == (step.scene is not None)
        assert step.scene is None or step.minutes == SCENES[step.scene].minutes, step
    order = [key for key in SCENES if key in names(lesson)]
    assert names(lesson) == order


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.notebook)
def test_every_scene_of_the_notebook_is_shown_or_named(lesson):
    said = " ".join(step.text for step in lesson.steps)
    own = [key for key, scene in SCENES.items() if scene.notebook == lesson.notebook]
    assert [key for key in own if key not in names(lesson) and key not in said] == []
    assert set(names(lesson)) <= set(own)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.notebook)
def test_the_cells_and_the_functions_that_it_names_exist(lesson):
    number = lesson.notebook
    exercise = (project_root() / "sources" / "exercises" / f"es{number:02}.md").read_text(encoding="utf-8")
    notebook = next((project_root() / "sources" / "notebooks").glob(f"{number:02}-*.md"))
    heads = re.findall(r"^#+ (.+)$", notebook.read_text(encoding="utf-8"), re.M)
    for step in lesson.steps:
        if step.kind == "notebook":
            named = [title for title in TITLED.findall(step.text) if title[0].isupper()]
            assert named, step
            assert all(any(head.startswith(title) for head in heads) for title in named), step
    exercises = [step.text for step in lesson.steps if step.kind == "esercizio"]
    functions = CODE.findall(" ".join([*exercises, lesson.home]))
    assert functions
    assert sorted(set(functions)) == sorted({name.replace("-", "_") for name in GRADED.findall(exercise)})
