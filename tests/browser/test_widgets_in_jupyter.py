"""I widget dove si usano: JupyterLab e Notebook veri, con il kernel, senza rete, e riaprendo il notebook."""

from __future__ import annotations

import nbformat
import pytest

import course_lib.widgets as widgets
from tests.browser.jupyter import (
    NAMES,
    PICTURE,
    VIEW,
    api,
    arrow_changes_the_sentence,
    notebook,
    saved,
    shut_down,
    write,
)

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]


@pytest.mark.parametrize("place", ["lab/tree", "notebooks"])
def test_every_widget_is_drawn_and_its_keys_stay_its_own(open_in, place):
    jupyter = open_in(place)
    jupyter.run_all(len(NAMES))
    page = jupyter.page
    cells = page.locator(".jp-Notebook .jp-CodeCell").count()
    for widget in page.locator(".cdl").all():
        widget.scroll_into_view_if_needed()
        widget.locator(".cdl-stage").focus()
        for key in ("a", "b", "n", "ArrowRight", "End", "Escape"):
            page.keyboard.press(key)
        assert widget.locator(".cdl-stage").evaluate("node => node === document.activeElement")
        assert widget.locator(".cdl-say").inner_text()
    assert page.locator(".jp-Notebook .jp-CodeCell").count() == cells
    assert jupyter.ours() == []


def test_themes_restart_and_reopening(server, open_in):
    jupyter = open_in()
    jupyter.run_all(len(NAMES))
    assert jupyter.theme() == {"light"}
    jupyter.menu("Impostazioni", "Tema", "JupyterLab Scuro")
    jupyter.page.wait_for_function("() => document.body.dataset.jpThemeLight === 'false'")
    jupyter.page.wait_for_timeout(200)
    assert jupyter.theme() == {"dark"}
    jupyter.menu("Impostazioni", "Tema", "JupyterLab Chiaro")
    found = saved(server, jupyter)
    for cell in found.cells:
        assert VIEW in cell.outputs[-1].data
        assert cell.outputs[-1].metadata["image/png"]["alt"]

    kernel = api(server, "kernels")[0]["id"]
    api(server, f"kernels/{kernel}/restart", "POST")
    jupyter.wait_for(len(NAMES))
    arrow_changes_the_sentence(jupyter.page.locator(".cdl").first)
    jupyter.page.close()
    shut_down(server)

    untrusted = open_in(file=write(server, found, "non-fidato.ipynb", trusted=False)).page
    shown = "([picture, count]) => document.querySelectorAll(picture).length === count"
    untrusted.wait_for_function(shown, arg=[PICTURE, len(NAMES)], timeout=60_000)
    assert untrusted.locator(".cdl").count() == 0

    trusted = open_in(file=write(server, found, "fidato.ipynb", trusted=True))
    trusted.wait_for(len(NAMES))
    arrow_changes_the_sentence(trusted.page.locator(".cdl").first)
    assert trusted.ours() == []


def test_committed_notebooks_show_the_picture_before_they_are_run(server, open_in):
    """Un notebook del corso non porta viste: chi lo apre vede la figura, fidato o no."""
    found = notebook(NAMES[:1])
    data, metadata = getattr(widgets, NAMES[0])()._repr_mimebundle_()
    del data[VIEW]
    found.cells[0].outputs = [nbformat.v4.new_output("display_data", data=data, metadata=metadata)]
    for trusted in (True, False):
        page = open_in(file=write(server, found, f"figura-{trusted}.ipynb", trusted=trusted)).page
        page.wait_for_selector(PICTURE)
        assert "model not found" not in page.locator(".jp-Notebook").inner_text()
