"""Le persone che si confondono: due con lo stesso nome, una con due nomi, il file di una da un'altra."""

from __future__ import annotations

from course_lib.grading.archives import shown
from course_lib.grading.register import student_id
from course_lib.grading.store import Submission
from course_lib.notation import number

FEW = 3  # persone nominate da una cartella sola: oltre, una frase per tutte


def say_other_folders(found: list[Submission], said: list[str]) -> None:
    """Un file col nome di una persona nella cartella, o nello zip, di un'altra: vale, ma si dice a tutti.

    Una cartella che contiene file di molte persone, e nessuno di chi le dà il nome, è quella di una classe.
    """
    groups: dict[str, list[Submission]] = {}
    for submission in found:
        if submission.elsewhere:
            groups.setdefault(submission.elsewhere, []).append(submission)
    own = {submission.student for submission in found if not submission.elsewhere}
    for name, group in sorted(groups.items()):
        people = sorted({submission.name for submission in group})
        if len(people) > 1:
            more = f" e altre {number(len(people) - FEW)}" if people[FEW:] else ""
            said.append(
                f"«{name}» è il nome di una cartella o di uno zip, ma i file che contiene sono di "
                f"{number(len(people))} persone ({', '.join(people[:FEW])}{more}). Vale il nome di ogni "
                "file: se non è la cartella di una classe, guarda chi l'ha mandata."
            )
        if len(people) == 1 or student_id(name) in own:
            for submission in group:
                what = f"dice «{submission.name}», ma stava nella cartella o nello zip di «{name}»"
                submission.notes.append(f"Il file {what}: vale «{submission.name}».")
                if len(people) <= FEW:
                    where = shown((*submission.folder, submission.source.name))
                    said.append(f"{where}: {what}. Vale «{submission.name}»: guarda chi l'ha mandato.")


def tell_namesakes_apart(found: list[Submission], said: list[str]) -> None:
    """Due persone con lo stesso nome su Moodle hanno numeri diversi: diventano due identificativi."""
    groups: dict[str, list[Submission]] = {}
    for submission in found:
        groups.setdefault(submission.student, []).append(submission)
    for student, same in sorted(groups.items()):
        different = {submission.number for submission in same} - {""}
        if len(different) < 2:
            continue
        sentence = f"{len(different)} persone con lo stesso nome, distinte dal numero di Moodle."
        if not all(submission.number for submission in same):
            sentence += (
                f" I file senza numero restano a parte come {student}: se sono di una di loro, "
                "mettili nella sua cartella di Moodle."
            )
        said.append(f"{student}: {sentence}")
        for submission in same:
            if submission.number:
                submission.student = f"{student[:48]}-{submission.number[-11:]}"
    turned: dict[tuple[str, ...], list[str]] = {}
    for student in sorted({submission.student for submission in found}):
        turned.setdefault(tuple(sorted(student.split("-"))), []).append(student)
    for one, *others in turned.values():
        said += [
            f"{one} e {other} sembrano la stessa persona: se lo è, scrivilo in registro/nomi.toml, "
            f'sotto [persone], come "{other}" = "{one}".'
            for other in others
        ]
