"""Gli zip ostili, uno per genere: una frase ciascuno, e le altre consegne vanno avanti."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib

import pytest

from course_lib.grading import archives
from course_lib.grading.collection import collect

GOOD = {"Buona Bea_9_assignsubmission_file/es02.ipynb": b"bea"}
MINE = "Mia Marta_1_assignsubmission_file/"


def build(members: dict[str | zipfile.ZipInfo, bytes], method=zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def special(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, mode << 16
    return info


def gather(tmp_path, data: bytes, name="classe.zip"):
    """Una cartella con uno zip ostile e, accanto, la consegna di Bea."""
    folder = tmp_path / "arrivi"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    (folder / name).write_bytes(data)
    (folder / "es02 - Buona Bea.ipynb").write_bytes(b"bea")
    found, said = collect(folder, "es02")
    assert {s.student: s.raw for s in found}.pop("buona-bea") == b"bea"
    assert {p.name for p in tmp_path.rglob("*")} == {"arrivi", name, "es02 - Buona Bea.ipynb"}
    return {s.student: s for s in found if s.student != "buona-bea"}, said


@pytest.mark.parametrize(
    ("member", "said"),
    [
        ("../" + MINE + "es02.ipynb", "percorso che esce dallo zip"),
        ("a/../../" + MINE + "es02.ipynb", "percorso che esce dallo zip"),
        ("/" + MINE + "es02.ipynb", "percorso che esce dallo zip"),
        ("C:\\" + MINE + "es02.ipynb", "percorso che esce dallo zip"),
        ("..\\" + MINE + "es02.ipynb", "percorso che esce dallo zip"),
        (MINE + "es02.ipynb:nascosto.ipynb", "percorso che esce dallo zip"),
        (MINE + "NUL.ipynb", "dispositivo di Windows"),
        ("com1/" + MINE + "es02.ipynb", "dispositivo di Windows"),
        (MINE + "a\x1b[2Jes02.ipynb", "caratteri di controllo"),
        ("x" * 2_000 + "/es02.ipynb", "troppo lungo"),
        (special(MINE + "es02.ipynb", stat.S_IFLNK | 0o777), "collegamento o un file speciale"),
        (special(MINE + "es02.ipynb", stat.S_IFCHR | 0o666), "collegamento o un file speciale"),
        (special(MINE + "es02.ipynb", stat.S_IFIFO | 0o666), "collegamento o un file speciale"),
    ],
    ids=str,
)
def test_a_bad_entry_is_refused_and_the_others_of_the_archive_are_read(tmp_path, member, said):
    found, sentences = gather(
        tmp_path, build({member: b"/etc/passwd", "Vera Vita_2_assignsubmission_file/es02.ipynb": b"v"})
    )
    assert {student: s.raw for student, s in found.items()} == {"vera-vita": b"v"}
    (sentence,) = sentences
    assert said in sentence
    assert "\x1b" not in sentence


def test_ordinary_modes_and_windows_separators_are_fine(tmp_path):
    data = build({special("Mia Marta_1_assignsubmission_file\\es02.ipynb", stat.S_IFREG | 0o644): b"1"})
    found, said = gather(tmp_path, data)
    assert (found["mia-marta"].raw, said) == (b"1", [])


@pytest.mark.parametrize("encoding", ["flagged", "utf-8", "cp437"])
def test_names_in_utf8_and_in_cp437_are_read(tmp_path, encoding):
    """Con il segno di UTF-8; in UTF-8 senza il segno, come dal Mac; nella vecchia codifica di DOS."""
    name = "Però Niccolò_1_assignsubmission_file/es02.ipynb"
    if encoding == "flagged":
        data = build({name: b"1"})
    else:
        raw = name.encode(encoding)
        data = build({"x" * len(raw): b"1"}).replace(b"x" * len(raw), raw)
    found, _ = gather(tmp_path, data)
    assert found["pero-niccolo"].name == "Però Niccolò"


def test_an_entry_that_appears_twice_is_refused(tmp_path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(MINE + "es02.ipynb", b"1")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr(MINE + "es02.ipynb", b"2")
        archive.writestr("Vera Vita_2_assignsubmission_file/es02.ipynb", b"v")
    found, sentences = gather(tmp_path, buffer.getvalue())
    assert {s: v.raw for s, v in found.items()} == {"vera-vita": b"v"}
    assert "lo stesso nome di un'altra" in sentences[0]


def test_an_encrypted_entry_is_said(tmp_path):
    data = bytearray(build({MINE + "es02.ipynb": b"1"}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    found, said = gather(tmp_path, bytes(data))
    assert found == {}
    assert "protetta da una password" in said[0]


def change(data: bytes, central: int, value: int, form="<I", local: int | None = None) -> bytes:
    data = bytearray(data)
    struct.pack_into(form, data, data.index(b"PK\x01\x02") + central, value)
    if local is not None:
        struct.pack_into(form, data, data.index(b"PK\x03\x04") + local, value)
    return bytes(data)


@pytest.mark.parametrize("declared", [3, 999])
def test_an_entry_that_lies_on_its_size_is_unreadable_for_that_pupil(tmp_path, declared):
    data = change(build({MINE + "es02.ipynb": b"x" * 500}), 24, declared, local=22)
    found, _ = gather(tmp_path, data)
    assert "dichiara" in found["mia-marta"].refused.message
    assert found["mia-marta"].raw == b""


def test_a_zip64_size_beyond_any_notebook_is_refused_before_reading(tmp_path, monkeypatch):
    extra = struct.pack("<HHQ", 1, 8, 1 << 60)
    info = zipfile.ZipInfo(MINE + "es02.ipynb")
    data = build({info: b"x"})
    directory = data.index(b"PK\x01\x02")
    name = len(info.filename)
    lying = bytearray(data)
    struct.pack_into("<I", lying, directory + 24, 0xFFFFFFFF)
    struct.pack_into("<H", lying, directory + 30, len(extra))
    lying[directory + 46 + name : directory + 46 + name] = extra
    end = lying.rindex(b"PK\x05\x06")
    struct.pack_into("<I", lying, end + 12, struct.unpack_from("<I", lying, end + 12)[0] + len(extra))
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *a, **k: pytest.fail("non va nemmeno aperta"))
    found, _ = gather(tmp_path, bytes(lying))
    assert "supera 20 MB" in found["mia-marta"].refused.message


def test_a_zip64_directory_that_points_nowhere_is_said(tmp_path):
    data = build({MINE + "es02.ipynb": b"x"})
    end = data.rindex(b"PK\x05\x06")
    record = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 1 << 40, 1 << 40, 1 << 50, 1 << 50)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, end, 1)
    found, said = gather(tmp_path, data[:end] + record + locator + data[end:])
    assert found == {}
    assert "non è uno zip leggibile" in said[0]


def test_a_bomb_of_one_entry_is_refused_by_its_size(tmp_path):
    found, _ = gather(tmp_path, build({MINE + "es02.ipynb": bytes(60 * 2**20)}))
    assert "supera 20 MB" in found["mia-marta"].refused.message


def test_a_bomb_that_hides_its_size_is_cut_short(tmp_path):
    data = change(build({MINE + "es02.ipynb": bytes(60 * 2**20)}), 24, 10, local=22)
    found, _ = gather(tmp_path, data)
    assert "non è lungo quanto dichiara" in found["mia-marta"].refused.message


def test_overlapping_entries_are_refused(tmp_path):
    """Come nella bomba di Fifield: molte voci del catalogo indicano gli stessi byte."""
    data = build({f"P{i} P_{i}_assignsubmission_file/es02.ipynb": b"x" * 1_000 for i in range(3)})
    overlapping, place = bytearray(data), data.index(b"PK\x01\x02")
    for _ in range(3):
        struct.pack_into("<I", overlapping, place + 42, 0)
        place = data.find(b"PK\x01\x02", place + 4)
    found, said = gather(tmp_path, bytes(overlapping))
    assert found == {}
    assert "voci sovrapposte" in said[0]


def nested(levels: int, payload: bytes) -> bytes:
    for _ in range(levels):
        payload = build({"dentro.zip": payload})
    return payload


def test_archives_in_archives_have_an_end(tmp_path):
    note = build({"es02 - Nina Nidi.ipynb": b"n"})
    assert gather(tmp_path, nested(2, note))[0]["nina-nidi"].raw == b"n"
    found, said = gather(tmp_path, nested(3, note))
    assert found == {}
    assert "dentro più di 2 altri zip" in said[0]


def test_a_nested_bomb_spends_its_own_budget_only(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_PUPIL", 50 * 2**20)
    bomb = build({f"es02 - P{i:02}.ipynb": bytes(15 * 2**20) for i in range(8)})
    data = build({MINE + "es02.zip": bomb, "Vera Vita_2_assignsubmission_file/es02.ipynb": b"v"})
    found, said = gather(tmp_path, data)
    assert found["vera-vita"].raw == b"v"
    refused = found["mia-marta"].refused or said
    assert "molti più dati" in str(refused)


def test_ten_thousand_entries_are_read_and_a_hundred_thousand_are_not(tmp_path):
    many = {f"cartella/{i}.txt": b"" for i in range(9_999)}
    found, said = gather(tmp_path, build({**many, MINE + "es02.ipynb": b"1"}, zipfile.ZIP_STORED))
    assert found["mia-marta"].raw == b"1"
    assert "e altri 9996 non è" in said[0]
    entry = (
        struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", 20, 3, 20, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
        + b"x"
    )
    count = 100_000
    end = struct.pack(
        "<4s4H2LH", b"PK\x05\x06", 0, 0, count & 0xFFFF, count & 0xFFFF, len(entry) * count, 0, 0
    )
    found, said = gather(tmp_path, entry * count + end)
    assert found == {}
    assert "più di 20\N{NARROW NO-BREAK SPACE}000 voci" in said[0]


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x05\x06" + bytes(17), zlib.compress(b"x"), bytes(100_000)])
def test_what_is_no_archive_at_all_is_said(tmp_path, data):
    found, said = gather(tmp_path, data)
    assert found == {}
    assert "non è uno zip leggibile" in said[0]


def test_an_empty_archive_is_said(tmp_path):
    found, said = gather(tmp_path, build({}))
    assert "non c'è nessun notebook" in said[0]
    found, _ = gather(tmp_path, build({}), "Mia Marta_1_assignsubmission_file_es02.zip")
    assert "non c'è nessun notebook" in found["mia-marta"].refused.message


def pupil_zip(**files: bytes) -> bytes:
    return build({"es02.ipynb": b"1", **files}, zipfile.ZIP_STORED)


@pytest.mark.parametrize("on_disk", [True, False])
def test_one_archive_full_of_entries_does_not_refuse_that_of_the_class(tmp_path, on_disk):
    """Gli zip di una classe non si ricomprimono: le firme delle voci di ciascuno vi si leggono intatte."""
    members = {
        MINE + "tanti.zip": build({f"{i}.py": b"" for i in range(20_001)}, zipfile.ZIP_STORED),
        "Vera Vita_2_assignsubmission_file/es02.zip": pupil_zip(appunti=b"PK\1\2" * 20_001),
    }
    data = build(members, zipfile.ZIP_STORED)
    found, _ = gather(tmp_path, data if on_disk else build({"tutto.zip": data}, zipfile.ZIP_STORED))
    assert found["vera-vita"].raw == b"1"
    assert "più di 20\N{NARROW NO-BREAK SPACE}000 voci" in found["mia-marta"].refused.message


def test_the_signatures_of_a_directory_are_counted_across_the_pieces_read(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_ENTRIES", 50)
    for chunk in (1, 2, 3, 4, 5, 47):
        monkeypatch.setattr(archives, "CHUNK", chunk)
        for count in (50, 51):
            data = build({f"{i:02}": b"PK\1\2" for i in range(count)})
            assert archives._entries_in(data) == count
            (tmp_path / "a.zip").write_bytes(data)
            assert archives._entries_in(tmp_path / "a.zip") == count


@pytest.mark.parametrize("fault", [ValueError, KeyError, OSError, AttributeError])
def test_a_fault_of_the_course_is_not_blamed_on_the_archive(fault):
    with pytest.raises(fault, match="nostro"), archives.opened(build({"a": b""})):
        raise fault("nostro")


def test_nested_archives_of_one_pupil_spend_one_budget(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_PUPIL", 30 * 2**20)
    inner = {f"{i}.zip": build({f"es02 - P{i}.ipynb": bytes(8 * 2**20)}) for i in range(6)}
    (tmp_path / "classe.zip").write_bytes(build({MINE + "es02.zip": build(inner)}))
    found, _ = collect(tmp_path, "es02")
    read = [submission for submission in found if submission.refused is None]
    assert [len(submission.raw) for submission in read] == [8 * 2**20] * 3
    assert all("molti più dati" in s.refused.message for s in found if s not in read)
