"""Le consegne dello scambio: di chi sono, che cosa si apre, a chi torna la pagina."""

from __future__ import annotations

import datetime as dt
import json
import os
import pwd
import stat

import pytest
from nbgrader.exchange import ExchangeError
from nbgrader.utils import notebook_hash
from traitlets.config import Config

from course_lib.grading import exchange as module
from course_lib.grading.exchange import Exchange
from course_lib.grading.exchange_actions import RefusedCollect, close_to_others
from course_lib.grading.register import Register, sha256
from course_lib.grading.verdicts import Verdict
from course_lib.project import CorsoError

ME = pwd.getpwuid(os.getuid()).pw_name
WHEN = "2026-11-20 10:00:00.000000 UTC"
SECRET = "5e" * 64


@pytest.fixture
def exchange(tmp_path):
    for name in ("inbound", "feedback"):
        (tmp_path / "scambio" / name).mkdir(parents=True)
    return Exchange(tmp_path / "scambio")


def deliver(exchange, user=ME, exercise="es02", when=WHEN, tail="aBcDeF012345", text="{}", secret=SECRET):
    """Una consegna come la scrive nbgrader; restituisce la sua cartella."""
    folder = exchange.folder / "inbound" / f"{user}+{exercise}+{when}+{tail}"
    folder.mkdir()
    if text is not None:
        (folder / f"{exercise}.ipynb").write_text(text, encoding="utf-8")
    (folder / "timestamp.txt").write_text(when, encoding="utf-8")
    if secret:
        (folder / "submission_secret.txt").write_text(secret, encoding="utf-8")
    return folder


def test_a_submission_has_its_owner_its_bytes_and_both_times(exchange):
    deliver(exchange, text='{"a": 1}')
    deliver(exchange, exercise="es03")
    (one,), said = exchange.collect("es02")
    assert (one.student, one.data, one.sure, said) == (ME, b'{"a": 1}', True, [])
    assert one.when == one.declared == dt.datetime(2026, 11, 20, 10, tzinfo=dt.UTC)
    assert one.arrived > one.when  # l'ora del sistema: la cartella è nata adesso
    assert exchange.secrets == {(ME, sha256(one.data)): [SECRET]}


def test_the_system_time_cannot_be_set_back(exchange):
    """Chi consegna può datare indietro i suoi file; l'ora del sistema resta quella vera."""
    folder = deliver(exchange)
    for path in (folder / "es02.ipynb", folder):
        os.utime(path, (1_795_000_000,) * 2)  # il 18 novembre 2026
    (one,), _ = exchange.collect("es02")
    assert (dt.datetime.now(dt.UTC) - one.arrived).total_seconds() < 60


def test_nobody_delivers_in_the_name_of_another(exchange):
    deliver(exchange, user="qualcun-altro", when="2027-01-01 00:00:00.000000 UTC")
    found, (sentence,) = exchange.collect("es02")
    assert found == []
    assert f"dice di essere di «qualcun-altro», ma l'ha scritta «{ME}»" in sentence


def test_a_link_to_the_solutions_is_not_followed(exchange, tmp_path):
    secret = tmp_path / "soluzione.ipynb"
    secret.write_text("le soluzioni", encoding="utf-8")
    folder = deliver(exchange, text=None)
    (folder / "es02.ipynb").symlink_to(secret)
    (one,), _ = exchange.collect("es02")
    assert one.data == b""
    assert one.refused.verdict == Verdict.MISSING
    (folder / "es02.ipynb").unlink()
    os.link(secret, folder / "es02.ipynb")  # due nomi per lo stesso file
    (one,), _ = exchange.collect("es02")
    assert one.refused.verdict == Verdict.MISSING


def test_a_link_in_place_of_the_folder_is_refused(exchange, tmp_path):
    (exchange.folder / "inbound" / f"{ME}+es02+{WHEN}+xx").symlink_to(tmp_path)
    found, (sentence,) = exchange.collect("es02")
    assert found == []
    assert "è un collegamento" in sentence


def test_a_pipe_does_not_stop_the_collection(exchange):
    os.mkfifo(deliver(exchange, text=None) / "es02.ipynb")
    (one,), _ = exchange.collect("es02")
    assert one.refused.verdict == Verdict.MISSING


def test_a_huge_notebook_is_refused_without_reading_it_all(exchange):
    path = deliver(exchange) / "es02.ipynb"
    with path.open("wb") as file:
        file.truncate(2**40)
    (one,), _ = exchange.collect("es02")
    assert one.refused.verdict == Verdict.UNREADABLE
    assert one.data == b""


def test_an_impossible_time_is_said(exchange):
    deliver(exchange, when="2031-01-01 10:00:00.000000 UTC")
    (one,), _ = exchange.collect("es02")
    assert one.when == one.arrived
    assert "nel futuro" in one.notes[0]


@pytest.mark.parametrize("when", ["ieri", ",Mon.٣" + "0" * 30 + "m", "2026-11-20", "9" * 100])
def test_a_time_that_is_not_one_does_not_stop_the_others(exchange, when):
    """Il nome della cartella lo sceglie chi consegna: uno storto ferma dateutil, non la raccolta di tutti."""
    deliver(exchange)
    deliver(exchange, when=when, text="storta")
    found, said = exchange.collect("es02")
    assert said == []
    strange = next(one for one in found if one.data == b"storta")
    assert (len(found), strange.when, strange.declared) == (2, strange.arrived, None)


def test_other_names_in_inbound_are_nobodys(exchange):
    for name in ("prova-di-scrittura", "a+b", "x+es02+ieri", f"{ME}+es02+{WHEN}"):
        (exchange.folder / "inbound" / name).write_text("", encoding="utf-8")
    assert exchange.collect("es02") == ([], [])


def test_other_files_are_told(exchange):
    (deliver(exchange) / "gatto.png").write_bytes(b"x")
    (one,), _ = exchange.collect("es02")
    assert one.notes == ["Accanto al notebook c'erano altri file, ignorati: «gatto.png»."]


def test_the_parameters_of_es08_come_along(exchange):
    (deliver(exchange, exercise="es08") / "es08.npz").write_bytes(b"pesi")
    (one,), _ = exchange.collect("es08")
    assert one.files == {"es08.npz": b"pesi"}


def test_who_floods_the_exchange_is_cut_to_the_latest(exchange, monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    for second in range(6):
        deliver(exchange, when=f"2026-11-20 10:00:{second:02}.000000 UTC", text=f"numero {second}")
        deliver(exchange, user="altri", when=f"2026-11-20 10:00:{second:02}.000000 UTC")
    found, said = exchange.collect("es02")
    assert [one.data for one in found] == [b"numero 3", b"numero 4", b"numero 5"]
    assert len(said) == 4
    assert said[-1] == "E altre 4 cartelle scartate."
    monkeypatch.setattr(module, "MOST_BYTES", 10)
    found, _ = exchange.collect("es02")
    assert [one.data for one in found] == [b"numero 4", b"numero 5"]


def test_a_missing_exchange_is_one_sentence(tmp_path):
    with pytest.raises(CorsoError, match="le consegne dello scambio"):
        Exchange(tmp_path / "nulla").collect("es02")


def graded(register: Register, data: bytes) -> None:
    """Un esito e una pagina, come li lascia la correzione di questi byte."""
    record = {"verdetto": "illeggibile", "punti": None, "correzione": {"sha256": sha256(data)}}
    register.write_outcome("es02", ME, record)
    page = register.feedback("es02", ME)
    page.parent.mkdir(parents=True)
    page.write_text("la pagina", encoding="utf-8")


def test_the_page_goes_to_the_submission_that_was_graded(exchange, tmp_path):
    deliver(exchange, text="prima", secret="1a" * 64)
    deliver(exchange, text="seconda", when="2026-11-21 10:00:00.000000 UTC", secret="2b" * 64)
    exchange.collect("es02")
    register = Register(tmp_path)
    graded(register, b"seconda")
    assert exchange.publish(register, "es02", [ME]) == 1
    (page,) = (exchange.folder / "feedback").iterdir()
    assert page.stem == notebook_hash(secret="2b" * 64, notebook_id="es02")
    assert page.read_text(encoding="utf-8") == "la pagina"


@pytest.mark.parametrize("secret", [None, "corto", "../../altrove" * 4, "Z" * 64])
def test_without_a_real_secret_nothing_is_published(exchange, tmp_path, secret):
    deliver(exchange, text="prima", secret=secret)
    exchange.collect("es02")
    register = Register(tmp_path)
    graded(register, b"prima")
    assert exchange.publish(register, "es02", [ME]) == 0
    assert list((exchange.folder / "feedback").iterdir()) == []


def test_collect_of_nbgrader_says_how_it_is_done_here():
    from nbgrader.coursedir import CourseDirectory

    course = CourseDirectory(config=Config({"CourseDirectory": {"assignment_id": "es05"}}))
    with pytest.raises(ExchangeError, match="corso correggi es05 --scambio"):
        RefusedCollect(coursedir=course).start()


def test_outcome_is_read_as_the_grading_writes_it(tmp_path):
    """La forma dell'esito da cui si prende l'impronta è quella vera."""
    register = Register(tmp_path)
    graded(register, b"x")
    record = json.loads(register.outcome("es02", ME).read_bytes())
    assert record["correzione"]["sha256"] == sha256(b"x")


@pytest.mark.parametrize(("mode", "closed"), [(0o3733, True), (0o1733, False)])
def test_a_submission_is_closed_to_the_others_if_the_teacher_can_still_read_it(tmp_path, mode, closed):
    """Senza il setgid il gruppo non è quello di chi insegna, e chiudere vorrebbe dire perdere la consegna."""
    inbound = tmp_path / "inbound"
    inbound.mkdir()
    inbound.chmod(mode)
    (inbound / "anna").mkdir()
    (inbound / "anna").chmod(0o777)
    close_to_others(inbound, "anna")
    assert stat.S_IMODE((inbound / "anna").stat().st_mode) & 0o777 == (0o770 if closed else 0o777)
