"""Le impostazioni di nbgrader per correggere: box e giudice, feedback in italiano."""

from __future__ import annotations

from pathlib import Path

import nbgrader
from traitlets.config import Config

from course_lib.building.nbgrader_settings import nbgrader_settings

TEMPLATES = Path(__file__).parent / "templates"


def grading_settings(root: Path | str, db_url: str | None = None) -> Config:
    """nbgrader_settings più ciò che serve alla correzione, uguale per `corso correggi` e per formgrader.

    db_url: il registro dei voti, se non è il file sqlite in registro/
    I preprocessori sono dati per nome: li carica nbgrader solo quando corregge. CheckCellMetadata non serve:
    i metadati delle celle sono quelli del notebook distribuito, già controllati quando lo si è costruito.
    """
    config = nbgrader_settings(root)
    here = "course_lib.grading.preprocessors"
    config.Autograde.sanitize_preprocessors = [f"{here}.Preflight"]
    config.Autograde.autograde_preprocessors = [
        f"{here}.BoxAndJudge",
        f"{here}.SaveMarks",
        "nbgrader.preprocessors.AssignLatePenalties",
    ]
    if db_url is not None:
        config.CourseDirectory.db_url = db_url
    config.CourseStep.root = str(Path(root).resolve())
    formgrader = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
    config.HTMLExporter.extra_template_basedirs = [str(TEMPLATES), str(formgrader)]  # prima i nostri
    config.HTMLExporter.filters = {
        "matematica": "course_lib.grading.feedback.mathml",
        "decimale": "course_lib.grading.feedback.points",
        "esito": "course_lib.grading.feedback.outcome_of",
        "titolo": "course_lib.grading.feedback.title_of",
        "parti": "course_lib.grading.feedback.parts_of",
    }
    return config
