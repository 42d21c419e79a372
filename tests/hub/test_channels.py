"""I canali fra server e kernel sono file nella casa di ciascuno, non porte della macchina."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from course_lib.hub.channels import FOLDER, LONGEST, LONGEST_NAME, prepare_channels


def test_the_folder_is_closed_and_keeps_no_old_channel(tmp_path):
    home = Path("/tmp", tmp_path.name)  # quella di pytest può essere troppo lunga
    home.mkdir()
    try:
        (home / FOLDER).mkdir(mode=0o755)
        for name in ("kernel-a.json", "kernel-a-ipc-1"):
            (home / FOLDER / name).write_text("rimasto", encoding="utf-8")
        folder = prepare_channels(home)
        assert folder == home / FOLDER
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert list(folder.iterdir()) == []
    finally:
        (home / FOLDER).rmdir()
        home.rmdir()


def test_where_they_cannot_stay_there_are_ports(tmp_path):
    """Un percorso più lungo di quanto il sistema accetti, o un file al posto della cartella."""
    room = LONGEST - LONGEST_NAME - len(f"/{FOLDER}/")
    assert prepare_channels(Path("/" + "c" * room)) is None  # un byte di troppo
    longest = Path("/proc/" + "c" * (room - len("/proc/")))
    assert len(f"{longest}/{FOLDER}/") + LONGEST_NAME == LONGEST
    assert prepare_channels(longest) is None  # lì non si crea nulla
    (tmp_path / FOLDER).write_text("un file", encoding="utf-8")
    assert prepare_channels(tmp_path) is None
    assert (tmp_path / FOLDER).read_text(encoding="utf-8") == "un file"


@pytest.mark.lento
@pytest.mark.xdist_group("hub")
def test_kernels_open_no_port(people, trial):
    """Nel kernel vero di bruno: il canale è un file suo, in una cartella chiusa."""
    code = """
import json, pathlib, socket
from ipykernel.connect import get_connection_file
path = pathlib.Path(get_connection_file())
info = json.loads(path.read_text())
sockets = sorted(p.name.rpartition('-')[2] for p in path.parent.glob(path.stem + '-ipc-*'))
print(json.dumps([info['transport'], str(path.parent), oct(path.parent.stat().st_mode & 0o777), sockets]))
"""
    answer = people["bruno"].run(code)
    transport, folder, mode, sockets = json.loads(answer["text"])
    assert transport == "ipc"
    assert folder == str(trial.home(people["bruno"].name) / FOLDER)
    assert mode == "0o700"
    assert len(sockets) == 5
