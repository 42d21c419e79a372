"""Le scene dei notebook 7 e 8: ogni numero e ogni fatto dei testi viene dallo stato del loro widget."""

from __future__ import annotations

import math

import numpy as np
import pytest

from course_lib.notation import number
from course_lib.widgets.scenes import model
from course_lib.widgets.scenes.stages import opened, writing
from course_lib.widgets.state import block_path
from tests.widgets.scene_numbers import at, check, opening, three, whole

SCENES = {scene.key: scene for scene in model.SCENES}
NORM, MEAN, DEVIATION, COSINE = block_path.NORM, block_path.MEAN, block_path.DEVIATION, block_path.COSINE


def way(scene, norm="pre", residuals=True):
    """I numeri di ogni tappa di ogni blocco, (12, tappe, T, d + 4), e i token."""
    found, options = opening(scene.stage)
    numbers, index = block_path.unpacked(found, norm, residuals)
    assert (options["norm"], options["residuals"]) == ("pre", True)
    return np.array([[numbers[k] for k in own] for own in index]), found["tokens"]


def last_token(scene):
    """Il token che si segue: «era», se la scena non ne sceglie un altro."""
    found, options = opening(scene.stage)
    return at(scene).get("token", options["token"]), found["tokens"]


def phases(scene):
    found, _ = opening(scene.stage)
    inside = [station["phase"] for station in found["stations"]["pre"]]
    assert sorted(set(inside)) == [4, 5, 6]
    assert scene.answer.startswith("La 4, la 5 e la 6")
    assert at(scene)["depth"] == 1
    assert found["stations"]["pre"][at(scene)["at"]]["phase"] == 4
    names = [" ".join(line) for line in found["phases"][1:]]
    assert [name[0] for name in names] == list("1234567")
    return whole(len(names), 4, 5, 6, found["depth"], found["d"])


def layer_norm(scene):
    numbers, _ = way(scene)
    token, tokens = last_token(scene)
    start, after = numbers[0, 0, token], numbers[0, at(scene)["at"], token]
    assert tokens[token] == "era"
    assert opening(scene.stage)[0]["stations"]["pre"][at(scene)["at"]]["name"] == "LayerNorm"
    assert np.allclose(numbers[0, 1, :, NORM], math.sqrt(8), atol=2e-3)
    assert (at(scene)["depth"], at(scene)["reached"]) == (1, 1)
    assert "√8" in scene.answer
    assert "componenti sono 8" in scene.answer
    return three(start[MEAN], start[NORM], start[DEVIATION], after[NORM]) | whole(
        after[MEAN], round(after[DEVIATION]), opening(scene.stage)[0]["d"]
    )


def residual(scene):
    numbers, _ = way(scene)
    token, tokens = last_token(scene)
    start, out, added = numbers[0, 0, token], numbers[0, 2, token], numbers[0, at(scene)["at"], token]
    assert tokens[token] == "era"
    assert "−0,480" in scene.answer
    assert (at(scene)["depth"], at(scene)["reached"]) == (1, at(scene)["at"])
    assert out[COSINE] < 0
    assert np.array_equal(way(scene, residuals=False)[0][0, 3], way(scene, residuals=False)[0][0, 2])
    return three(start[NORM], out[NORM], out[COSINE], added[NORM], added[COSINE])


def deep(scene):
    with_, _ = way(scene)
    without, tokens = way(scene, residuals=False)
    token, depth = last_token(scene)[0], at(scene)["depth"]
    ends = without[depth - 1, block_path.OUT, :, :]
    vectors = ends[:, :NORM] / np.linalg.norm(ends[:, :NORM], axis=1, keepdims=True)
    assert (vectors @ vectors.T).min() > 0.999
    assert not at(scene)["residuals"]
    assert at(scene)["at"] == block_path.OUT
    same = {number(value, 3) for value in ends[:, NORM]}
    assert len(same) == 1
    pairs = np.random.default_rng(0).normal(size=(2, 20_000, 8))
    cosines = (pairs[0] * pairs[1]).sum(1) / np.linalg.norm(pairs, axis=-1).prod(0)
    assert np.mean(np.abs(cosines) < 0.35) == pytest.approx(2 / 3, abs=0.06)
    return three(with_[depth - 1, block_path.OUT, token, COSINE], ends[token, COSINE]) | same | whole(
        depth, len(tokens), 8) | {number(0.35, 2)}  # fmt: skip


def pre_or_post(scene):
    pre, tokens = way(scene)
    post, _ = way(scene, norm="post")
    token, depth = at(scene)["token"], at(scene)["depth"]
    norms = post[:, block_path.OUT, token, NORM]
    assert tokens[token] == "libri"
    assert np.allclose(norms, math.sqrt(8), atol=2e-3)
    assert (at(scene)["norm"], at(scene)["at"]) == ("post", block_path.OUT)
    return three(norms[-1], pre[0, 0, token, NORM], pre[depth - 1, block_path.OUT, token, NORM]) | whole(
        depth, 8, 2017)  # fmt: skip


def moment_of(scene):
    found, _ = opening(scene.stage)
    place = at(scene).get("at")
    return found, found["moments"][-1 if place is None else place]


def newborn(scene):
    found, m = moment_of(scene)
    assert len(found["moments"]) == 1
    assert abs(m["validation"] - found["uniform"]) < 0.05
    return {number(m["validation"], 2), number(found["uniform"], 2)} | whole(
        0, 1, found["V"], round(100 * m["right"]), 100)  # fmt: skip


def halfway(scene):
    found, m = moment_of(scene)
    right = [round(100 * each["right"]) for each in found["moments"]]
    steps = [each["step"] for each in found["moments"]]
    assert m["step"] == 70
    assert right[:8] == [right[0], *[50] * 7]
    assert (right[8], right[-1], steps[8]) == (75, 100, 80)
    assert (right[steps.index(170)], right[steps.index(180)]) == (75, 100)
    return {number(found["moments"][0]["validation"], 2), number(m["validation"], 2)} | whole(
        m["step"], 80, 170, 180, right[7], right[8], right[-1])  # fmt: skip


def finished(scene):
    found, m = moment_of(scene)
    mean, first = m["maps"][0][-1], m["maps"][1][-1]
    words = found["words"]
    middle = next(each for each in found["moments"] if each["step"] == 150)
    assert max(mean[:-1]) == mean[words.index("la")]
    assert m["step"] == found["total"] == found["steps"]
    assert at(scene)["head"] == 0
    looked = [mean[words.index(word)] for word in ("la", "libri", "chiave")]
    return three(*looked, first[0], middle["maps"][0][-1][0]) | whole(
        found["total"], found["heads"], 1, round(100 * m["right"]), 150, 200)  # fmt: skip


def moments_of(scene):
    found, _ = opening(scene.stage)
    return found["moments"], found["moments"][at(scene).get("at", 0)]


def chance(m, name):
    return next(c for c in m["candidates"] if c["name"] == name)


def written(m):
    return m["text"] + m["written"] + m["drawn"]["name"]


def greedy(scene):
    moments, m = moments_of(scene)
    assert written(m) == "La chiave si era"
    assert [one["drawn"]["name"] for one in moments] == ["s", "i", "␣", "e", "r", "a"]
    assert all(one["drawn"]["rank"] == 1 for one in moments)
    return three(moments[0]["candidates"][0]["before"]) | whole(len(moments), 100)


def drawn(scene):
    _, m = moments_of(scene)
    s = chance(m, "s")["before"]
    assert (m["drawn"]["name"], m["drawn"]["rank"]) == ("d", 2)
    return three(s, m["dart"], m["drawn"]["before"]) | whole(100, round(100 * (1 - s)), 0, 1)


def cold(scene):
    _, m = moments_of(scene)
    plain, hot = (writing(1, temperature=tau).state["moments"][0] for tau in (1.0, 2.0))
    s = chance(plain, "s")["before"]
    assert [c["name"] for c in m["candidates"]] == [c["name"] for c in plain["candidates"]]
    tau = m["settings"]["temperature"]
    return three(s, chance(m, "s")["before"], chance(hot, "s")["before"], 2 * round(s, 3)) | {
        number(tau), number(1 / tau), "1", "0"}  # fmt: skip


def top_k(scene):
    moments, m = moments_of(scene)
    kept = [c["before"] for c in m["candidates"][: m["kept"]]]
    rounded = sum(round(p, 3) for p in kept)
    assert kept[0] / sum(kept) == pytest.approx(m["candidates"][0]["after"])
    assert moments[2]["candidates"][0]["before"] > 0.8
    return three(*kept, sum(kept), m["candidates"][0]["after"], rounded, moments[2]["candidates"][0]["before"]
                 ) | whole(m["kept"], m["possible"] - m["kept"], 1)  # fmt: skip


def top_p(scene):
    moments, m = moments_of(scene)
    first, second, third = (c["before"] for c in m["candidates"][:3])
    mass = m["settings"]["top_p"]
    assert m["text"] + m["written"] == "La chiave n"
    assert [c["name"] for c in m["candidates"][:3]] == ["e", "o", "i"]
    assert first < mass < first + second
    kept = whole(m["kept"], moments[0]["kept"], 3)
    return three(first, second, third, first + second) | {number(mass)} | kept


def forked(scene):
    moments, m = moments_of(scene)
    assert written(m) == "La chiave di un"
    assert moments[0]["drawn"]["forced"]
    assert moments[0]["drawn"]["name"] == "d"
    assert written(writing(6, temperature=0).state["moments"][-1]) == "La chiave si era"
    return set()


def closing(scene):
    _, m = moments_of(scene)
    names = [c["name"] for c in m["candidates"][:10]]
    by_name = {c["name"]: c["before"] for c in m["candidates"]}
    total = sum(c["before"] for c in m["candidates"][:10])
    assert m["text"] == "la chiave accanto ai libri era"
    assert all(name.endswith("a") for name in names)
    assert names.index("arrugginita") == 7
    made = opened(scene.stage)
    twin = made.answer_to({"do": "restart", "text": "il chiodo accanto ai libri era"})["moments"][0]
    made.close()
    assert all(c["name"].endswith("o") for c in twin["candidates"][:10])
    return three(total, by_name["arrugginita"], by_name["piccola"], by_name["nuova"]) | whole(len(names), 3)


FACTS = {
    "sette-fasi": phases, "layernorm": layer_norm, "residuo": residual, "dodici-blocchi": deep,
    "prima-o-dopo": pre_or_post, "loss-di-partenza": newborn, "scende-ma-il-genere": halfway,
    "chi-guarda-alla-fine": finished, "greedy": greedy, "estrazione": drawn, "tau-un-mezzo": cold,
    "top-k": top_k, "top-p": top_p, "bivio": forked, "frase-di-partenza": closing,
}  # fmt: skip


@pytest.mark.parametrize("key", SCENES)
def test_what_the_scene_says_is_what_its_state_holds(key):
    check(SCENES[key], FACTS[key](SCENES[key]))
