"""Il diario: si aggiunge soltanto, e chi lo tocca si vede."""

from __future__ import annotations

import json
import multiprocessing

import pytest

from course_lib.grading import diary


def lines(folder):
    return (folder / diary.DIARY).read_bytes().splitlines(keepends=True)


@pytest.fixture
def written(tmp_path):
    for i in range(5):
        diary.append(tmp_path, {"studente": f"s{i}", "punti": i})
    return tmp_path


def test_an_untouched_diary_is_whole(written, tmp_path):
    assert diary.check(written) is None
    records = [json.loads(line) for line in lines(written)]
    assert [r["riga"] for r in records] == [1, 2, 3, 4, 5]
    assert len({r["prima"] for r in records}) == 5
    assert diary.last_link(written) == diary._digest(lines(written)[-1].rstrip(b"\n"))


def test_a_diary_that_is_not_there_yet_is_whole(tmp_path):
    assert diary.check(tmp_path) is None
    assert diary.last_link(tmp_path) == ""


def changed(old: list[bytes]) -> list[bytes]:
    return [*old[:2], old[2].replace(b'"punti": 2', b'"punti": 9'), *old[3:]]


@pytest.mark.parametrize(
    "tamper",
    [
        changed,
        lambda old: [*old[:4], old[4].replace(b'"punti": 4', b'"punti": 9')],  # l'ultima riga
        lambda old: [old[0].replace(b'"punti": 0', b'"punti": 9'), *old[1:]],
        lambda old: old[:2] + old[3:],
        lambda old: old[:-1],
        lambda old: [],
        lambda old: [old[1], old[0], *old[2:]],
        lambda old: [*old[:2], b'{"studente": "x"}\n', *old[2:]],
        lambda old: [*old, b'{"studente": "x"}\n'],
        lambda old: [*old[:2], b"\n", *old[2:]],
    ],
)
def test_whatever_is_changed_taken_or_added_breaks_the_chain(written, tamper):
    (written / diary.DIARY).write_bytes(b"".join(tamper(lines(written))))
    assert diary.check(written) is not None


def test_the_sentence_says_which_line(written):
    (written / diary.DIARY).write_bytes(b"".join(changed(lines(written))))
    assert "la riga 4 non segue" in diary.check(written)


def test_a_diary_taken_away_is_missed(written):
    (written / diary.DIARY).unlink()
    assert "non c'è più" in diary.check(written)


def test_lines_written_before_the_chain_are_held_by_its_first_link(tmp_path):
    (tmp_path / diary.DIARY).write_bytes(b'{"studente": "a"}\n{"studente": "b"}\n')
    assert diary.check(tmp_path) is None
    for i in range(2):
        diary.append(tmp_path, {"studente": f"s{i}"})
    assert diary.check(tmp_path) is None
    text = (tmp_path / diary.DIARY).read_bytes()
    (tmp_path / diary.DIARY).write_bytes(text.replace(b'"a"', b'"z"'))
    assert "la riga 3" in diary.check(tmp_path)


def test_a_line_cut_by_a_crash_is_closed_and_the_chain_goes_on(written):
    with (written / diary.DIARY).open("ab") as file:
        file.write(b'{"studente": "s')
    assert diary.check(written) is None
    diary.append(written, {"studente": "dopo"})
    assert diary.check(written) is None
    assert [json.loads(line)["riga"] for line in lines(written)[-1:]] == [7]


def test_a_head_left_behind_by_a_crash_is_no_alarm(written):
    old = (written / diary.HEAD).read_bytes()
    diary.append(written, {"studente": "s5"})
    (written / diary.HEAD).write_bytes(old)
    assert diary.check(written) is None
    diary.append(written, {"studente": "s6"})
    assert diary.check(written) is None


def _write_many(folder, who):
    for i in range(25):
        diary.append(folder, {"studente": who, "giro": i, "testo": "à" * 300})


def test_processes_that_write_together_keep_one_chain(tmp_path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write_many, args=(tmp_path, f"p{i}")) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert diary.check(tmp_path) is None
    records = [json.loads(line) for line in lines(tmp_path)]
    assert [r["riga"] for r in records] == list(range(1, 101))
    assert {(r["studente"], r["giro"]) for r in records} == {
        (f"p{i}", j) for i in range(4) for j in range(25)
    }


def test_a_line_longer_than_a_block_is_linked(tmp_path):
    diary.append(tmp_path, {"testo": "x" * 300_000})
    diary.append(tmp_path, {"testo": "y"})
    assert diary.check(tmp_path) is None
    assert json.loads(lines(tmp_path)[1])["riga"] == 2
