"""Virgola decimale, spazi sottili, assi con un nome."""

import math

import numpy as np
import pytest

from course_lib import notation
from course_lib.notation import array_text, number, read_number, table, vector

NUMBERS = [
    ((0.665241,), "0,665"),
    ((0.665241, 2), "0,67"),
    ((2.0,), "2"),
    ((2, 3), "2,000"),
    ((2,), "2"),
    ((0.5,), "0,5"),
    ((-1234.5, 2), "−1234,50"),
    ((65504,), "65\u202f504"),
    ((12288.25, 1), "12\u202f288,2"),
    ((1234567,), "1\u202f234\u202f567"),
    ((0.5, 2, True), "+0,50"),
    ((-0.5, 2, True), "−0,50"),
    ((0.0, 2, True), "0,00"),
    ((-0.0004, 3), "0,000"),
    ((-0.0004,), "−4,00·10⁻⁴"),
    ((3.0e-17,), "3,00·10⁻¹⁷"),
    ((0.0,), "0"),
    ((1e300, 3), "1,00·10³⁰⁰"),
    ((math.nan,), "NaN"),
    ((-math.inf,), "−∞"),
    ((np.float32(0.1),), "0,1"),
    ((np.int64(-3),), "−3"),
    ((True,), "1"),
    ((10**20,), "100" + "\u202f000" * 6),
    ((10**400,), "un intero di 401 cifre"),
    ((10**400 - 1, 3), "un intero di 400 cifre"),
    ((-(10**400), 2, True), "un intero negativo di 401 cifre"),
    ((np.int64(-(2**63)), 2), "−9,22·10¹⁸"),
]


@pytest.mark.parametrize(("arguments", "expected"), NUMBERS)
def test_number(arguments, expected):
    assert number(*arguments) == expected


@pytest.mark.parametrize(
    ("values", "digits", "expected"),
    [
        ([0.5, 0.5], None, "(0,5; 0,5)"),
        ([1.0, 0.0], None, "(1; 0)"),
        ([1, 2.5], None, "(1,0; 2,5)"),
        (np.array([0.787605, 0.212395]), None, "(0,788; 0,212)"),
        (np.array([0.75, 0.25]), 2, "(0,75; 0,25)"),
        ([0.7875, 0.2125], 4, "(0,7875; 0,2125)"),
        ([], None, "()"),
        ([1e-9, 1.0], None, "(1,00·10⁻⁹; 1)"),
        (range(14), None, "(0; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; …; 13)"),
    ],
)
def test_vector(values, digits, expected):
    assert vector(values if hasattr(values, "tolist") else list(values), digits) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.25, "0,25"),
        (np.float64(3), "3"),
        ([0.5, 1], "(0,5; 1,0)"),
        (np.array([[1.0, -2.5], [10.0, 0.0]]), " 1,0  −2,5\n10,0   0,0"),
        (np.arange(4).reshape(2, 1, 2), "[0]\n0  1\n[1]\n2  3"),
        (np.arange(2).reshape(1, 1, 1, 2), "[0, 0]\n0  1"),
        (None, "None"),
        ("ciao", "'ciao'"),
        (np.array([True, False]), "(True; False)"),
        ([1, [2, 3]], "(1; [2, 3])"),
        (np.zeros((0, 3)), "()"),
        ([10**400, 0.5], "(un intero di 401 cifre; 0,5)"),
    ],
)
def test_array_text(value, expected):
    assert array_text(value) == expected


def test_an_integer_too_long_for_python_to_write_is_said():
    assert number(10**12345) == "un intero di 12\u202f346 cifre"


def test_array_text_is_cut_and_says_so():
    text = array_text(np.zeros((20, 20)))
    assert len(text.splitlines()) == 13
    assert text.count("…") == 13  # dodici righe con un «…» e una riga fatta di «…»


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0,665", 0.665),
        ("0.5", 0.5),
        ("−2", -2.0),
        ("-2", -2.0),
        (" 10 000 ", 1e4),
        ("10\u202f000,5", 10000.5),
        ("1/4", 0.25),
    ],
)
def test_read_number(text, value):
    assert read_number(text) == value


@pytest.mark.parametrize("text", ["", "boh", "1/0", "inf", "nan", "1,2,3"])
def test_read_number_refuses(text):
    with pytest.raises(ValueError, match="non è un numero"):
        read_number(text)


def test_reading_undoes_writing():
    for value in np.random.default_rng(0).normal(size=50) * 10.0 ** np.arange(-2, 8).repeat(5):
        assert read_number(number(value, 3)) == round(float(value), 3)


def sample():
    return table(
        [[0.665241, 0.090031, 0.244728], [1 / 3, None, -0.5]],
        ["era", "<b>"],
        ["chiave", "libri", "era"],
        title="Prova",
    )


def test_table_as_text():
    assert str(sample()).splitlines() == [
        "Prova",
        "              chi è guardato →",
        "chi guarda ↓  chiave  libri     era       Σ",
        "era            0,665  0,090   0,245   1,000",
        "<b>            0,333      –  −0,500  −0,167",
    ]


def test_table_as_markdown():
    assert sample().markdown().splitlines() == [
        "Prova",
        "",
        "| chi guarda ↓ · chi è guardato → | chiave | libri | era | Σ |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| **era** | 0,665 | 0,090 | 0,245 | 1,000 |",
        "| **<b>** | 0,333 | – | −0,500 | −0,167 |",
    ]


def test_table_as_html():
    bundle = sample()._repr_mimebundle_()
    assert bundle["text/plain"] == str(sample())
    html = bundle["text/html"]
    assert '<th scope="col">chiave</th>' in html
    assert '<th scope="row">era</th><td>0,665</td><td>0,090</td><td>0,245</td><td>1,000</td>' in html
    assert '<th scope="row">&lt;b&gt;</th>' in html
    assert "<caption>Prova</caption>" in html
    assert "<th>chi guarda ↓ · chi è guardato →</th>" in html


def test_table_without_total_and_with_other_axes():
    text = str(table([[1.0]], ["a"], ["b"], total=False, digits=0, row_axis="prima", column_axis="poi"))
    assert text.splitlines() == ["         poi →", "prima ↓  b", "a        1"]


def test_square_table_names_its_columns_like_its_rows():
    assert "chiave  libri" in str(table(np.eye(2), ["chiave", "libri"]))


@pytest.mark.parametrize("values", [[[1.0, 2.0]], [[1.0], [2.0], [3.0]]])
def test_table_refuses_names_that_do_not_fit(values):
    with pytest.raises(ValueError, match=r"values: mi aspettavo 2 righe e 1 colonne"):
        table(values, ["a", "b"], ["c"])


def test_axis_names_are_said_once():
    assert (notation.QUERY_AXIS, notation.KEY_AXIS) == ("chi guarda", "chi è guardato")
