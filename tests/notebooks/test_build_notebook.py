"""Il notebook costruito: eseguito, con le uscite, e niente che cambi da una volta all'altra."""

from __future__ import annotations

import base64
import json
import struct
import zlib

import nbformat
import pytest

from course_lib.building.normalise import METADATA, plain_png
from course_lib.building.notebooks import build_notebook, keep_variable_outputs
from course_lib.building.source import SourceError


@pytest.fixture(scope="module")
def notebook(costruito):
    return nbformat.read(costruito / "notebooks" / "99-campione.ipynb", as_version=4)


@pytest.fixture(scope="module")
def cells(notebook):
    return {cell.id: cell for cell in notebook.cells}


def test_it_is_a_valid_notebook_in_the_one_written_form(costruito, notebook):
    nbformat.validate(notebook)
    raw = (costruito / "notebooks" / "99-campione.ipynb").read_bytes()
    data = json.loads(raw)
    assert raw == (json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode("utf-8")
    assert data["metadata"] == METADATA
    assert "version" not in data["metadata"]["language_info"]


def test_ids_are_readable(cells):
    assert list(cells) == [
        "notebook-campione",
        "notebook-campione-codice",
        "una-figura",
        "una-figura-codice",
        "prima-prevedi",
        "coefficienti",
        "prima-prevedi-2",
        "prima-prevedi-2-codice",
        "prima-prevedi-2-codice-2",
        "senza-rete",
        "senza-rete-codice",
    ]


def test_cells_are_executed_in_order_and_outputs_kept(cells):
    code = [cell for cell in cells.values() if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert (
        cells["coefficienti"].outputs[0].data["text/plain"] == "array([0.09003057, 0.24472847, 0.66524096])"
    )
    assert cells["notebook-campione-codice"].outputs[0].text.startswith("somma: 5\n")


def test_no_time_and_no_address_is_kept(cells):
    assert all("execution" not in cell.metadata for cell in cells.values())
    assert "oggetto: <object object at 0x...>" in cells["notebook-campione-codice"].outputs[0].text


def test_tags(cells):
    tags = {
        name: list(cell.metadata.get("tags", [])) for name, cell in cells.items() if cell.cell_type == "code"
    }
    assert tags == {
        "notebook-campione-codice": ["esatto"],
        "una-figura-codice": [],
        "coefficienti": [],
        "prima-prevedi-2-codice": ["variabile", "nbval-ignore-output"],
        "prima-prevedi-2-codice-2": ["nbval-ignore-output"],  # mostrava un widget
        "senza-rete-codice": ["variabile", "nbval-ignore-output"],
    }


def test_the_widget_view_is_gone_with_its_state(cells, notebook):
    assert cells["prima-prevedi-2-codice-2"].outputs == []
    assert "widgets" not in notebook.metadata


def test_there_is_no_network(cells):
    assert (
        cells["senza-rete-codice"].outputs[0].text == "i notebook del corso si costruiscono senza rete\n" * 2
    )


def png_chunks(encoded):
    data, at, found = base64.b64decode(encoded), 8, []
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        found.append(data[at + 4 : at + 8])
        assert (
            zlib.crc32(data[at + 4 : at + 8 + size])
            == struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0]
        )
        at += 12 + size
    return found


def test_the_picture_says_neither_when_nor_with_what_it_was_made(cells):
    encoded = cells["una-figura-codice"].outputs[0].data["image/png"]
    chunks = png_chunks(encoded)
    assert {b"IHDR", b"IDAT", b"IEND"} <= set(chunks)
    assert not {b"tEXt", b"iTXt", b"zTXt", b"tIME"} & set(chunks)


def test_plain_png_leaves_the_pixels(cells):
    import io

    import matplotlib.image
    import matplotlib.pyplot as plt
    import numpy as np

    figure = plt.figure(figsize=(1, 1))
    figure.add_subplot().plot([0, 1])
    buffer = io.BytesIO()
    figure.savefig(buffer, metadata={"Software": "prova", "Comment": "a"})
    plt.close(figure)
    encoded = base64.b64encode(buffer.getvalue()).decode()
    assert b"tEXt" in png_chunks(encoded)
    shorter = plain_png(encoded)
    assert b"tEXt" not in png_chunks(shorter)
    pixels = [matplotlib.image.imread(io.BytesIO(base64.b64decode(text))) for text in (encoded, shorter)]
    assert np.array_equal(*pixels)
    assert plain_png("non è base64") == "non è base64"


HEAD = "# Un notebook\n\n## La parte rotta\n\n"


def failing(leggi, campione, code):
    header = campione[: campione.index("# Notebook campione")]
    blocks = "\n".join(f"```{{code-cell}} ipython3\n{text}\n```\n" for text in ("prima = 1", code))
    source = leggi(header + HEAD + blocks, "98-rotto.md")
    with pytest.raises(SourceError) as error:
        build_notebook(source)
    message = str(error.value)
    assert message.startswith("sources/98-rotto.md")
    assert "\n" not in message
    return message


def test_a_cell_that_raises_is_named_without_a_traceback(leggi, campione):
    message = failing(leggi, campione, "righe = [1]\nrighe[3]")
    assert "riga 21, cella «righe = [1]»" in message
    assert "«la-parte-rotta-codice-2»" in message
    assert "IndexError: list index out of range" in message
    assert "Traceback" not in message


@pytest.mark.lento
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import warnings\nwarnings.warn('attenzione a te')", "scrive su stderr"),
        ("open('appunti.txt', 'w').write('x')", "lascia il file «appunti.txt»"),
        ("import sys\nprint(sys.prefix)", "mostra un percorso di questo computer"),
        ("import os\nos._exit(3)", "il kernel si è fermato di colpo"),
        ("raise KeyError", "non arriva in fondo: KeyError."),
        ("raise ValueError('una riga\\n\\nun\\'altra')", "ValueError: una riga un'altra"),
    ],
)
def test_what_a_notebook_of_the_course_does_not_do(leggi, campione, code, expected):
    assert expected in failing(leggi, campione, code)


@pytest.mark.lento
def test_a_cell_that_never_ends(leggi, campione, monkeypatch):
    from course_lib.building import notebooks

    monkeypatch.setattr(notebooks, "CELL_SECONDS", 1)
    assert "non arriva in fondo: più di 1 s." in failing(leggi, campione, "while True: pass")


def variable_pair(first="a = 1", old="2", new="3"):
    def one(value):
        cells = [
            nbformat.v4.new_code_cell(
                first, id="uno", outputs=[nbformat.v4.new_output("stream", text=value)]
            ),
            nbformat.v4.new_code_cell(
                "ora()",
                id="due",
                metadata={"tags": ["variabile"]},
                outputs=[nbformat.v4.new_output("stream", text=value)],
            ),
        ]
        return nbformat.v4.new_notebook(cells=cells)

    return one(old), one(new)


def test_variable_cells_keep_their_output_while_the_code_is_the_same():
    old, new = variable_pair()
    keep_variable_outputs(new, nbformat.writes(old))
    assert [cell.outputs[0].text for cell in new.cells] == ["3", "2"]


def test_variable_cells_get_a_new_output_when_the_code_before_them_changed():
    old, new = variable_pair()
    old.cells[0].source = "a = 7"
    keep_variable_outputs(new, nbformat.writes(old))
    assert [cell.outputs[0].text for cell in new.cells] == ["3", "3"]
    keep_variable_outputs(new, "questo non è un notebook")
    assert [cell.outputs[0].text for cell in new.cells] == ["3", "3"]
