"""Le pagine della correzione in un Chromium vero: nulla di ciò che viene da una consegna vi si esegue."""

from __future__ import annotations

import base64
import io
import re

import nbformat
import pytest
from nbconvert import HTMLExporter
from PIL import Image

from course_lib.grading.class_report import write_class_report
from course_lib.grading.feedback import write_not_graded
from course_lib.grading.outputs import clean_outputs
from course_lib.grading.register import Register
from course_lib.grading.settings import grading_settings
from tests.grading import samples
from tests.grading.class_samples import HOSTILE, a_class, empty, graded, write_class

TAKEN = "document.title='preso'"
SVG = f"<svg xmlns='http://www.w3.org/2000/svg' onload=\"{TAKEN}\"><script>{TAKEN}</script></svg>"
SCRIPTS = (
    HOSTILE,
    "</code></pre></details><script>document.title='preso'</script>",
    '"><iframe src="javascript:parent.document.title=\'preso\'"></iframe>',
    "[clic](javascript:document.title='preso') ![x](x\" onerror=\"document.title='preso')",
    "<style>body{display:none}</style><meta http-equiv=refresh content=0;url=about:blank>",
    SVG,
)


def png(text: str) -> dict:
    buffer = io.BytesIO()
    Image.new("RGB", (40, 20), "red").save(buffer, "PNG")
    return {"output_type": "display_data", "data": {"image/png": base64.b64encode(buffer.getvalue()).decode(),
            "text/plain": text, "text/html": text, "image/svg+xml": SVG}}  # fmt: skip


def feedback_page(tmp_path) -> str:
    """La pagina di feedback, piena di ciò che un allievo può scrivere, stampare, disegnare."""
    notebook = samples.solved(**{name: "\n".join(SCRIPTS) for name in ("project", "attend")})
    tests, hostile = [], "\n".join(SCRIPTS)
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        mark = cell.metadata.get("nbgrader", {})
        if mark.get("grade"):
            mark["score"], mark["points"] = 0, 2
            tests.append(
                {"name": mark["grade_id"], "passed": False, "message": f"{hostile}\n{hostile}", "slip": None}
            )
        elif mark.get("solution"):
            mark["comment"] = hostile
            cell.outputs = clean_outputs(
                [
                    {"output_type": "stream", "name": "stdout", "text": hostile},
                    {"output_type": "error", "name": hostile, "message": hostile, "line": hostile},
                    {"output_type": "display_data", "data": {"text/html": hostile, "image/svg+xml": SVG}},
                    {
                        "output_type": "display_data",
                        "data": {"text/markdown": hostile, "text/latex": hostile},
                    },
                    png(hostile),
                ]
            )
    notebook.metadata["corso"] = {"nome": hostile, "note": [hostile], "prove": tests}
    exporter = HTMLExporter(config=grading_settings(tmp_path), template_name="feedback")
    resources = {"nbgrader": {"notebook": hostile, "student": "anna", "assignment": "es02", "score": 0.0,
                              "max_score": 10.0, "late_penalty": 0.0}}  # fmt: skip
    page, _ = exporter.from_notebook_node(nbformat.from_dict(notebook), resources)
    return page


@pytest.fixture
def opened(browser, tmp_path):
    """Apre una pagina da file e restituisce ciò che è successo: richieste di rete, messaggi, titolo."""
    pages = []

    def show(html: str, scheme="light", width=1200):
        path = tmp_path / f"pagina-{len(pages)}.html"
        path.write_text(html, encoding="utf-8")
        page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
        pages.append(page)
        page.asked = []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("dialog", lambda dialog: page.asked.append("dialogo"))
        page.goto(path.as_uri())
        page.wait_for_timeout(150)
        return page

    yield show
    for page in pages:
        page.close()


def nothing_ran(page) -> None:
    assert page.title() != "preso"
    elements = page.evaluate(
        "[...document.querySelectorAll('script, iframe, svg, object, embed, link')].length"
    )
    assert elements == 0
    names = "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes].map(a => a.name))"
    assert page.evaluate(f"{names}.filter(name => name.startsWith('on'))") == []
    assert (
        page.evaluate("[...document.querySelectorAll('a')].filter(a => a.protocol == 'javascript:').length")
        == 0
    )
    assert [url for url in page.asked[1:] if not url.startswith("data:image/png")] == []
    assert page.locator("h1").is_visible()


def test_nothing_a_pupil_wrote_printed_or_drew_runs_in_the_feedback(opened, tmp_path):
    html = feedback_page(tmp_path)
    page = opened(html)
    nothing_ran(page)
    assert page.locator("img").count() > 0
    assert all(
        s.startswith("data:image/png;base64,")
        for s in page.locator("img").evaluate_all("e => e.map(i => i.src)")
    )
    assert SCRIPTS[1] in page.locator(".risposta pre").first.inner_text()  # si legge com'è scritto


def test_without_its_policy_the_page_would_still_be_inert(opened, tmp_path):
    """La politica della pagina è una seconda difesa: il testo reso innocuo deve bastare da solo."""
    html = feedback_page(tmp_path)
    page = opened(bare := re.sub(r"<meta [^>]*Content-Security-Policy[^>]*>", "", html))
    assert bare != html
    nothing_ran(page)


def test_the_page_of_what_was_not_graded_is_inert_too(opened, tmp_path):
    record = {"nome": HOSTILE, "verdetto": "illeggibile", "motivo": HOSTILE, "note": list(SCRIPTS)}
    path = write_not_graded(Register(tmp_path), "es02", "anna", record)
    page = opened(path.read_text("utf-8"))
    nothing_ran(page)
    assert "questo non è uno zero" in page.locator("body").inner_text()


def class_page(tmp_path, records) -> str:
    register = Register(tmp_path)
    write_class(register, records)
    return write_class_report(register, "es02").read_text("utf-8")


def test_the_class_page_is_inert(opened, tmp_path):
    html = class_page(
        tmp_path, [graded(s, {"attend": s}, (s,)) for s in SCRIPTS] + [empty("Eva", "illeggibile", SVG)]
    )
    nothing_ran(opened(html))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_the_class_page_fits_and_reads_in_both_themes(opened, tmp_path, scheme, width):
    page = opened(class_page(tmp_path, a_class()), scheme, width)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    clipped = """[...document.querySelectorAll('td, th, dd, figcaption, .nome')].filter(
        e => e.scrollWidth > e.clientWidth + 1).map(e => e.innerText)"""
    assert page.evaluate(clipped) == []
    contrast = """(() => {
        const light = c => c.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
            .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
            .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
        const paper = light(getComputedStyle(document.querySelector('main')).backgroundColor);
        return ['body', 'small', '.si', '.no', '.persona', 'figcaption span'].map(s => {
            const ink = light(getComputedStyle(document.querySelector('main ' + s) || document.body).color);
            return (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05); });
    })()"""
    assert min(page.evaluate(contrast)) > 4.5
    heights = "[...document.querySelectorAll('.colonna i')].map(e => e.getBoundingClientRect().height)"
    drawn = page.evaluate(heights)
    marks = [int(r["punti"]) for r in a_class() if r["punti"] is not None]
    expected = [marks.count(i) for i in range(11)]
    tallest = max(drawn)
    for height, count in zip(drawn, expected, strict=True):
        assert abs(height / tallest - count / max(expected)) < 0.02
