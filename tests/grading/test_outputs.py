"""Le uscite dichiarate dal box: nulla che un browser possa eseguire, nulla che non sia testo o PNG."""

from __future__ import annotations

import base64
import re
import struct
import unicodedata

import pytest

from course_lib.grading.feedback import mathml, parts_of, points
from course_lib.grading.outputs import (
    PAGE_PICTURES,
    PAGE_TEXT,
    TOO_MUCH,
    Page,
    clean_outputs,
    clean_text,
)


def png(width: int = 2, height: int = 2) -> str:
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", width, height)
    return base64.b64encode(head + b"\0" * 20).decode()


def test_text_loses_control_characters_and_colours():
    assert clean_text("a\x1b[31mrosso\x1b[0m\x07\u202eb\tc\n") == "arossob\tc\n"


def test_text_loses_what_cannot_be_seen_and_keeps_what_can():
    """Tutto ciò che Unicode dice di formato, di controllo, privato o separatore di riga."""
    seen = "a\tb\nè «x» 1\u202f000 −½ 中 🙂 ́"
    assert clean_text(seen) == seen
    kinds = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    odd = [chr(i) for i in range(0x110000) if unicodedata.category(chr(i)) in kinds]
    left = [letter for letter in odd if clean_text(letter) and letter not in "\t\n"]
    signs = ("ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN")  # di formato per Unicode, ma si vedono
    assert [hex(ord(letter)) for letter in left if not unicodedata.name(letter).startswith(signs)] == []
    assert clean_text("\u034f\u115f\u1160\u17b4\u180b\u3164\ufe0f\uffa0\U000e0100") == ""


@pytest.mark.parametrize("value", [None, 3, ["a"], {"a": 1}, b"a"])
def test_what_is_not_text_becomes_nothing(value):
    assert clean_text(value) == ""


def test_a_png_is_kept_and_everything_else_is_dropped():
    data = {
        "image/png": png(),
        "text/html": "<script>",
        "application/javascript": "x",
        "text/plain": "figura",
    }
    (kept,) = clean_outputs([{"output_type": "display_data", "data": data}])
    assert kept.data == {"image/png": png(), "text/plain": "figura"}


@pytest.mark.parametrize(
    "picture",
    [
        "<svg onload=1>",
        "data:text/html,x",
        png(0, 5),
        png(10**5, 5),
        base64.b64encode(b"GIF89a" + b"\0" * 40).decode(),
        7,
        "é",
    ],
)
def test_what_is_not_a_sensible_png_is_dropped(picture):
    assert clean_outputs([{"output_type": "display_data", "data": {"image/png": picture}}]) == []


@pytest.mark.parametrize("outputs", [None, 3, {"a": 1}, [3, None, {}], [{"output_type": "execute_result"}]])
def test_odd_outputs_never_raise(outputs):
    assert clean_outputs(outputs) == []


def test_formulas_become_mathml_but_not_inside_code():
    page = mathml("<p>vale $\\frac{q}{2}$ e costa 3$</p><code>$a$</code>")
    assert "<mfrac>" in page
    assert "costa 3$" in page
    assert "<code>$a$</code>" in page


@pytest.mark.parametrize("inside", [r"\text{%s}", r"\mathrm{%s}", r"\operatorname{%s}", "%s"])
@pytest.mark.parametrize("written", ["&lt;img src=x onerror=alert(1)&gt;", "<i>", "&amp;lt;i&amp;gt;"])
def test_a_formula_adds_no_tag_to_the_page(inside, written):
    page = mathml(f"<p>${inside % written}$</p>")
    assert "<math" in page
    assert not re.search(r"<(img|i)\b", page)


def test_symbols_of_a_formula_are_letters_of_the_page():
    page = mathml(r"<p>$a &lt; b - \alpha \text{ e } c$</p>")
    assert [sign for sign in ("&lt;", "−", "α", "\u00a0e\u00a0") if sign not in page] == []
    assert "&#" not in page


def test_a_decimal_comma_stays_inside_its_number():
    assert "0,5" in mathml("<p>$(0{,}5;\\ 1)$</p>")


def test_links_that_lead_nowhere_from_the_page_are_undone():
    page = mathml(
        '<a href="../../notebooks/02.ipynb">notebook 2</a> <a href="https://x.it">x</a> <a href="#a">a</a>'
    )
    assert page == 'notebook 2 <a href="https://x.it">x</a> <a href="#a">a</a>'


def test_a_heading_is_parted_from_its_text():
    assert parts_of("## 2 · I `punteggi`\nTesto\n") == {"titolo": "2 · I punteggi", "testo": "Testo"}
    assert parts_of("Solo testo") == {"titolo": "", "testo": "Solo testo"}


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (10.0, "10"), (7.5, "7,5"), (1 / 3, "0,333")])
def test_points_are_written_in_italian(value, text):
    assert points(value) == text


def picture(size: int = 40) -> dict:
    raw = base64.b64decode(png()) + b"\0" * size
    return {"output_type": "display_data", "data": {"image/png": base64.b64encode(raw).decode()}}


@pytest.mark.parametrize("size", [40, 700_000])
def test_pictures_are_counted_over_the_whole_page(size):
    """Sei figure a cella per venti celle: si taglia al numero, o prima ai byte."""
    page = Page()
    cells = [page.clean([picture(size)] * 6) for _ in range(20)]
    kept = [output for outputs in cells for output in outputs if output.output_type == "display_data"]
    assert 0 < len(kept) <= PAGE_PICTURES
    assert sum(len(output.data["image/png"]) for output in kept) <= 6_000_000
    assert len(kept) == (PAGE_PICTURES if size == 40 else 6)
    assert cells[0][-1] == cells[0][0]
    assert cells[-1][-1].text == TOO_MUCH


def test_text_and_errors_are_counted_over_the_whole_page():
    page = Page()
    stream = {"output_type": "stream", "name": "stdout", "text": "x" * 20_000}
    error = {"output_type": "error", "name": "E", "message": "y" * 2_000, "line": ""}
    cells = [page.clean([stream, error]) for _ in range(40)]
    text = sum(len(o.get("text", "") + "".join(o.get("traceback", []))) for cell in cells for o in cell)
    assert PAGE_TEXT * 0.9 < text < PAGE_TEXT + 40 * len(TOO_MUCH)
    assert [output.text for output in cells[-1]] == [TOO_MUCH]
