"""L'hub è l'amministratore: di chi sono le cartelle di cui cambia i permessi, e che gruppo serve."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from course_lib.hub import own_folders
from course_lib.hub.exchange_folder import ROOT_MODE, prepare_exchange
from course_lib.hub.own_folders import expect_own_folders, prepare_state
from course_lib.hub.settings import HubSettings
from course_lib.project import CorsoError


@pytest.fixture
def settings(tmp_path) -> HubSettings:
    me = pwd.getpwuid(os.getuid()).pw_name if os.getuid() else "daemon"
    return HubSettings(
        docente=me, cartella_docente=tmp_path / "docente", gruppo_studenti=grp.getgrgid(os.getgid()).gr_name,
        pacchetto=tmp_path / "p.zip", scambio=tmp_path / "scambio", stato=tmp_path / "stato",
    )  # fmt: skip


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def refused(settings: HubSettings) -> str:
    """La frase di prepare_exchange, con cui l'hub comincia."""
    with pytest.raises(CorsoError) as error:
        prepare_exchange(settings)
    return str(error.value)


@pytest.mark.parametrize("name", ["scambio", "stato"])
@pytest.mark.parametrize("folder", ["/", "/tmp", "/srv", "/var/lib", "/usr/local", "/tmp/.", "/var/../srv/"])
def test_system_folders_are_refused(settings, monkeypatch, name, folder):
    # se il rifiuto non ci fosse, i permessi di quelle cartelle non devono cambiare davvero
    for function in ("chmod", "mkdir", "fchmod", "fchown"):
        monkeypatch.setattr(os, function, lambda *args, **more: pytest.fail("ha cominciato a scrivere"))
    said = refused(replace(settings, **{name: Path(folder)}))
    assert f"{name} = «{Path(folder)}», in hub.toml, è una cartella del sistema" in said


@pytest.mark.parametrize("name", ["scambio", "stato"])
def test_a_folder_of_others_is_refused_and_left_as_it_was(settings, tmp_path, name):
    other = tmp_path / "altro"
    (other / "foto").mkdir(parents=True)
    other.chmod(0o750)
    link = tmp_path / "collegamento"
    link.symlink_to(other)
    for folder in (other, link):
        said = refused(replace(settings, **{name: folder}))
        assert f"{name} = «{folder}», in hub.toml: quella cartella contiene già altro" in said
        assert "«foto»" in said
    assert mode(other) == 0o750
    assert not (tmp_path / "scambio").exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"stato": "scambio/stato"}, "stato = «{}/scambio/stato», in hub.toml, sta dentro «scambio»"),
        ({"scambio": "stato/scambio"}, "scambio = «{}/stato/scambio», in hub.toml, sta dentro «stato»"),
        ({"stato": "scambio"}, "sta dentro «stato»"),
        ({"scambio": "docente/x"}, "sta dentro «cartella_docente»"),
        ({"cartella_docente": "scambio/docente"}, "contiene «cartella_docente»"),
    ],
)
def test_one_inside_another_is_refused(settings, tmp_path, changes, sentence):
    said = refused(replace(settings, **{name: tmp_path / path for name, path in changes.items()}))
    assert sentence.format(tmp_path) in said


def test_new_empty_and_own_folders_are_accepted(settings):
    settings.scambio.mkdir()
    (settings.scambio / "lost+found").mkdir()  # un disco appena fatto
    for _ in range(2):
        prepare_exchange(settings)
        prepare_state(settings)
        assert (mode(settings.scambio), mode(settings.stato)) == (ROOT_MODE, 0o700)
        (settings.stato / "altro").write_text("di JupyterHub", encoding="utf-8")
    expect_own_folders(settings)


def test_after_the_memory_of_the_hub_is_made_anew_the_folder_is_still_its_own(settings):
    """README: per chi lascia la classe si tolgono banca dati e segreto, e altri file possono restare."""
    settings.stato.mkdir()
    for name in ("jupyterhub.sqlite", "jupyterhub_cookie_secret", "proxy.pid"):  # di un hub di prima
        (settings.stato / name).touch()
    expect_own_folders(settings)
    prepare_state(settings)
    for name in ("jupyterhub.sqlite", "jupyterhub_cookie_secret"):
        (settings.stato / name).unlink()
    expect_own_folders(settings)
    (settings.stato / own_folders.MARK).unlink()
    with pytest.raises(CorsoError, match="contiene già altro"):
        expect_own_folders(settings)


def test_the_exchange_of_another_course_is_accepted(settings):
    for name in ("inbound", "outbound"):
        (settings.scambio / "chiave-2025" / name).mkdir(parents=True)
    prepare_exchange(settings)
    assert (settings.scambio / settings.corso / "inbound").is_dir()


def test_a_group_that_is_not_there_is_one_sentence(settings, tmp_path):
    said = refused(replace(settings, gruppo_studenti="gruppo-che-non-c-e"))
    assert "il gruppo «gruppo-che-non-c-e» (gruppo_studenti, in hub.toml)" in said
    assert "addgroup gruppo-che-non-c-e" in said
    assert not (tmp_path / "scambio").exists()
