"""Le consegne conservate: i byte arrivati, in sola lettura, con impronta e ore; nulla si sovrascrive."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from course_lib.grading.outputs import clean_text
from course_lib.grading.register import Register, sha256, utc_now, write_atomically
from course_lib.grading.rome import Deadline, how_late, rome_text
from course_lib.grading.verdicts import NotGraded, Verdict
from course_lib.notation import number

SLACK = dt.timedelta(minutes=10)  # fra la preparazione di una consegna e il suo arrivo
MOST = 50  # consegne di una persona in una raccolta
REFUSED = ".rifiutata.json"  # come finisce il nome della scheda di una consegna rifiutata


@dataclass
class Submission:
    """Una consegna raccolta: di chi, quando (UTC, l'ora che vale), i byte, le note, l'eventuale rifiuto.

    declared: l'ora scritta nel manifesto   arrived: l'ora del file che è arrivato
    stored: dove i byte sono conservati; da quel momento si rileggono da lì
    files: i file consegnati con il notebook, {nome: byte}
    said: le note della raccolta, anche dopo che la correzione ne ha aggiunte altre
    before: il voto che questa persona aveva prima di questa correzione
    """

    student: str
    name: str
    when: dt.datetime
    source: Path
    data: bytes = b""
    notes: list[str] = field(default_factory=list)
    refused: NotGraded | None = None
    declared: dt.datetime | None = None
    arrived: dt.datetime | None = None
    number: str = ""  # quello che la piattaforma dà alla persona
    sure: bool = False  # di chi è, e quando è arrivata, l'ha scritto la piattaforma
    folder: tuple[str, ...] = ()  # la cartella, o lo zip, in cui stava
    elsewhere: str = ""  # la persona che quella cartella dice invece
    stored: Path | None = None
    said: tuple[str, ...] = ()
    before: float | None = None
    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """L'impronta di tutto ciò che è stato consegnato: senza altri file, è quella del notebook."""
        if not self.files:
            return sha256(self.raw)
        parts = [sha256(self.raw), *(f"{name} {sha256(self.files[name])}" for name in sorted(self.files))]
        return sha256("\n".join(parts).encode("utf-8", "replace"))

    @property
    def raw(self) -> bytes:
        """I byte della consegna."""
        return self.stored.read_bytes() if self.stored is not None else self.data


def store(register: Register, exercise: str, submission: Submission) -> Path:
    """Conserva i byte come sono arrivati, in sola lettura, con impronta e ora. Rifatto, non cambia nulla.

    Di ciò che è stato rifiutato i byte sono quelli dello zip; se non ci sono, resta la sola scheda.
    """
    digest = submission.digest
    path = register.received(exercise, submission.student) / f"{submission.when:%Y%m%dT%H%M%SZ}-{digest[:16]}"
    refused = submission.refused is not None
    if refused and not submission.raw:
        _write_once(path.with_suffix(REFUSED), _record(submission, None))
        return path.with_suffix(REFUSED)
    kept = path.with_suffix(".zip" if refused else ".ipynb")
    if kept.exists() and sha256(kept.read_bytes()) != sha256(submission.raw):
        submission.notes.append(
            "La copia conservata nel registro era stata modificata: quella arrivata è conservata accanto."
        )
        kept = kept.with_name(f"{path.name}-di-nuovo{kept.suffix}")
    _write_once(kept, submission.raw)
    for name, data in submission.files.items():
        _write_once(kept.with_suffix(f".{name}"), data)
    record = _record(submission, sha256(submission.raw))
    _write_once(kept.with_suffix(REFUSED if refused else ".json"), record)
    return kept


def _write_once(path: Path, data: bytes) -> None:
    if not path.exists():
        write_atomically(path, data, 0o444)


def _record(submission: Submission, digest: str | None) -> bytes:
    record = {
        "nome": submission.name,
        "consegnato": submission.when.isoformat(),
        "ora di Roma": rome_text(submission.when),
        "dichiarato": submission.declared.isoformat() if submission.declared else None,
        "ora del file": submission.arrived.isoformat() if submission.arrived else None,
        "dalla piattaforma": submission.sure,
        "raccolto": utc_now().isoformat(),
        "file": clean_text(os.fspath(submission.source.name), 200),
    }
    if submission.refused is not None:
        record["rifiutata"] = submission.refused.message
    if digest is not None:
        record |= {"byte": len(submission.raw), "sha256": digest}
    if submission.files:
        record["altri file"] = {name: sha256(data) for name, data in submission.files.items()}
    return json.dumps(record, ensure_ascii=False, indent=1).encode("utf-8", "replace")


def stored(register: Register, exercise: str, student: str) -> list[Submission]:
    """Le consegne già conservate di una persona, dalla prima all'ultima."""
    found = []
    for path in sorted(register.received(exercise, student).glob("*.ipynb")):
        try:
            record = json.loads(path.with_suffix(".json").read_bytes())
            when = dt.datetime.fromisoformat(record["consegnato"])
            declared = when if record.get("dichiarato") else None
            source = Path(record["file"])
            one = Submission(student, record["nome"], when, source, declared=declared, stored=path)
            others = [str(name) for name in record.get("altri file", ())]
            one.files = {name: path.with_suffix(f".{name}").read_bytes() for name in others}
            arrived, one.sure = record.get("ora del file"), record.get("dalla piattaforma") is True
            one.arrived = dt.datetime.fromisoformat(arrived) if arrived else None
            found.append(one)
        except (OSError, ValueError, KeyError, TypeError):
            continue  # manca la scheda: la consegna sarà di nuovo raccolta dalla cartella
    return found


def not_too_many(
    submissions: Sequence[Submission], deadline: Deadline | None, said: list[str]
) -> list[Submission]:
    """Le consegne di una persona in una raccolta: oltre 50 si tengono le ultime, e prima quelle in tempo.

    said: riceve una frase, se ne restano fuori
    """
    if len(submissions) <= MOST:
        return list(submissions)
    said.append(
        f"{submissions[0].student}: {number(len(submissions))} consegne della stessa persona, più di {MOST}: "
        f"le {number(len(submissions) - MOST)} meno recenti, o fuori tempo, sono ignorate e non conservate."
    )
    late = [deadline is not None and deadline.late_by(s.when) is not None for s in submissions]
    order = sorted(range(len(submissions)), key=lambda i: (not late[i], submissions[i].when))
    return [submissions[i] for i in sorted(order[-MOST:])]


def choose(
    submissions: Sequence[Submission], earlier: Sequence[Submission] = (), deadline: Deadline | None = None
) -> Submission:
    """Quale consegna di una persona vale, con le frasi che lo dicono.

    submissions: quelle di questa raccolta, almeno una   earlier: quelle già conservate
    L'ultima arrivata entro la scadenza; se nessuna lo è, l'ultima, in ritardo. Per gli stessi byte vale la
    prima ora a cui sono arrivati. Una rifiutata (non si può leggere) conta come le altre; una che manca (è
    arrivato altro, e nessun notebook) soltanto se non c'è di meglio.
    """
    everything = sorted([*earlier, *submissions], key=lambda s: s.when)  # a pari ora, prima quelle conservate
    everything = [s for s in everything if not _is_missing(s)] or everything
    in_time = [s for s in everything if deadline is None or deadline.late_by(s.when) is None]
    candidates = in_time or everything
    chosen = candidates[-1]
    different = len({(s.digest, s.refused and s.refused.message) for s in candidates})
    if different > 1:
        within = " entro la scadenza" if deadline is not None and in_time else ""
        chosen.notes.append(
            f"Arrivate {different} consegne{within}: vale l'ultima, del {rome_text(chosen.when)}."
        )
    if chosen.refused is None:
        same = sorted({s.when for s in everything if s.refused is None and s.digest == chosen.digest})
        if len(same) > 1:
            chosen.when = same[0]
            chosen.notes.append(
                f"Lo stesso file è arrivato {len(same)} volte: vale la prima ora, {rome_text(same[0])}."
            )
    if deadline is not None:
        _say_late(chosen, everything, deadline)
    chosen.said = tuple(chosen.notes)
    return chosen


def _is_missing(submission: Submission) -> bool:
    return submission.refused is not None and submission.refused.verdict == Verdict.MISSING


def _say_late(chosen: Submission, everything: Sequence[Submission], deadline: Deadline) -> None:
    late = deadline.late_by(chosen.when)
    if late is not None:
        how = how_late(late)
        note = f"Consegnata in ritardo di {how}: {rome_text(chosen.when)}. La scadenza: {deadline}."
        unsure = " L'ora è quella del file: la vera la sa la piattaforma." if chosen.declared is None else ""
        chosen.notes.append(note + unsure)
        return
    arrived = min((s.arrived for s in everything if s.sure and s.digest == chosen.digest), default=None)
    if arrived is not None and deadline.late_by(arrived) is not None and arrived - chosen.when > SLACK:
        chosen.notes.append(
            f"Dice di essere del {rome_text(chosen.when)}, in tempo, ma sulla piattaforma è arrivata il "
            f"{rome_text(arrived)}, dopo la scadenza ({deadline}): quale ora vale lo decide chi corregge."
        )
    after = {s.when for s in everything if deadline.late_by(s.when) is not None and s.digest != chosen.digest}
    if after:
        chosen.notes.append(
            f"Dopo la scadenza ({deadline}) è arrivata un'altra consegna, il {rome_text(max(after))}: "
            f"è conservata, ma vale quella del {rome_text(chosen.when)}."
        )
