"""`corso apri` prima del browser: porte, impostazioni, e le voci italiane che completano JupyterLab."""

from __future__ import annotations

import json
import re
import signal
import socket
import sys
from pathlib import Path

import pytest

from course_lib.cli import lab_italian, open_lab
from course_lib.project import CorsoError

LAB = Path(sys.prefix) / "share" / "jupyter"


def schema_of(plugin: str) -> dict:
    """Lo schema di un'impostazione, com'è installato."""
    package, name = plugin.split(":")
    places = (LAB / "lab" / "schemas", *(LAB / "labextensions").glob("@*/*/schemas"))
    found = [
        place / package / f"{name}.json" for place in places if (place / package / f"{name}.json").is_file()
    ]
    return json.loads(found[0].read_text(encoding="utf-8"))


def test_taken_ports_are_skipped():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert not open_lab.is_free(port)
        assert open_lab.free_port(port) > port


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_numbers_that_are_no_port(port):
    with pytest.raises(CorsoError, match="non è un numero di porta"):
        open_lab.free_port(port)


def test_all_ports_taken(monkeypatch):
    monkeypatch.setattr(open_lab, "is_free", lambda port: False)
    with pytest.raises(CorsoError, match="da 65530 a 65535"):
        open_lab.free_port(65530)


def test_settings_exist_in_the_installed_schemas_with_that_type():
    types = {"string": str, "boolean": bool}
    for plugin, settings in open_lab.LAB_OVERRIDES.items():
        properties = schema_of(plugin)["properties"]
        for name, value in settings.items():
            assert isinstance(value, types[properties[name]["type"]]), name
            assert value != properties[name]["default"], (
                f"{name} è già così: la nostra impostazione non serve"
            )


def test_extensions_hidden_from_pupils_exist():
    scripts = LAB.glob("labextensions/@jupyter/nbgrader/static/*.js")
    installed = "".join(path.read_text(encoding="utf-8") for path in scripts)
    for name in open_lab.AUTHOR_TOOLS + open_lab.UNUSED_TOOLS:
        assert f'"{name}"' in installed or (LAB / "labextensions" / name).is_dir(), name


@pytest.mark.parametrize("author", [True, False])
def test_settings_stay_in_the_course_folder(tmp_path, author):
    if author:
        (tmp_path / "sources").mkdir()
    folder = open_lab.prepare_settings(tmp_path)
    assert folder == tmp_path / ".corso" / "lab"
    assert json.loads((folder / "overrides.json").read_text(encoding="utf-8")) == open_lab.LAB_OVERRIDES
    hidden = json.loads((folder / "page_config.json").read_text(encoding="utf-8"))["disabledExtensions"]
    assert ("@jupyter/nbgrader:formgrader" in hidden) is not author
    assert "@jupyter/nbgrader:validate-assignment" in hidden


def test_settings_that_cannot_be_written(tmp_path):
    (tmp_path / ".corso").write_text("non è una cartella", encoding="utf-8")
    with pytest.raises(CorsoError, match="non posso scrivere"):
        open_lab.prepare_settings(tmp_path)


def test_first_notebook(tmp_path):
    assert open_lab.first_notebook(tmp_path) == ""
    (tmp_path / "notebooks").mkdir()
    for name in ("02-attenzione.ipynb", "01 però.ipynb"):
        (tmp_path / "notebooks" / name).write_text("{}", encoding="utf-8")
    assert open_lab.first_notebook(tmp_path) == "/tree/notebooks/01%20per%C3%B2.ipynb"


def test_closing_says_at_once_that_it_takes_a_moment(monkeypatch, capsys):
    handlers, asked = {}, []

    class Server:
        def stop(self, from_signal):
            asked.append(capsys.readouterr().out)

    monkeypatch.setattr(open_lab.signal, "signal", handlers.__setitem__)
    open_lab.stop_when_asked(Server())
    handlers[signal.SIGINT](signal.SIGINT, None)
    assert asked == ["\nChiudo: può volerci mezzo minuto…\n"]


def installed_messages() -> str:
    """Tutto il JavaScript e gli schemi di JupyterLab e del suo Notebook, in un testo solo."""
    files = [*LAB.glob("lab/static/*.js"), *LAB.glob("labextensions/@jupyter-notebook/*/static/*.js")]
    files += LAB.glob("labextensions/jupyterlab-jupytext/static/*.js")
    files += LAB.glob("lab/schemas/@jupyterlab/*/*.json")
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


def test_every_translated_message_exists_in_lab():
    text = installed_messages()
    keys = [key.rpartition("\x04")[2] for key in lab_italian.missing_translations()]
    forms = {key: (f'"{key}"', f"'{key}'", f"`{key}`") for key in keys}
    assert [key for key, quoted in forms.items() if not any(form in text for form in quoted)] == []


def test_translations_keep_their_placeholders():
    for key, texts in lab_italian.missing_translations().items():
        wanted = set(re.findall(r"%\d", key))
        assert all(text.strip() for text in texts), key
        assert len(texts) <= 2, key
        assert set(re.findall(r"%\d", texts[-1])) >= wanted, key


def test_the_pack_is_completed_never_overwritten():
    pack = {
        "jupyterlab": {"Delete Cell": ["Cancella"], "": {"domain": "jupyterlab"}},
        "notebook": {},
        "altro": {"File": ["F"]},
    }
    done = lab_italian.complete(pack, "it_IT")
    assert done["jupyterlab"]["Delete Cell"] == ["Cancella"]
    assert done["jupyterlab"]["menu\x04Edit"] == ["Modifica"]
    assert done["notebook"]["Launch Jupyter Notebook File Browser"] == [
        "Apri l'elenco dei file di Jupyter Notebook"
    ]
    assert done["altro"] == {"File": ["F"]}
    assert lab_italian.complete(pack, "fr_FR") == pack
    assert pack["jupyterlab"].keys() == {"Delete Cell", ""}


def test_only_what_is_wrong_in_the_installed_pack_is_corrected():
    from jupyterlab_server.translation_utils import get_language_pack

    installed = get_language_pack("it_IT")[0]["jupyterlab"]
    assert installed["Go to Line…"] == ["Vai all Linea…"]
    assert lab_italian.WRONG.keys() == {"Go to Line…"}
    assert lab_italian.complete({"jupyterlab": installed}, "it_IT")["jupyterlab"]["Go to Line…"] == [
        "Vai alla riga…"
    ]


def test_the_server_sends_the_completed_pack(monkeypatch):
    from jupyterlab_server import translations_handler

    monkeypatch.setattr(
        translations_handler, "get_language_pack", translations_handler.get_language_pack
    )  # alla fine, com'era
    lab_italian.install()
    lab_italian.install()
    pack, message = translations_handler.get_language_pack("it_IT")
    assert message == ""
    assert pack["jupyterlab"]["menu\x04View"] == ["Visualizza"]
    assert pack["jupyterlab"]["%1 and %2"] == ["%1 e %2"]  # «Riavvia Kernel e Esegui Tutte le Celle…»
    assert pack["jupyterlab"][""]["language"] == "it-IT"
