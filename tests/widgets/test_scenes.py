"""Le scene della Regia: quante sono, che cosa dicono, e la pagina che se ne fa."""

from __future__ import annotations

import json
import re

import pytest

from course_lib.widgets import CATALOGUE
from course_lib.widgets.scenes import SCENES
from course_lib.widgets.scenes.packing import packed
from course_lib.widgets.scenes.page import page
from course_lib.widgets.scenes.scene import COVERS
from course_lib.widgets.scenes.stages import STAGES

MEGABYTE = 10**6


@pytest.fixture(scope="module")
def found():
    return packed(SCENES)


@pytest.fixture(scope="module")
def whole():
    return page(SCENES)


def test_there_are_enough_scenes_for_the_eight_notebooks_and_the_ten_widgets(found):
    assert len(SCENES) >= 24
    assert [scene.notebook for scene in SCENES] == sorted(scene.notebook for scene in SCENES)
    assert {scene.notebook for scene in SCENES} == set(range(1, 9))
    assert {stage["widget"] for stage in found["stages"].values()} == set(CATALOGUE.values())
    assert {scene.stage for scene in SCENES} == set(STAGES)
    assert len({scene.key for scene in SCENES}) == len(SCENES)
    assert len({scene.title for scene in SCENES}) == len(SCENES)     # nell'indice si sceglie dal titolo


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.key)
def test_a_scene_has_all_that_a_presenter_needs(scene):
    assert re.fullmatch(r"[a-z0-9-]+", scene.key)
    assert 0 < len(scene.title.split()) <= 6
    assert 1 <= scene.minutes <= 8
    assert scene.cover in COVERS
    assert 10 < len(scene.question) <= 160
    assert scene.question.rstrip("»").endswith(("?", ".", "…"))
    assert 10 < len(scene.answer) <= 200
    assert 2 <= len(scene.notes) <= 5
    assert all(30 < len(line) < 700 for line in scene.notes)
    assert len(scene.slips) > 30
    assert scene.cover or not scene.after                    # ciò che è coperto da nulla non si rivela


def test_states_are_plain_and_shared(found):
    json.dumps(found, allow_nan=False)
    assert len(found["stages"]) < len(SCENES)
    assert {scene["stage"] for scene in found["scenes"]} == set(found["stages"])


def test_the_page_is_one_small_file_that_asks_for_nothing(whole):
    assert len(whole.encode()) <= 5 * MEGABYTE
    assert "https:" not in whole
    assert set(re.findall(r"http://[^\"'\s)]+", whole)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(?:link|img|iframe)\b|\bimport\s*[{\"']|@import|url\((?!#)", whole)
    assert whole.count("<script") == whole.count("</script>") == 1


def test_the_page_is_the_same_each_time(whole):
    assert page(SCENES) == whole
