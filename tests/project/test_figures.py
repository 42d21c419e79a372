"""I numeri del README sulla velocità sono quelli degli ultimi confronti, e nessun altro."""

import json

import pytest

from benchmarks import table
from tests.conftest import ROOT


def test_the_readme_quotes_the_latest_comparisons():
    assert "\n".join(table.table()) in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["training", "generation", "attention", "imports", "products"])
def test_results_say_with_what_they_were_made(name):
    content = table.results(name)
    assert content["versions"]["numpy"]
    assert content["versions"]["torch"]
    assert content["machine"]["cores"] >= 1
    for case in content["cases"]:
        assert case["ratio"] == pytest.approx(_ratio(content["unit"], case), rel=0.01)


def _ratio(unit, case):
    """Quante volte siamo più svelti (token al secondo), o più lenti all'avvio (millisecondi)."""
    ours, peer = case["ours"], case["peer"]
    if unit.startswith("token"):
        return ours / peer
    return ours / peer if unit.endswith("Python") else peer / ours


def test_where_we_are_slower_it_is_mostly_the_products():
    """Del tempo che un passo ci mette in più, più di metà sta nei prodotti fra matrici."""
    products = {case["case"]: case["ours"] - case["peer"] for case in table.results("products")["cases"]}
    slower = [c for c in table.results("training")["cases"] if c["threads"] == 1 and c["ratio"] < 1]
    assert slower
    for case in slower:
        tokens = case["B"] * case["T"]
        more = 1e3 * tokens * (1 / case["ours"] - 1 / case["peer"])      # ms
        assert case["layers"] * products[case["case"]] > more / 2


def test_the_table_follows_the_results(monkeypatch):
    original, changed = table.results, table.results("training")
    changed["cases"][0]["ratio"] = 7.125
    monkeypatch.setattr(table, "results", lambda name: changed if name == "training" else original(name))
    assert "| addestrare, un thread | 7,12 |" in "\n".join(table.table())


def test_the_ratios_of_grading_follow_its_measures():
    content = table.results("grading")
    _, equal, many = content["cases"]
    ours, peer = equal["ours"], equal["peer"]
    assert equal["ratio"] == pytest.approx(ours["per_minute"] / peer["per_minute"], rel=0.01)
    assert equal["ratio_cpu"] == pytest.approx(peer["cpu"] / ours["cpu"], rel=0.01)
    assert many["graded_once"] == 300
    assert sum(many["thirds_seconds"]) <= many["ours"]["seconds"]


def test_the_times_of_the_notebooks_are_quoted_when_they_are_measured(monkeypatch, tmp_path):
    cases = [
        {"case": "01-dal-testo", "seconds": 4.25, "cells": 12},
        {"case": "02-a-mano", "seconds": 10.0, "cells": 20},
    ]
    monkeypatch.setattr(table, "RESULTS", tmp_path)
    assert table._notebooks() == []
    (tmp_path / "notebooks.json").write_text(json.dumps({"cases": cases}), encoding="utf-8")
    assert " ".join(table._notebooks()[1:]) == (
        "I notebook, rieseguiti e confrontati cella per cella (32 celle): 01 in 4,2 s, 02 in 10,0 s."
    )


def test_the_widgets_sentence_takes_the_worst_and_the_best_of_twelve_tokens(monkeypatch):
    cases = [
        {"case": "A, locale", "tokens": 12, "p95_ms": 10.0},
        {"case": "B, locale", "tokens": 12, "p95_ms": 44.0},
        {"case": "C, locale", "tokens": 24, "p95_ms": 99.0},
        {"case": "B, kernel", "tokens": 12, "p95_ms": 120.0},
        {"case": "interact e matplotlib", "tokens": 12, "median_ms": 480.0},
        {"case": "A, primo disegno", "cold_ms": 900},
        {"case": "B, primo disegno", "cold_ms": 1400},
    ]
    monkeypatch.setattr(table, "results", lambda name: {"cases": cases})
    said = table._widgets()
    assert "al più 10–44~ms" in said
    assert "; 120~ms in quello delle maschere, quando deve rispondere il kernel." in said
    assert "è 480~ms. In un kernel nuovo il primo disegno arriva in 0,9–1,4~s." in said
