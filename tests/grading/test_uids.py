"""Un uid reale a ogni box, mai in due."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from course_lib.grading import uids
from course_lib.grading.box import Box
from course_lib.grading.limits import Limits
from course_lib.project import CorsoError
from tests.conftest import administrator_only


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(uids, "_lock_folder", lambda: tmp_path)
    monkeypatch.setattr(uids, "_living_uids", set)
    return tmp_path


def test_two_leases_differ_and_one_given_back_is_used_again(folder):
    first, second = uids.take(), uids.take()
    assert (first.uid, second.uid) == (uids.FIRST_UID, uids.FIRST_UID + 1)
    first.close()
    assert uids.take().uid == uids.FIRST_UID


def test_a_lease_of_another_process_is_respected_until_it_dies(folder):
    code = (
        "import sys; from pathlib import Path; from course_lib.grading import uids\n"
        f"uids._lock_folder = lambda: Path({str(folder)!r}); uids._living_uids = set\n"
        "lease = uids.take(); print(lease.uid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=-1, stdout=-1, text=True) as other:
        taken = int(other.stdout.readline())
        mine = uids.take()
        assert {taken, mine.uid} == {uids.FIRST_UID, uids.FIRST_UID + 1}
        other.kill()
        other.wait()
    assert uids.take().uid == taken


def test_an_uid_with_a_living_process_is_not_used(folder, monkeypatch):
    monkeypatch.setattr(uids, "_living_uids", lambda: {uids.FIRST_UID, uids.FIRST_UID + 1})
    assert uids.take().uid == uids.FIRST_UID + 2


def test_the_living_are_seen():
    assert {os.getuid(), os.geteuid()} <= uids._living_uids()


def test_when_all_are_taken_it_says_so(folder, monkeypatch):
    monkeypatch.setattr(uids, "_living_uids", lambda: set(range(uids.FIRST_UID, uids.FIRST_UID + uids.POOL)))
    with pytest.raises(CorsoError, match="Attendi che finiscano"):
        uids.take()


def test_a_folder_open_to_others_is_not_trusted(tmp_path, monkeypatch):
    monkeypatch.setattr(uids, "Path", lambda name: tmp_path)
    (tmp_path / "corso-uid").mkdir()
    (tmp_path / "corso-uid").chmod(0o777)
    with pytest.raises(CorsoError, match="lucchetti"):
        uids._lock_folder()


def test_two_boxes_at_once_have_different_uids(isolation):
    if isolation.kind != "root":
        administrator_only("da utente l'uid esiste solo nel box")
    with Box(isolation, Limits()) as one, Box(isolation, Limits()) as two:
        assert one.lease.uid != two.lease.uid
        for box in (one, two):
            box.begin(silent=False)
            answer, _ = box.ask({"kind": "cell", "source": "import os; print(os.getresuid())"}, [], 20)
            assert answer["outputs"][0]["text"] == f"{(box.lease.uid,) * 3}\n"
