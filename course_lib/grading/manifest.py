"""Che cosa dicono di sé le consegne: il manifesto, le ore da credere."""

from __future__ import annotations

import datetime as dt
import json
import zipfile

from course_lib.grading.outputs import clean_text
from course_lib.grading.register import student_id, utc_now
from course_lib.grading.rome import ROME
from course_lib.grading.store import Submission

MANIFEST = "manifesto.json"
FIRST_YEAR = 2024  # nessuna consegna di questo corso può essere più vecchia
PATIENCE = dt.timedelta(minutes=5)  # gli orologi non vanno tutti insieme


def read_manifest(raw: bytes) -> dict | None:
    """Il manifesto di una consegna, controllato; None se non si legge o non dice un nome."""
    try:
        manifest = json.loads(raw.decode("utf-8"))
        name, exercise = clean_text(str(manifest["nome"]), 100), str(manifest["esercizio"])[:20]
        digest, when = str(manifest["file"][0]["sha256"]), manifest["quando"]
        others = {str(one["nome"]): str(one["sha256"]) for one in manifest["file"][1:10]}
        when = dt.datetime.fromisoformat(when)
        when = (when if when.tzinfo else when.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, RecursionError, OverflowError):
        return None
    if not student_id(name):
        return None
    return {"nome": name, "esercizio": exercise, "quando": when, "sha256": digest, "altri": others}


def take_time(submission: Submission, declared: dt.datetime) -> None:
    """L'ora la dichiara chi consegna: una impossibile vale quanto quella del file, e lo si dice."""
    submission.declared = declared
    believed = plausible(declared)
    if believed is not None:
        submission.when = believed
        return
    what = "nel futuro" if declared > utc_now() else f"prima del {FIRST_YEAR}"
    submission.notes.append(f"L'ora di consegna dichiarata è {what}: vale quella del file.")


def plausible(when: dt.datetime) -> dt.datetime | None:
    """L'ora al secondo, non oltre adesso; None se è prima del corso o davvero nel futuro."""
    now = utc_now()
    if when.year < FIRST_YEAR or when > now + PATIENCE:
        return None
    return min(when.replace(microsecond=0), now)


def date_in_zip(info: zipfile.ZipInfo) -> dt.datetime | None:
    """L'ora di una voce, che gli zip scrivono senza fuso: la si legge come ora di Roma."""
    try:
        return plausible(dt.datetime(*info.date_time, tzinfo=ROME).astimezone(dt.UTC))
    except (ValueError, OverflowError):
        return None
