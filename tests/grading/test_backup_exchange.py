"""Lo scambio vero di nbgrader, copiato e rimesso: chi studia ritrova la sua pagina, e si consegna ancora."""

from __future__ import annotations

import logging
import shutil
import stat
from pathlib import Path

import pytest
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import default
from nbgrader.utils import get_username
from traitlets.config import Config

from course_lib.grading.backup.making import make
from course_lib.grading.backup.restoring import restore
from course_lib.grading.gradebook import database_url, prepare
from tests.grading import samples
from tests.grading.backup import samples as backup_samples


class Class:
    """Un corso e chi lo studia, con i comandi di scambio di nbgrader."""

    def __init__(self, folder: Path) -> None:
        self.root, self.home, self.exchange = folder / "corso", folder / "casa", folder / "scambio"
        for place in (self.root, self.home, self.exchange):
            place.mkdir()
        self.exchange.chmod(0o777)
        self.config = Config()
        self.config.CourseDirectory.root = str(self.root)
        self.config.CourseDirectory.course_id = "attenzione"
        self.config.CourseDirectory.db_url = database_url(self.root, f"sqlite:///{folder}/voti.db")
        prepare(self.config.CourseDirectory.db_url)  # altrimenti nbgrader cerca il programma alembic
        self.config.Exchange.root = str(self.exchange)
        self.config.Exchange.cache = str(folder / "ricordi")
        self.config.Exchange.assignment_dir = str(self.home)

    def do(self, name: str, **course) -> None:
        """Un passo dello scambio: name è quello della classe di nbgrader, senza «Exchange»."""
        config = Config(self.config)
        config.CourseDirectory.update({"assignment_id": "es02", **course})
        folders, people = CourseDirectory(config=config), Authenticator(config=config)
        step = getattr(default, f"Exchange{name}")(coursedir=folders, authenticator=people, config=config)
        step.log = logging.getLogger("silenzio")
        step.log.setLevel(logging.CRITICAL + 1)
        step.start()


@pytest.fixture
def a_class(tmp_path, monkeypatch) -> Class:
    monkeypatch.chdir(tmp_path)
    return Class(tmp_path)


def hand_in_and_grade(one: Class) -> None:
    """Rilasciato, preso, consegnato, raccolto; una pagina di feedback dove la mette la correzione."""
    import nbformat

    (one.root / "release/es02").mkdir(parents=True)
    nbformat.write(samples.read("exercises"), one.root / "release/es02/es02.ipynb")
    one.do("ReleaseAssignment")
    one.do("FetchAssignment")
    one.do("Submit", assignment_id=str(one.home / "es02"))
    one.do("Collect")
    who = get_username()
    page = one.root / "feedback" / who / "es02"
    shutil.copytree(one.root / "submitted" / who / "es02", page)
    (page / "es02.html").write_text("<p>La tua pagina.</p>", encoding="utf-8")
    one.do("ReleaseFeedback")


def test_a_pupil_fetches_the_page_from_a_restored_exchange(a_class, tmp_path):
    hand_in_and_grade(a_class)
    course = backup_samples.small_course(tmp_path / "altro")
    before = backup_samples.picture(a_class.exchange)
    made = make(course, tmp_path / "copie", exchange=a_class.exchange)
    shutil.rmtree(a_class.exchange)
    restore(made.path, course, exchange=a_class.exchange, replace=True)
    assert backup_samples.picture(a_class.exchange) == before
    place = a_class.exchange / "attenzione"
    modes = {name: stat.S_IMODE((place / name).stat().st_mode) for name in ("inbound", "feedback")}
    assert modes == {"inbound": 0o2733, "feedback": 0o711}
    a_class.do("FetchFeedback")
    (page,) = (a_class.home / "es02/feedback").rglob("*.html")
    assert page.read_text("utf-8") == "<p>La tua pagina.</p>"
    a_class.do("Submit", assignment_id=str(a_class.home / "es02"))
    assert len(list((place / "inbound").iterdir())) == 2
