"""I primi quattro incontri: durano 45 minuti, usano tutte le loro scene e le funzioni degli esercizi."""

from __future__ import annotations

import re

import pytest

from course_lib.widgets.scenes import by_hand, matrix
from course_lib.widgets.scenes.lesson import KINDS
from course_lib.widgets.scenes.lessons_a import LESSONS
from tests.conftest import ROOT

SCENES = {scene.key: scene for scene in by_hand.SCENES + matrix.SCENES}
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: f"notebook {lesson.notebook}")


def exercise_functions(notebook):
    """Le funzioni che l'esercizio chiede di scrivere."""
    text = (ROOT / "sources" / "exercises" / f"es0{notebook}.md").read_text(encoding="utf-8")
    return set(re.findall(r":tags: \[risposta[^\n]*\n(?:.*\n)*?def (\w+)", text))


def in_order(lesson):
    return [SCENES[step.scene] for step in lesson.steps if step.scene]


def test_there_is_one_lesson_a_notebook():
    assert [lesson.notebook for lesson in LESSONS] == [1, 2, 3, 4]


@each_lesson
def test_it_lasts_forty_five_minutes(lesson):
    assert lesson.minutes == 45
    assert all(step.kind in KINDS and (step.kind == "scena") == bool(step.scene) for step in lesson.steps)


@each_lesson
def test_a_scene_lasts_what_it_says(lesson):
    minutes = [step.minutes for step in lesson.steps if step.scene]
    assert minutes == [scene.minutes for scene in in_order(lesson)]


@each_lesson
def test_every_scene_of_the_notebook_is_shown_or_named_as_optional(lesson):
    text = " ".join(step.text for step in lesson.steps)
    optional = {key for key, scene in SCENES.items() if f"«{scene.title}» ({key})" in text}
    shown = [scene.key for scene in in_order(lesson)]
    wanted = [key for key, scene in SCENES.items() if scene.notebook == lesson.notebook]
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
