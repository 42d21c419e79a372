"""Figure: gli stessi byte ovunque, testo alternativo, riassunto con i numeri, nulla fuori dal foglio."""

import base64
import importlib
import io
import os
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from course_lib.figures import attention as figures
from course_lib.figures import picture
from course_lib.figures.attention import heat_map, mean_in_plane, worked_table
from tests.figures.conftest import drawn, no_text_overlaps_or_leaves_the_sheet

E = np.e
WEIGHTS = np.array([E**2, 1.0, E]) / (E**2 + 1 + E)
VALUES = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
TOKENS = ("chiave", "libri", "era")


def make_heat_map():
    return heat_map([WEIGHTS], ["era"], TOKENS, title="«era» guarda «chiave»", subtitle="numeri inventati")


def make_worked_table():
    return worked_table(
        "era",
        TOKENS,
        query=[2**0.5, 0.0],
        keys=[[2.0, 0.0], [0.0, 0.0], [1.0, 0.0]],
        products=[2 * 2**0.5, 0.0, 2**0.5],
        scores=[2.0, 0.0, 1.0],
        exponentials=[E**2, 1.0, E],
        weights=WEIGHTS,
        values=VALUES,
        terms=WEIGHTS[:, None] * VALUES,
        output=WEIGHTS @ VALUES,
    )


def make_mean_in_plane():
    return mean_in_plane("era", TOKENS, values=VALUES, weights=WEIGHTS, output=WEIGHTS @ VALUES)


MAKERS = [make_heat_map, make_worked_table, make_mean_in_plane]
KEY_NUMBERS = {
    make_heat_map: ["«era» guarda «chiave»", "0,665", "0,090", "0,245", "1,000", "chiave", "libri"],
    make_worked_table: ["0,665", "0,090", "0,245", "2,000", "7,389", "11,107", "(0,788; 0,212)"],
    make_mean_in_plane: ["0,665 × (1; 0)", "0,090 × (0; 1)", "0,245 × (0,5; 0,5)", "(0,788; 0,212)"],
}


@pytest.mark.parametrize("make", MAKERS)
def test_bundle(make):
    figure = make()
    data, metadata = figure._repr_mimebundle_()
    assert set(data) == {"image/png", "text/plain"}
    png = base64.b64decode(data["image/png"], validate=True)
    assert png == figure.png
    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    details = metadata["image/png"]
    assert set(details) == {"alt", "width", "height"}
    assert details["width"] <= 850
    assert image.width == pytest.approx(2 * details["width"], abs=2)
    assert image.height == pytest.approx(2 * details["height"], abs=2)
    for text in (data["text/plain"], details["alt"]):
        assert [part for part in KEY_NUMBERS[make] if part not in text and part != "1,000"] == []
    assert repr(figure) == data["text/plain"]


@pytest.mark.parametrize("make", MAKERS)
def test_same_bytes_again(make):
    assert make().png == make().png


def test_same_bytes_with_other_preferences(tmp_path):
    """In un altro processo, con un matplotlibrc della persona che cambia caratteri, colori e risoluzione."""
    (tmp_path / "matplotlibrc").write_text(
        "font.family: serif\nfont.size: 30\nsavefig.dpi: 50\nsavefig.bbox: tight\nsavefig.transparent: True\n"
        "text.color: red\nfigure.facecolor: black\naxes.grid: True\nsavefig.pad_inches: 2\n",
        encoding="utf-8",
    )
    program = (
        "import hashlib\nfrom tests.figures.test_figures import MAKERS\n"
        "print([hashlib.sha256(make().png).hexdigest() for make in MAKERS])"
    )
    digests = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, **extra},
        ).stdout
        for extra in ({}, {"MPLCONFIGDIR": str(tmp_path), "MATPLOTLIBRC": str(tmp_path / "matplotlibrc")})
    ]
    assert digests[0] == digests[1]


@pytest.mark.parametrize("make", MAKERS)
def test_png_carries_no_notes(make):
    assert b"tEXt" not in make().png
    assert b"tIME" not in make().png


@pytest.mark.parametrize("make", MAKERS)
def test_preferences_of_the_reader_are_left_alone(make):
    import matplotlib as mpl

    with mpl.rc_context({"font.size": 23, "text.color": "red"}):
        make()
        assert mpl.rcParams["font.size"] == 23
        assert mpl.rcParams["text.color"] == "red"


def long_title_heat_map():
    return heat_map(np.eye(2), ["a", "b"], title="un titolo che non sta in una riga sola " * 3)


def many_tokens_heat_map():
    return heat_map(np.full((9, 9), 1 / 9), [f"token{i}" for i in range(9)], title="Nove token")


def signed_heat_map():
    return heat_map([[1.5, -0.25], [0.0, -2.0]], ["a", "b"], title="Con il segno")


def four_tokens_in_plane():
    weights = np.exp([2.0, 0.0, 1.0, 0.0]) / np.exp([2.0, 0.0, 1.0, 0.0]).sum()
    values = np.vstack([VALUES, [0.0, 0.5]])
    return mean_in_plane("era", [*TOKENS, "accanto"], values=values, weights=weights, output=weights @ values)


def negative_values_in_plane():
    return mean_in_plane(
        "a", ["a", "b"], values=[[-1.0, 2.0], [3.0, -0.5]], weights=[0.5, 0.5], output=[1.0, 0.75]
    )


@pytest.mark.parametrize(
    "make",
    [
        *MAKERS,
        long_title_heat_map,
        many_tokens_heat_map,
        signed_heat_map,
        four_tokens_in_plane,
        negative_values_in_plane,
    ],
)
def test_no_text_overlaps_or_leaves_the_sheet(make, monkeypatch):
    figure, _ = drawn(figures, make, monkeypatch)
    assert no_text_overlaps_or_leaves_the_sheet(figure) > 0


def shown_texts(make, monkeypatch):
    figure, _ = drawn(figures, make, monkeypatch)
    return [t.get_text() for axes in figure.axes for t in axes.texts]


def test_heat_map_says_axes_sums_and_signs(monkeypatch):
    texts = shown_texts(signed_heat_map, monkeypatch)
    assert {"chi guarda (query) ↓", "chi è guardato (key) →", "Σ"} <= set(texts)
    assert {"+1,500", "−0,250", "0,000", "−2,000", "1,250"} <= set(texts)


def test_heat_map_of_something_else_names_its_own_axes(monkeypatch):
    def make():
        return heat_map(np.eye(2), ["a", "b"], title="t", row_axis="risultato di", column_axis="cambiata")

    texts = shown_texts(make, monkeypatch)
    assert {"risultato di (query) ↓", "cambiata (key) →"} <= set(texts)
    assert not [text for text in texts if "guarda" in text]
    summary = make()._repr_mimebundle_()[0]["text/plain"]
    assert "risultato di ↓" in summary
    assert "cambiata →" in summary
    assert "guarda" not in summary


def test_an_exact_zero_can_be_told_from_a_rounded_one(monkeypatch):
    def make():
        values, options = [[0.0, 0.001], [0.5, 1.0]], {"digits": 2, "total": False, "exact_zeros": True}
        return heat_map(values, ["a", "b"], title="t", **options)

    texts = shown_texts(make, monkeypatch)
    assert texts.count("0") == texts.count("0,00") == 1
    data, metadata = make()._repr_mimebundle_()
    assert data["text/plain"].splitlines()[-2].split() == ["a", "0", "0,00"]
    assert "a → a 0, b 0,00;" in metadata["image/png"]["alt"]


def test_heat_map_of_coefficients_has_no_sign(monkeypatch):
    assert {"0,665", "0,090", "0,245", "1,000"} <= set(shown_texts(make_heat_map, monkeypatch))


def test_worked_table_shows_every_step(monkeypatch):
    texts = shown_texts(make_worked_table, monkeypatch)
    assert {
        "2,828",
        "1,414",
        "2,000",
        "7,389",
        "11,107",
        "0,665",
        "(0,665; 0,000)",
        "z = (0,788; 0,212)",
    } <= set(texts)


def test_plane_puts_z_at_the_end_of_the_path(monkeypatch):
    figure, _ = drawn(figures, make_mean_in_plane, monkeypatch)
    path = figure.axes[1].lines[0].get_xydata()
    assert path[0].tolist() == [0.0, 0.0]
    assert path[-1] == pytest.approx(WEIGHTS @ VALUES, abs=1e-12)
    assert path[1] == pytest.approx([WEIGHTS[0], 0.0], abs=1e-12)


def test_titles_state_the_finding():
    assert make_worked_table().summary.startswith("«era» guarda soprattutto «chiave»: coefficiente 0,665")
    assert (
        figures._most_attended("x", ["a", "b"], [0.5, 0.5])
        == "«x» guarda tutti allo stesso modo: 0,500 ciascuno"
    )


@pytest.mark.parametrize("largest", [1.0, 4.0])
def test_cell_colours(largest):
    white, ink = picture.shade(0.0, largest)
    assert [round(c, 2) for c in white[:3]] == [1, 1, 1]
    assert ink == "#000000"
    for value in np.linspace(-largest, largest, 41):
        fill, ink = picture.shade(value, largest)
        lighter, darker = sorted((picture.luminance(fill), picture.luminance(ink)), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5
    assert picture.shade(largest, largest)[0][2] > 0.6  # blu
    assert picture.shade(-largest, largest)[0][0] > 0.6  # rosso


@pytest.mark.parametrize("module", ["attention", "picture"])
def test_figures_do_not_import_the_reference(module):
    program = (
        f"import sys, course_lib.figures.{module}\n"
        "print([n for n in sys.modules if n.startswith('course_lib.transformer') or n.endswith('.pyplot')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert importlib.import_module(f"course_lib.figures.{module}").__doc__


def test_save(tmp_path):
    figure = make_heat_map()
    figure.save(tmp_path / "mappa.png")
    assert (tmp_path / "mappa.png").read_bytes() == figure.png
