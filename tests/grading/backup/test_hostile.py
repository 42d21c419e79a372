"""Le copie che non si ripristinano: ostili, tagliate, alterate, di altre versioni. Non si scrive nulla."""

from __future__ import annotations

import dataclasses
import gzip
import tarfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from course_lib import cli
from course_lib.cli import back_up
from course_lib.grading.backup import checking, restoring, rotation
from course_lib.grading.backup.index import INDEX
from course_lib.grading.backup.making import make
from course_lib.grading.backup.restoring import restore
from course_lib.project import CorsoError
from tests.grading.backup.samples import (
    HONEST,
    changed_index,
    entry,
    exchange,
    forge,
    member,
    small_course,
)

GOOD = [member("registro", None), member("registro/a")]
OUT = "che porterebbe fuori dalla cartella"
FOREIGN = "non fa parte di una copia"


def with_file(name: str, **changes) -> tuple[list, list]:
    """I membri e l'indice di una copia con un file in più, d'accordo fra loro."""
    return [*GOOD, member(name)], [*HONEST, entry(name, **changes)]


def link(kind: bytes, target: str) -> tuple:
    return member("registro/a", b"", type=kind, linkname=target)


HOSTILE = {
    "un percorso assoluto": (*with_file("/tmp/uscita-di-prova"), OUT),
    "due punti": (*with_file("registro/../../uscita"), OUT),
    "due punti in fondo": (*with_file("registro/.."), OUT),
    "un nome vuoto": (*with_file("registro//a"), OUT),
    "un punto": (*with_file("registro/./b"), OUT),
    "un altro posto": (*with_file("corso.py"), FOREIGN),
    "una cartella che non esiste": (*with_file("registro/x/a"), "o prima della sua cartella"),
    "dentro un file": (*with_file("registro/a/b"), "o prima della sua cartella"),
    "un file eseguito come root": (*with_file("registro/b", mode=0o4755), "ha permessi speciali"),
    "registro è un file": ([member("registro")], [entry("registro")], FOREIGN),
    "un collegamento fuori": ([GOOD[0], link(tarfile.SYMTYPE, "/etc/passwd")], HONEST, "è un collegamento"),
    "un collegamento dentro": ([GOOD[0], link(tarfile.SYMTYPE, "b")], HONEST, "è un collegamento"),
    "un collegamento fisico": ([GOOD[0], link(tarfile.LNKTYPE, "/etc/passwd")], HONEST, "è un collegamento"),
    "un dispositivo": ([GOOD[0], link(tarfile.CHRTYPE, "")], HONEST, "è un dispositivo"),
    "un tubo": ([GOOD[0], link(tarfile.FIFOTYPE, "")], HONEST, "è un dispositivo"),
    "due volte nel tar": ([*GOOD, GOOD[1]], HONEST, "compare due volte"),
    "due volte nell'indice": (GOOD, [*HONEST, HONEST[1]], "compare due volte"),
    "byte cambiati": ([GOOD[0], member("registro/a", b"y")], HONEST, "non è quello che dice l'indice"),
    "byte in più": ([GOOD[0], member("registro/a", b"xx")], HONEST, "non è quello che dice l'indice"),
    "manca un file": (GOOD[:1], HONEST, "«registro/a» non è quello che dice l'indice"),
    "un file di troppo": ([*GOOD, member("registro/b")], HONEST, "«registro/b» non è quello che dice"),
    "una cartella al posto": ([GOOD[0], member("registro/a", None)], HONEST, "non è quello che dice"),
    "nessun indice": (GOOD, None, "manca l'indice"),
    "un indice che non è JSON": (GOOD, b"{", "il suo indice non si legge"),
    "un indice profondo": (GOOD, b"[" * 100_000, "il suo indice non si legge"),
    "un indice a metà": (GOOD, changed_index(contiene=[{"name": "registro"}]), "il suo indice è incompleto"),
    "un indice di altri tipi": (
        GOOD, changed_index(contiene=[dataclasses.asdict(HONEST[0]) | {"mode": "rw"}]), "è incompleto",
    ),
    "un'ora impossibile": (GOOD, changed_index(contiene=[vars(HONEST[0]) | {"time": 2**80}]), "è incompleto"),
    "un utente impossibile": (GOOD, changed_index(contiene=[vars(HONEST[0]) | {"uid": -1}]), "è incompleto"),
    "un'altra versione": (GOOD, changed_index(formato=2), "La copia è del formato 2, e questa versione"),
    "un indice collegato": (
        [*GOOD, member(INDEX, b"", type=tarfile.SYMTYPE, linkname="/etc/passwd")], None, "è un collegamento",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_copy_is_refused_before_a_byte_is_written(tmp_path, case):
    members, index, expected = HOSTILE[case]
    copy = forge(tmp_path / "copia.tar.gz", members, index)
    assert_refused(tmp_path, copy, expected)


def assert_refused(tmp_path: Path, copy: Path, expected: str) -> None:
    course = tmp_path / "corso"
    course.mkdir(exist_ok=True)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(CorsoError) as caught:
        restore(copy, course)
    assert expected in str(caught.value)
    assert str(caught.value).count("\n") == 0
    assert sorted(tmp_path.iterdir()) == before
    assert list(course.iterdir()) == []
    assert not Path("/tmp/uscita-di-prova").exists()


def test_the_honest_copy_of_these_tests_is_taken(tmp_path):
    copy = forge(tmp_path / "copia.tar.gz", GOOD, HONEST)
    restore(copy, tmp_path / "corso")
    assert (tmp_path / "corso/registro/a").read_bytes() == b"x"


def test_nothing_may_follow_the_index(tmp_path):
    copy = forge(tmp_path / "copia.tar.gz", GOOD, HONEST, [member("registro/b")])
    assert_refused(tmp_path, copy, "viene dopo l'indice")


def test_nothing_may_follow_the_archive(tmp_path):
    copy = forge(tmp_path / "copia.tar.gz", GOOD, HONEST)
    copy.write_bytes(copy.read_bytes() + gzip.compress(b"altro", mtime=0))
    assert_refused(tmp_path, copy, "dopo la fine c'è altro")


@pytest.fixture(scope="module")
def real(tmp_path_factory) -> bytes:
    """Una copia vera, in byte."""
    folder = tmp_path_factory.mktemp("vera")
    made = make(small_course(folder / "corso"), folder / "copie", exchange=exchange(folder / "scambio"))
    return made.path.read_bytes()


@pytest.mark.parametrize("kept", [0, 1, 12, 200, 0.3, 0.6, 0.95, -9, -1])
def test_a_truncated_copy_is_refused(tmp_path, real, kept):
    size = int(len(real) * kept) if isinstance(kept, float) else kept
    copy = tmp_path / "copia.tar.gz"
    copy.write_bytes(real[:size])
    assert_refused(tmp_path, copy, "La copia è rovinata")


@pytest.mark.parametrize("where", [0.05, 0.2, 0.4, 0.6, 0.8, 0.97])
def test_an_altered_byte_is_seen_wherever_it_is(tmp_path, real, where):
    data = bytearray(real)
    data[int(len(data) * where)] ^= 0x10
    copy = tmp_path / "copia.tar.gz"
    copy.write_bytes(bytes(data))
    assert_refused(tmp_path, copy, "La copia è rovinata")


def test_an_altered_byte_is_seen_even_when_gzip_agrees(tmp_path, real):
    """Chi altera un file e ricomprime: lo dice la sua impronta; e se cambia l'indice, quella della copia."""
    plain = gzip.decompress(real)
    assert plain.count(b'"riga di prova": 1') == 1
    copy = tmp_path / "copia.tar.gz"
    copy.write_bytes(gzip.compress(plain.replace(b'"riga di prova": 1', b'"riga di prova": 9')))
    assert_refused(tmp_path, copy, "«registro/diario.jsonl» non è quello che dice l'indice")


def test_the_digest_beside_the_copy_counts(tmp_path, real):
    copy = tmp_path / "copia.tar.gz"
    copy.write_bytes(real)
    rotation.beside(copy).write_text(f"{'0' * 64}  {copy.name}\n", encoding="utf-8")
    assert_refused(tmp_path, copy, "la sua impronta non è quella scritta in copia.tar.gz.sha256")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 uno zip", b"\x1f\x8b", gzip.compress(b"testo", mtime=0)])
def test_what_is_not_a_copy_is_refused(tmp_path, data):
    copy = tmp_path / "copia.tar.gz"
    copy.write_bytes(data)
    assert_refused(tmp_path, copy, "La copia è rovinata")


def test_a_length_that_lies_is_seen(tmp_path):
    header = tarfile.TarInfo("registro/b")
    header.size = 10 * 10**12
    copy = tmp_path / "copia.tar.gz"
    copy.write_bytes(gzip.compress(header.tobuf(tarfile.PAX_FORMAT) + bytes(1_000)))
    assert_refused(tmp_path, copy, "La copia è rovinata")


def test_a_copy_that_does_not_fit_is_refused_before_it_fills_the_disk(tmp_path, real, monkeypatch):
    copy = tmp_path / "copia.tar.gz"
    copy.write_bytes(real)
    monkeypatch.setattr(restoring.shutil, "disk_usage", lambda folder: SimpleNamespace(free=1_000))
    assert_refused(tmp_path, copy, "lo spazio libero non basta: ne servono 1 MB")


def test_a_copy_changed_while_it_is_read_leaves_nothing(tmp_path, real, monkeypatch):
    copy = tmp_path / "copia.tar.gz"
    copy.write_bytes(real)
    check = checking.check

    def then_altered(file):
        index = check(file)
        plain = gzip.decompress(real).replace(b'"riga di prova": 1', b'"riga di prova": 9')
        copy.write_bytes(gzip.compress(plain))
        return index

    monkeypatch.setattr(checking, "check", then_altered)
    assert_refused(tmp_path, copy, "è cambiata mentre la leggevo")


def test_the_command_says_it_in_one_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(back_up, "project_root", lambda: tmp_path / "corso")
    copy = forge(tmp_path / "copia.tar.gz", *with_file("registro/../\x1b[31mrosso\n"))
    for option in ("--verifica", "--ripristina"):
        assert cli.main(["copia", option, str(copy)]) == 1
        out, err = capsys.readouterr()
        assert (out, err.count("\n"), "\x1b" in err) == ("", 1, False)
        assert err.startswith("corso copia: Nella copia «registro/../?[31mrosso?» ha un nome")


def test_an_index_is_small_enough_to_be_read(tmp_path, monkeypatch):
    monkeypatch.setattr(checking, "MOST_BYTES", 100)
    copy = forge(tmp_path / "copia.tar.gz", GOOD, HONEST)
    assert_refused(tmp_path, copy, "il suo indice è troppo grande")
