"""Gli spazi tolti a un modulo: solo quelli che non servono."""

import re

import pytest

import course_lib.widgets as widgets
from course_lib.widgets.assets import HERE, joined, module
from course_lib.widgets.squeeze import squeeze

MODULES = [name for name in widgets.CATALOGUE.values() if (HERE / f"{name}.js").is_file()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("const a = 1;\nlet b  =  a ;", "const a=1;let b=a;"),
        ("return x in y;", "return x in y;"),
        ("a = b + +c - -d;", "a=b+ +c- -d;"),
        ("f('a  b', \"c ; d\");", "f('a  b',\"c ; d\");"),
        ("g(`a  ${ h( `b  ${ c }` ) }  d`);", "g(`a  ${ h( `b  ${ c }` ) }  d`);"),
        ("x = s.replace(/\"  [/ ]/g, `y`);", "x=s.replace(/\"  [/ ]/g,`y`);"),
        ("`${s.replace(/\"/g, '\"\"')}  z`  ;", "`${s.replace(/\"/g, '\"\"')}  z`;"),
        ("a = b / c / d;", "a=b/c/d;"),
        ("f(/ a /g) / 2; // via", "f(/ a /g)/2;"),
        ("const f = (a) => async (b) => (c, d) => (e) + 1;", "const f=a=>async(b)=>(c,d)=>(e)+1;"),
        ("function f() {}\n\nasync function g() {}\nf()", "function f(){}async function g(){}\nf()"),
        ("() => { a(); b(); }", "()=>{a();b()}"),
        ("f({ g() { return 1; } , h });", "f({g(){return 1},h});"),
        ("return /a  b/.test(c);", "return/a  b/.test(c);"),
        ("a();  // la fine, l'ultima\nb();", "a();b();"),
        ("const f = () => { a() }\nb()", "const f=()=>{a()}\nb()"),
        ("let s = \"http://x\";", "let s=\"http://x\";"),
        ("x = 'l\\'uno  ' + y;", "x='l\\'uno  '+y;"),
    ],
)
def test_examples(text, expected):
    assert squeeze(text) == expected


def fewer(text):
    """Il testo, già senza spazi, senza i segni che non servono."""
    return re.sub(r"(?<![\w$])\((\w+)\)(?==>)", r"\1", re.sub(r";(?=\})", "", text))


@pytest.mark.parametrize("name", MODULES)
def test_nothing_but_spaces_and_comments_goes(name):
    whole, small = re.sub(r"^[ \t]+", "", joined(name), flags=re.MULTILINE), module(name)
    bare = re.sub(r"[ \t]//\s[^\n]*", "", whole)  # nel corso un commento sta fra due spazi, un indirizzo no
    assert fewer(re.sub(r"\s", "", small)) == fewer(re.sub(r"\s", "", bare))
    assert squeeze(small) == small
    assert len(small.encode()) < 0.93 * len(whole.encode())
    for quoted in re.findall(r'"\w[\w ]*\w"', whole):
        assert quoted in small
