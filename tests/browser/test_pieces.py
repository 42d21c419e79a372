"""I pezzi con cui sono fatti i widget, uno per volta, in una pagina vera."""

from __future__ import annotations

import csv
import io
import math
import random
import shutil
import struct
from xml.etree import ElementTree

import pytest
from matplotlib.colors import to_rgb

from course_lib.figures import picture
from course_lib.notation import number
from course_lib.widgets import BlockPath, assets

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

LOAD = """async (text) => {
  const module = await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  window.pieces = module.default;
}"""
# i float passano come 16 cifre esadecimali: JSON non ha né −0 né gli infiniti
FORMAT = """cases => cases.map(([bits, digits, signed]) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt("0x" + bits));
  return window.pieces.formatNumber(view.getFloat64(0), digits, signed);
})"""
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def loaded(plain, tmp_path, monkeypatch):
    """Una pagina in cui `window.pieces` ha i nomi chiesti: un modulo che li usa, unito come ogni widget."""

    def load(piece, *names, page=None):
        page, offered = page or plain(), ", ".join(names)
        shutil.copytree(assets.HERE / "pieces", tmp_path / "pieces")
        text = f'import {{ {offered} }} from "./pieces/{piece}.js";\nexport default {{ {offered} }};\n'
        (tmp_path / "uno.js").write_text(text, encoding="utf-8")
        monkeypatch.setattr(assets, "HERE", tmp_path)
        page.page.evaluate(LOAD, assets.module.__wrapped__("uno"))
        return page.page

    return load


def bits(value):
    return struct.pack(">d", value).hex()


def awkward_numbers():
    """Numeri grandi e piccoli, metà esatte, interi, zeri, infiniti: sempre gli stessi."""
    rng = random.Random(20170612)
    values = [0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1.7976931348623157e308, 0.0005, 0.00049999]
    values += [k / d for k in range(-40, 41) for d in (2, 4, 8, 16, 32, 2000)]
    values += [n * 10.0**k for k in range(13, 20) for n in (1.005, 1.125, 1.375, 2.5, 9.995, 9.999)]
    values += [float(rng.randrange(-(10**6), 10**6)) for _ in range(200)]
    values += [rng.choice((-1, 1)) * rng.random() * 10.0 ** rng.randint(-9, 17) for _ in range(1500)]
    values += [round(rng.uniform(-50, 50), rng.randint(0, 4)) for _ in range(600)]
    values += [999.9995, 9999.5, -99999.5, 999999.4999, 1e15, 999999999999999.9, 1e21, 123456789.125]
    return values


def test_a_number_is_written_as_python_writes_it(loaded):
    page = loaded("numbers", "formatNumber")
    rng = random.Random(7)
    cases = []
    for v in awkward_numbers():
        cases += [(v, None, False), (v, 3, rng.random() < 0.5), (v, rng.choice((0, 1, 2, 4, 6)), True)]
    assert len(cases) > 5000
    written = page.evaluate(FORMAT, [[bits(v), digits, signed] for v, digits, signed in cases])
    wrong = [
        (v, digits, signed, ours, theirs)
        for (v, digits, signed), theirs in zip(cases, written, strict=True)
        if (ours := number(v, digits, sign=signed)) != theirs
    ]
    assert wrong == []


def test_a_missing_number_is_a_dash(loaded):
    page = loaded("numbers", "formatNumber")
    assert page.evaluate("[pieces.formatNumber(null), pieces.formatNumber(undefined, 2)]") == ["–", "–"]


def test_a_number_is_read_with_the_comma_or_with_the_point(loaded):
    page = loaded("numbers", "readNumber")
    texts = ["0,665", "0.665", "\u22122", "-2", "10\u202f000", "1e3", ",5", "3."]
    assert page.evaluate("texts => texts.map(pieces.readNumber)", texts) == [
        0.665, 0.665, -2, -2, 10000, 1000, 0.5, 3
    ]  # fmt: skip
    bad = ["", "x", "1,2,3", "1/3", "--1", "0x10", "Infinity", "1 2e"]
    assert page.evaluate("texts => texts.filter(t => !Number.isNaN(pieces.readNumber(t)))", bad) == []


def read_csv(text):
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=";"))


def test_csv_has_the_decimal_comma_and_all_the_digits(loaded):
    page = loaded("saving", "csvText")
    rows = [["nome", "valore"], ["a", 0.665240955774822], ["b", -2], ["c", 1.5e-7], ["d", None]]
    text = page.evaluate("rows => pieces.csvText(rows)", rows)
    assert text == "nome;valore\r\na;0,665240955774822\r\nb;-2\r\nc;1,5e-7\r\nd;\r\n"
    assert page.evaluate("() => pieces.csvText([[-Infinity, Infinity]])") == "−∞;∞\r\n"


def test_csv_gives_back_any_text_and_no_cell_is_a_formula(loaded):
    page = loaded("saving", "csvText")
    rng = random.Random(3)
    letters = [*'ab;",\n\r\t=+-@ è\u22121', "\r\n", '""', "=CMD()"]
    texts = ["".join(rng.choices(letters, k=rng.randint(0, 6))) for _ in range(600)]
    texts += ["=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "a=1", '=";"']
    found = read_csv(page.evaluate("texts => pieces.csvText(texts.map(t => [t, 'fine']))", texts))
    assert len(found) == len(texts)
    for text, (cell, end) in zip(texts, found, strict=True):
        assert end == "fine"
        assert cell.removeprefix("'") == text.removeprefix("'")
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
        assert cell in (text, f"'{text}")
        assert (cell == text) == (not text.startswith(("=", "+", "-", "@", "\t", "\r")))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_saved_picture_stands_alone(plain, loaded, tmp_path, theme):
    page = plain(theme=theme)
    page.add(BlockPath(predict=False))
    loaded("saving", "svgText", page=page)
    sentence = "era → chiave: q·k = 2,83; <b> & «così»"
    save = "says => pieces.svgText(document.querySelector('.cdl-stage svg'), 'Titolo & <prova>', says)"
    text = page.page.evaluate(save, sentence)
    assert "var(" not in text
    assert " class=" not in text
    assert " style=" not in text
    root = ElementTree.fromstring(text)
    assert root.find(f"{SVG}title").text == f"Titolo & <prova>. {sentence}"
    written = "".join("".join(node.itertext()) for node in root.iter(f"{SVG}text"))
    assert "2,828" in written
    assert sentence.split()[0] in written
    path = tmp_path / "figura.svg"
    path.write_text(text, encoding="utf-8")
    alone = plain()
    alone.page.goto(path.as_uri())
    assert alone.page.evaluate("document.documentElement.tagName") == "svg"
    look = "node => ['fill', 'stroke', 'fontSize', 'fontWeight'].map(name => getComputedStyle(node)[name])"
    for pick in (".cdl-strong", "[data-component]", "[data-station='1'] rect", ".cdl-rule", "[data-curve]"):
        where = page.page.locator(f".cdl-stage svg {pick}").first
        inside = where.evaluate(look)
        order = where.evaluate("node => [...node.closest('svg').querySelectorAll('*')].indexOf(node)")
        outside = alone.page.evaluate(
            f"i => ({look})(document.querySelectorAll('svg svg *')[i])", order
        )
        assert outside == inside
    back = alone.page.evaluate("getComputedStyle(document.querySelector('svg > rect')).fill")
    assert back == {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 28)"}[theme]


def test_a_shade_is_that_of_the_figures(loaded):
    page = loaded("colors", "shade")
    values = [k / 500 for k in range(-650, 651)]
    found = page.evaluate("values => values.map(v => pieces.shade(v, 1))", values)
    for value, ours in zip(values, found, strict=True):
        rgb = [int(c) for c in ours["fill"].removeprefix("rgb(").rstrip(")").split(",")]
        fill, ink = picture.shade(value, 1)
        full = to_rgb(picture.NEGATIVE if value < 0 else picture.POSITIVE)
        part = min(1, abs(value))
        assert rgb == pytest.approx([255 + part * 255 * (c - 1) for c in full], abs=0.51)
        assert rgb == pytest.approx([255 * c for c in to_rgb(fill)], abs=2.1)   # là i gradini sono 256
        light = picture.luminance([c / 255 for c in rgb])
        assert ours["ink"] == ink or abs(light - 0.183) < 0.01
        ratio = 1.05 / (light + 0.05) if ours["ink"] == "#FFFFFF" else (light + 0.05) / 0.05
        assert ratio >= 4.5
    halves = page.evaluate("[pieces.shade(3, 6), pieces.shade(0.5, 1), pieces.shade(0, 0)]")
    assert halves[0] == halves[1]
    assert halves[2]["fill"] == "rgb(255,255,255)"


def test_the_theme_follows_jupyter_then_vscode_then_the_system(loaded):
    page = loaded("theme", "followTheme")
    page.evaluate("""() => {
      delete document.body.dataset.jpThemeLight;
      window.root = document.createElement("div");
      window.stop = pieces.followTheme(window.root);
    }""")
    dark = "window.root.dataset.theme"

    def becomes(theme):
        page.wait_for_function(f"{dark} === '{theme}'")

    becomes("light")
    page.emulate_media(color_scheme="dark")
    becomes("dark")
    page.evaluate("document.body.classList.add('vscode-light')")
    becomes("light")
    page.evaluate("document.body.className = 'vscode-dark'")
    becomes("dark")
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    becomes("light")
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    becomes("dark")
    page.evaluate("window.stop(); document.body.dataset.jpThemeLight = 'true'")
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.evaluate(dark) == "dark"


@pytest.fixture
def modules(tmp_path, monkeypatch):
    """Una cartella di moduli al posto di quella dei widget."""
    monkeypatch.setattr(assets, "HERE", tmp_path)
    (tmp_path / "pieces").mkdir()

    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.js").write_text(text, encoding="utf-8")
        return assets.module.__wrapped__("uno")

    return write


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("function draw() {}\n", "export function draw() {}\n"),
        ("const draw = 1;\n", "export async function draw() {}\n"),
        ("let draw;\n", "class draw {}\n"),
        ("const [left, draw] = [1, 2];\n", "const draw = 1;\n"),
        ("const { left: draw } = { left: 2 };\n", "const draw = 1;\n"),
        ("const [draw] = [2];\n", "export const [top, draw] = [1, 2];\n"),
    ],
)
def test_two_modules_with_one_name_are_refused(modules, first, second):
    with pytest.raises(ValueError, match="«draw»"):
        modules(uno=f'import {{ b }} from "./due.js";\n{first}', due=f"{second}export const b = 1;\n")


def test_a_module_used_twice_is_there_once_and_before_its_users(modules, plain):
    text = modules(
        uno='import { b } from "./due.js";\nimport { c } from "./tre.js";\n// via\nexport default [b, c];\n',
        due='import { c } from "./tre.js";\nexport const b = c + 1;\n',
        tre="  // anche questo\nexport const c = 1;\nfunction own() {\n  const b = 5;\n  return b;\n}\n",
    )
    assert text.count("const c=1;") == 1
    assert "import" not in text
    assert "via" not in text
    page = plain().page
    page.evaluate(LOAD, text)
    assert page.evaluate("window.pieces") == [2, 1]
