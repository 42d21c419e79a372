"""Che cosa una persona non può leggere né aprire: lo si prova da lei, con il suo utente e i suoi biscotti."""

from __future__ import annotations

import json
import os

import pytest

from course_lib.hub.trial_users import new_password
from tests.hub.lesson import NOTEBOOK

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("hub")]  # la classe è una: un solo processo

# Eseguito in un kernel di bruno: per ogni percorso dice «letto», «elencato», «scritto» o perché no.
PROBE = """
import json, os, pathlib
def look(path):
    found = []
    try:
        if os.path.isdir(path):
            os.listdir(path); found.append('elencato')
        else:
            open(path, 'rb').read(1); found.append('letto')
    except OSError as error:
        found.append(type(error).__name__)
    try:
        target = os.path.join(path, 'prova-di-scrittura') if os.path.isdir(path) else path
        open(target, 'ab').close(); found.append('scritto')
    except OSError as error:
        found.append(type(error).__name__)
    return found
print(json.dumps({'uid': os.getuid(), **{path: look(path) for path in %r}}))
"""


def probe(person, paths) -> dict:
    answer = person.run(PROBE % [str(path) for path in paths])
    assert answer["status"] == "ok", answer
    return json.loads(answer["text"])


def uid_of(name: str) -> int:
    import pwd

    return pwd.getpwnam(name).pw_uid


def test_a_pupil_reaches_nothing_of_the_others(lesson, people, trial, diary):
    anna, bruno, teacher = people["anna"], people["bruno"], people["docente"]
    exchange = trial.settings.scambio / trial.settings.corso
    (submission,) = (exchange / "inbound").glob(f"{anna.name}+*")
    course, state = trial.settings.cartella_docente, trial.settings.stato
    secret = [
        submission, submission / "es02.ipynb", submission / "submission_secret.txt",
        trial.home(anna.name), anna.course, anna.course / NOTEBOOK, lesson.feedback["anna"],
        trial.home(teacher.name), course, course / "solutions", course / "solutions" / "es02" / "es02.ipynb",
        course / "registro", course / "registro" / "gradebook.db", course / "registro" / "es02.csv",
        state, state / "jupyterhub.sqlite", state / "jupyterhub_cookie_secret", state / "proxy.pid",
    ]  # fmt: skip
    assert all(path.exists() for path in secret)  # ci sono: a non poterli vedere è bruno
    seen = probe(bruno, secret)
    assert seen.pop("uid") == uid_of(bruno.name) != 0
    assert {path: found for path, found in seen.items() if found != ["PermissionError"] * 2} == {}
    seen = probe(bruno, [exchange / "inbound", exchange / "feedback", exchange, exchange / "outbound"])
    assert seen[str(exchange / "inbound")] == ["PermissionError", "scritto"]  # si consegna e non si guarda
    assert seen[str(exchange / "feedback")] == ["PermissionError", "PermissionError"]
    assert seen[str(exchange)] == ["elencato", "PermissionError"]
    assert seen[str(exchange / "outbound")] == ["elencato", "PermissionError"]
    assert submission.stat().st_uid == uid_of(anna.name)
    diary(f"bruno non legge né scrive {len(secret)} percorsi di anna, docente e hub; inbound non si elenca")


def test_the_probe_sees_what_may_be_seen(people, tmp_path):
    """La stessa sonda, dove deve riuscire: altrimenti quella di sopra non direbbe nulla."""
    bruno = people["bruno"]
    seen = probe(bruno, [bruno.course, bruno.course / NOTEBOOK])
    assert seen[str(bruno.course)] == ["elencato", "scritto"]
    assert seen[str(bruno.course / NOTEBOOK)] == ["letto", "scritto"]


def test_a_submission_cannot_be_taken_away_or_renamed(lesson, people, trial):
    exchange = trial.settings.scambio / trial.settings.corso
    (submission,) = (exchange / "inbound").glob(f"{people['anna'].name}+*")
    code = f"""
import os
for action in (lambda: os.rename({str(submission)!r}, {str(submission)!r} + 'x'),
               lambda: os.rename({str(exchange)!r}, {str(exchange)!r} + 'x'),
               lambda: os.rmdir({str(exchange / "feedback")!r})):
    try:
        action(); print('fatto')
    except OSError as error:
        print(type(error).__name__)
"""
    answer = people["bruno"].run(code)
    assert answer["text"].split() == ["PermissionError"] * 3, answer


def test_secrets_of_the_hub_are_not_in_processes(people, trial):
    """Gettoni e segreti non stanno nelle righe di comando, e gli ambienti degli altri non si leggono."""
    code = """
import os, json
lines, environments = [], 0
for pid in filter(str.isdigit, os.listdir('/proc')):
    try:
        lines.append(open(f'/proc/{pid}/cmdline').read())
        if os.stat(f'/proc/{pid}').st_uid != os.getuid():
            open(f'/proc/{pid}/environ', 'rb').read(); environments += 1
    except OSError:
        pass
print(json.dumps([lines, environments]))
"""
    answer = people["bruno"].run(code)
    lines, environments = json.loads(answer["text"])
    assert environments == 0
    assert any("jupyterhub" in line for line in lines)  # i processi si vedono, i loro segreti no
    cookie = (trial.settings.stato / "jupyterhub_cookie_secret").read_text(encoding="ascii").strip()
    found = " ".join(lines)
    assert not any(secret in found for secret in (cookie, "PROXY_AUTH_TOKEN", *trial.passwords.values()))


@pytest.mark.parametrize("place", ["lab", "api/contents", "files/LEGGIMI.txt", "api/kernels", "terminals/1"])
def test_the_server_of_another_is_closed(people, place):
    """Con i biscotti di bruno: il server di anna e quello di docente rispondono no."""
    for other in ("anna", "docente"):
        assert people["bruno"].status(people[other].base + place) in (403, 404)
    assert people["anna"].status(people["anna"].base + "api/contents") == 200


def test_the_hub_gives_nothing_about_the_others(people, trial):
    api = trial.settings.indirizzo + "/hub/api/"
    for path in (
        "users",
        f"users/{people['anna'].name}",
        "proxy",
        "services",
        f"users/{people['anna'].name}/tokens",
    ):
        assert people["bruno"].status(api + path) in (403, 404)
    assert people["docente"].status(api + f"users/{people['anna'].name}") in (403, 404)


def test_formgrader_is_for_who_teaches(lesson, people):
    teacher, bruno = people["docente"], people["bruno"]
    assert teacher.status(teacher.base + "formgrader") == 200
    assert bruno.status(teacher.base + "formgrader") in (403, 404)
    assert bruno.status(bruno.base + "formgrader") == 404
    headers = teacher.context.request.get(teacher.base + "formgrader").headers
    assert headers["content-security-policy"] == "frame-ancestors 'self'"
    plain = bruno.context.request.get(bruno.base + "lab").headers["content-security-policy"]
    assert "frame-ancestors 'none'" in plain


def test_who_is_not_in_the_class_does_not_enter(browser, trial, people):
    """Un utente vero con la password giusta, che non è nel gruppo; e una password sbagliata."""
    from course_lib.hub import trial_users
    from tests.hub.people import Person

    name, password = f"estranea-{os.urandom(2).hex()}", new_password()
    trial_users.add_user(name, trial.folder / "case", password)
    try:
        for user, word in ((name, password), (people["anna"].name, "sbagliata")):
            someone = Person(browser, trial, user)
            someone.page.goto(trial.settings.indirizzo)
            someone.page.fill("#username_input", user)
            someone.page.fill("#password_input", word)
            someone.page.click("#login_submit")
            someone.page.get_by_text("password sbagliati, o non sei nel gruppo").wait_for()
            someone.context.close()
    finally:
        trial_users.remove([name], "gruppo-che-non-c-e")
