"""Un corso, uno scambio e una cartella per le copie, nuovi per ogni prova."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.grading.backup import samples


@pytest.fixture
def course(tmp_path) -> Path:
    return samples.small_course(tmp_path / "corso")


@pytest.fixture
def exchange(tmp_path) -> Path:
    return samples.exchange(tmp_path / "scambio")


@pytest.fixture
def copies(tmp_path) -> Path:
    return tmp_path / "copie"
