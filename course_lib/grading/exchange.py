"""Lo scambio di nbgrader, dalla parte di chi corregge: leggere le consegne arrivate, pubblicare il feedback.

In `inbound` scrive chiunque studi, e ciò che vi sta non è da credere: la raccolta di nbgrader seguirebbe i
collegamenti (anche verso le soluzioni) e accetterebbe una consegna a nome di un altro. Qui di chi è una
consegna lo dice il proprietario dei file, si aprono soltanto file veri, e dell'ora si conserva anche quella
che scrive il sistema.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import pwd
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.utils import notebook_hash, parse_utc

from course_lib.grading import companions
from course_lib.grading.manifest import plausible, take_time
from course_lib.grading.outcomes import read_record
from course_lib.grading.outputs import clean_text
from course_lib.grading.preflight import MAX_FILE
from course_lib.grading.register import Register, sha256, student_id, utc_now, write_atomically
from course_lib.grading.store import MOST, Submission
from course_lib.grading.verdicts import NotGraded, Verdict
from course_lib.project import CorsoError, reason

SECRET = re.compile(r"[0-9a-f]{32,256}")  # quello che nbgrader mette in ogni consegna
# L'ora nel nome della cartella, come la scrive nbgrader. Altro non si interpreta: il nome lo sceglie chi
# consegna, e su certi testi il lettore di date si ferma con un errore che nessuno aspetta.
DECLARED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?( [A-Z]{1,5})?", re.ASCII)
MOST_BYTES = 100 * 2**20  # di notebook di una persona, in una raccolta
SECRET_FILE = "submission_secret.txt"
OWN_FILES = {"timestamp.txt", SECRET_FILE}


@dataclass
class Exchange:
    """La cartella del corso nello scambio (quella con inbound e feedback), e i segreti delle consegne lette.

    secrets: (identificativo, impronta del notebook) -> i segreti da cui nascono i nomi delle pagine
    """

    folder: Path
    secrets: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def collect(self, exercise: str) -> tuple[list[Submission], list[str]]:
        """Le consegne di un esercizio, e le frasi su ciò che si è scartato.

        Solleva CorsoError se la cartella delle consegne manca o non si apre.
        """
        inbound = self.folder / "inbound"
        try:
            names = sorted(os.listdir(inbound))
        except OSError as error:
            raise CorsoError(
                f"le consegne dello scambio, in {inbound}, non si leggono ({reason(error)}): lo scambio lo "
                "prepara JupyterHub quando parte, ed è dell'utente scritto come «docente» in hub.toml."
            ) from None
        theirs: dict[str, list[tuple[float, str]]] = {}
        said: list[str] = []
        for name in names:
            parts = name.rsplit("+", 3)
            if len(parts) == 4 and parts[1] == exercise:
                with _refusals(name, said):
                    theirs.setdefault(parts[0], []).append((_arrival(inbound / name, parts[0]), name))
        found: list[Submission] = []
        for user, ones in theirs.items():
            found += self._latest(inbound, user, exercise, sorted(ones, reverse=True), said)
        hidden = len(said) - MOST
        return found, said[:MOST] + ([f"E altre {hidden} cartelle scartate."] if hidden > 0 else [])

    def _latest(
        self, inbound: Path, user: str, exercise: str, ones: list[tuple[float, str]], said: list[str]
    ) -> list[Submission]:
        """Le consegne di una persona, al più MOST e al più MOST_BYTES: le ultime, se sono di più."""
        found: list[Submission] = []
        for count, (_, name) in enumerate(ones):
            if count >= MOST or sum(len(one.data) for one in found) > MOST_BYTES:
                said.append(f"{user}: {len(ones)} consegne, troppe; le meno recenti non sono state lette.")
                break
            with _refusals(name, said):
                found.append(self._read(inbound / name, user, exercise, name.rsplit("+", 3)[2]))
        return found[::-1]

    def _read(self, folder: Path, user: str, exercise: str, declared: str) -> Submission:
        """Una consegna; _Refused se non è di chi dice di essere."""
        with _opened(folder, os.O_RDONLY | os.O_DIRECTORY) as handle:
            info = os.fstat(handle)
            _expect_owner(info, user)
            if student_id(user) != user:
                raise _Refused(
                    "il nome utente ha segni che il registro non scrive: servono minuscole, cifre e trattini."
                )
            notebook, changed = _content(handle, f"{exercise}.ipynb", info.st_uid, MAX_FILE)
            when = _time(max(info.st_ctime, changed))
            submission = Submission(user, user, when, folder / f"{exercise}.ipynb", arrived=when, sure=True)
            if DECLARED.fullmatch(declared):
                with contextlib.suppress(ValueError, OverflowError):
                    take_time(submission, parse_utc(declared).replace(tzinfo=dt.UTC))
            self._fill(submission, exercise, notebook)
            for file in companions.files_of(exercise):
                data, _ = _content(handle, file.name, info.st_uid, file.most)
                if data is not None:
                    submission.files[file.name] = data
            _say_others(submission, os.listdir(handle), exercise)
            secret, _ = _content(handle, SECRET_FILE, info.st_uid, 512)
        text = (secret or b"").decode("ascii", "replace").strip()
        if SECRET.fullmatch(text):
            self.secrets.setdefault((user, sha256(submission.data)), []).append(text)
        return submission

    def _fill(self, submission: Submission, exercise: str, notebook: bytes | None) -> None:
        if notebook is None:
            submission.refused = NotGraded(Verdict.MISSING, f"Nella consegna manca {exercise}.ipynb.")
        elif len(notebook) > MAX_FILE:
            too_big = f"Il file supera {MAX_FILE // 2**20} MB: cancella gli output e salva."
            submission.refused = NotGraded(Verdict.UNREADABLE, too_big)
        else:
            submission.data = notebook

    def publish(self, register: Register, exercise: str, students: Sequence[str]) -> int:
        """Mette la pagina di ognuno dove «Fetch Feedback» la cerca; restituisce quante ne ha messe.

        Va alle consegne che hanno proprio il notebook corretto: le altre restano senza pagina.
        """
        count = 0
        for student in students:
            page = register.feedback(exercise, student)
            graded = read_record(register.outcome(exercise, student)).get("correzione", {}).get("sha256")
            for secret in self.secrets.get((student, graded), ()) if page.is_file() else ():
                name = f"{notebook_hash(secret=secret, notebook_id=exercise)}.html"
                write_atomically(self.folder / "feedback" / name, page.read_bytes())
                for folder in (register.autograded(exercise, student), page.parent):
                    if folder.is_dir():  # così anche «Release Feedback» di formgrader trova il nome
                        write_atomically(folder / SECRET_FILE, secret.encode(), 0o600)
                count += 1
        return count


class _Refused(Exception):
    """Ciò che nello scambio non è una consegna; il testo è la frase."""


@contextlib.contextmanager
def _refusals(name: str, said: list[str]):
    """Ciò che si scarta diventa una frase, e si passa alla prossima."""
    try:
        yield
    except _Refused as refusal:
        said.append(f"{clean_text(name, 100)}: {refusal}")


def _arrival(folder: Path, user: str) -> float:
    """Quando una cartella è stata scritta; _Refused se non è di `user`."""
    try:
        info = folder.lstat()
    except OSError as error:
        raise _Refused(f"non si legge ({reason(error)}): ignorata.") from None
    _expect_owner(info, user)
    return info.st_ctime


def _expect_owner(info: os.stat_result, user: str) -> None:
    owner = _user(info.st_uid)
    if owner != user:
        raise _Refused(f"dice di essere di «{clean_text(user, 40)}», ma l'ha scritta «{owner}»: ignorata.")


@contextlib.contextmanager
def _opened(path: Path | str, flags: int, inside: int | None = None):
    try:
        handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=inside)
    except OSError as error:
        raise _Refused(f"non si apre, o è un collegamento ({reason(error)}): ignorata.") from None
    try:
        yield handle
    finally:
        os.close(handle)


def _content(folder: int, name: str, owner: int, most: int) -> tuple[bytes | None, float]:
    """I byte di un file vero di `owner`, al più uno oltre `most`, e quando è cambiato; o (None, 0)."""
    try:
        with _opened(name, os.O_RDONLY, folder) as handle:
            info = os.fstat(handle)
            if not stat.S_ISREG(info.st_mode) or info.st_uid != owner or info.st_nlink != 1:
                return None, 0.0
            with open(handle, "rb", closefd=False) as file:
                return file.read(most + 1), info.st_ctime
    except _Refused:
        return None, 0.0


def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"l'utente {uid}, che non c'è più"


def _time(seconds: float) -> dt.datetime:
    return plausible(dt.datetime.fromtimestamp(seconds, dt.UTC)) or utc_now()


def _say_others(submission: Submission, names: list[str], exercise: str) -> None:
    """Nelle note, i file che non servono."""
    wanted = OWN_FILES | {f"{exercise}.ipynb", *(file.name for file in companions.files_of(exercise))}
    others = sorted(name for name in set(names) - wanted if not name.startswith("."))
    if others:
        shown = ", ".join(f"«{clean_text(name, 60)}»" for name in others[:3])
        shown += f" e altri {len(others) - 3}" if len(others) > 3 else ""
        submission.notes.append(f"Accanto al notebook c'erano altri file, ignorati: {shown}.")
