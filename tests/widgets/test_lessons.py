"""Gli incontri: durano 45 minuti, usano tutte le loro scene e le funzioni degli esercizi; e l'assaggio."""

from __future__ import annotations

import re

import pytest

from course_lib.widgets.scenes import SCENES as ALL
from course_lib.widgets.scenes.lesson import KINDS
from course_lib.widgets.scenes.lessons import LESSONS, TASTER
from course_lib.widgets.scenes.plan import plan
from tests.conftest import ROOT

SCENES = {scene.key: scene for scene in ALL}
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: f"notebook {lesson.notebook}")


def exercise_functions(notebook):
    """Le funzioni che l'esercizio chiede di scrivere."""
    text = (ROOT / "sources" / "exercises" / f"es0{notebook}.md").read_text(encoding="utf-8")
    return set(re.findall(r":tags: \[risposta[^\n]*\n(?:.*\n)*?def (\w+)", text))


def names(lesson):
    return [step.scene for step in lesson.steps if step.scene]


def in_order(lesson):
    return [SCENES[key] for key in names(lesson)]


def test_there_is_one_lesson_a_notebook():
    assert [lesson.notebook for lesson in LESSONS] == list(range(1, 9))


@each_lesson
def test_it_lasts_forty_five_minutes(lesson):
    assert lesson.minutes == 45
    assert all(step.kind in KINDS and (step.kind == "scena") == bool(step.scene) for step in lesson.steps)


@each_lesson
def test_a_scene_lasts_what_it_says(lesson):
    minutes = [step.minutes for step in lesson.steps if step.scene]
    assert minutes == [scene.minutes for scene in in_order(lesson)]
    assert [scene.key for scene in in_order(lesson)] == [key for key in SCENES if key in names(lesson)]


@each_lesson
def test_every_scene_of_the_notebook_is_shown_or_named_as_optional(lesson):
    text = " ".join(step.text for step in lesson.steps)
    shown = names(lesson)
    wanted = [key for key, scene in SCENES.items() if scene.notebook == lesson.notebook]
    optional = [key for key in wanted if key not in shown and re.search(rf"(?<![\w-]){key}(?![\w-])", text)]
    assert sorted([*shown, *optional]) == sorted(wanted)


@each_lesson
def test_every_function_of_the_exercise_has_its_moment(lesson):
    classwork = " ".join(step.text for step in lesson.steps if step.kind == "esercizio")
    named = [set(re.findall(r"`(\w+)`", text)) for text in (classwork, lesson.home)]
    assert exercise_functions(lesson.notebook) == named[0] | named[1]


@each_lesson
def test_the_sections_it_names_are_in_the_notebook(lesson):
    source = next((ROOT / "sources" / "notebooks").glob(f"0{lesson.notebook}-*.md"))
    titles = re.findall(r"^##+ (.+)$", source.read_text(encoding="utf-8"), re.M)
    for step in (step for step in lesson.steps if step.kind == "notebook"):
        named = re.findall(r"«([^»]{6,})»", step.text)
        assert named, step.text
        assert all(any(title.startswith(name) for title in titles) for name in named), named


def test_the_taster_lasts_twenty_minutes_and_crosses_the_course():
    assert TASTER.minutes == 20
    shown = in_order(TASTER)
    assert [scene.notebook for scene in shown] == sorted(scene.notebook for scene in shown)
    assert {shown[0].notebook, shown[-1].notebook} <= {1, 2, 8}
    assert len({scene.notebook for scene in shown}) >= 3


def test_in_the_plan_an_optional_scene_has_its_number():
    found = plan()
    places = {scene.key: place for place, scene in enumerate(ALL, 1)}
    assert f"«Chi non cerca nulla» (scena {places['libri-guarda']})" in found
    assert not re.search(r"\((?:" + "|".join(SCENES) + r")\)", found)
