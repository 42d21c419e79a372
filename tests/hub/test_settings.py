"""Impostazioni, permessi dello scambio, casa di chi studia, limiti, pagine in italiano."""

from __future__ import annotations

import grp
import json
import os
import pwd
import stat
import sys
import zipfile
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from course_lib.cli import hub as command
from course_lib.hub import exchange_folder, homes, lab, limits, nbgrader_italian, pages
from course_lib.hub.settings import VARIABLE, HubSettings, as_toml, read_settings
from course_lib.project import CorsoError
from tests.conftest import ROOT, require, unavailable

ME = pwd.getpwuid(os.getuid()).pw_name if os.getuid() else "daemon"  # l'amministratore non insegna
GROUP = grp.getgrgid(os.getgid()).gr_name
MODEL = ROOT / "deploy" / "jupyterhub" / "hub.toml"


@pytest.fixture
def settings(tmp_path) -> HubSettings:
    return replace(
        read_settings(MODEL), docente=ME, gruppo_studenti=GROUP, scambio=tmp_path / "scambio",
        pacchetto=tmp_path / "p.zip",
    )  # fmt: skip


def test_the_model_file_names_every_setting_with_its_default():
    text = MODEL.read_text(encoding="utf-8")
    read = read_settings(MODEL)
    for field in fields(HubSettings)[4:]:
        line = next(line for line in text.splitlines() if line.startswith(f"# {field.name} = "))
        value = line.partition(" = ")[2].partition("  #")[0].strip().strip('"')
        assert value == str(getattr(read, field.name)), line


def test_only_the_administrator_can_open_the_ports_of_the_hub():
    """Su una porta libera da 1024 in su, con l'hub fermo, chi studia raccoglierebbe le password di tutti."""
    read = read_settings(MODEL)
    ports = {urlsplit(read.indirizzo).port, read.porta_hub, read.porta_proxy}
    assert len(ports) == 3
    assert max(ports) < 1024
    nginx = MODEL.with_name("nginx.conf").read_text(encoding="utf-8")
    assert f"proxy_pass {read.indirizzo};" in nginx


def test_who_left_the_group_cannot_enter_again(tmp_path, settings, monkeypatch):
    """JupyterHub terrebbe buono chiunque sia già entrato una volta, perché «allowed_users» c'è."""
    require("jupyterhub")
    from jupyterhub.auth import Authenticator, PAMAuthenticator
    from traitlets.config.loader import PyFileConfigLoader

    path = tmp_path / "hub.toml"
    path.write_text(as_toml(replace(settings, stato=tmp_path / "stato", avvio="systemd")), encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(path))
    config = PyFileConfigLoader(str(MODEL.with_name("jupyterhub_config.py"))).load_config()
    authenticator = PAMAuthenticator(config=config)
    Authenticator.add_user(authenticator, SimpleNamespace(name="uscita"))  # come l'hub quando riparte
    assert authenticator.allowed_users == {ME}


def test_written_and_read_again(tmp_path, settings):
    path = tmp_path / "hub.toml"
    path.write_text(as_toml(settings), encoding="utf-8")
    assert read_settings(path) == settings


def test_modes_of_the_exchange(settings):
    exchange_folder.prepare_exchange(settings)
    modes = {
        str(path.relative_to(settings.scambio)): stat.S_IMODE(path.stat().st_mode)
        for path in (settings.scambio, *settings.scambio.rglob("*"))
    }
    course = settings.corso
    assert modes == {
        ".": 0o1777, course: 0o755, f"{course}/inbound": 0o3733, f"{course}/outbound": 0o755,
        f"{course}/feedback": 0o711,
    }  # fmt: skip
    (settings.scambio / course / "inbound").chmod(0o777)
    exchange_folder.prepare_exchange(settings)  # li rimette a posto
    assert stat.S_IMODE((settings.scambio / course / "inbound").stat().st_mode) == 0o3733


def test_a_link_in_the_exchange_is_refused(settings, tmp_path):
    """Nella radice dello scambio scrive chiunque: l'amministratore non deve cambiare permessi altrove."""
    victim = tmp_path / "altrove"
    victim.mkdir(mode=0o700)
    settings.scambio.mkdir()
    (settings.scambio / settings.corso).symlink_to(victim)
    with pytest.raises(CorsoError, match="lo scambio"):
        exchange_folder.prepare_exchange(settings)
    assert stat.S_IMODE(victim.stat().st_mode) == 0o700
    assert list(victim.iterdir()) == []


def test_a_folder_made_by_a_pupil_is_refused(settings):
    """Chi indovina il nome del corso nuovo lo prepara prima dell'hub, con dentro esercizi suoi."""
    if os.geteuid() != 0:
        unavailable("serve l'amministratore: la cartella dev'essere di un altro utente")
    pupil = pwd.getpwnam("nobody")
    settings = replace(settings, gruppo_studenti=grp.getgrgid(pupil.pw_gid).gr_name)
    planted = settings.scambio / settings.corso
    planted.mkdir(parents=True)
    os.chown(planted, pupil.pw_uid, pupil.pw_gid)
    with pytest.raises(CorsoError, match="l'ha creata «nobody», che studia"):
        exchange_folder.prepare_exchange(settings)
    assert planted.stat().st_uid == pupil.pw_uid
    exchange_folder.prepare_exchange(replace(settings, gruppo_studenti="daemon"))
    assert planted.stat().st_uid == pwd.getpwnam(ME).pw_uid


def bundle(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in (
            "corso.py",
            "LEGGIMI.txt",
            "exercises/es02/es02.ipynb",
            "exercises/.originali/es02.ipynb",
        ):
            archive.writestr(f"chiave-di-lettura-0.1.0/{name}", name)


def test_the_home_gets_the_course_once(tmp_path, settings):
    bundle(settings.pacchetto)
    home = tmp_path / "casa"
    home.mkdir(mode=0o755)
    folder = homes.prepare_home(home, settings)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert not (folder / "exercises" / "es02").exists()  # quello arriva dallo scambio
    assert (folder / "exercises" / ".originali" / "es02.ipynb").is_file()
    assert "Consegne → Elenco degli esercizi" in (folder / "LEGGIMI.txt").read_text(encoding="utf-8")
    (folder / "LEGGIMI.txt").write_text("mio", encoding="utf-8")
    (folder / "corso.py").unlink()
    assert homes.prepare_home(home, settings) == folder
    assert (folder / "LEGGIMI.txt").read_text(encoding="utf-8") == "mio"
    assert not (folder / "corso.py").exists()
    assert sorted(path.name for path in home.iterdir()) == ["chiave-di-lettura"]


@pytest.mark.parametrize("content", [None, b"non e uno zip"])
def test_a_bad_bundle_is_one_sentence_and_leaves_nothing(tmp_path, settings, content):
    if content is not None:
        settings.pacchetto.write_bytes(content)
    home = tmp_path / "casa"
    home.mkdir()
    with pytest.raises(CorsoError, match="non riesco a preparare"):
        homes.prepare_home(home, settings)
    assert list(home.iterdir()) == []


def test_who_studies_has_no_formgrader_and_who_teaches_has_it(tmp_path, settings):
    require("jupyterhub")
    seen = {}
    for user in (ME, "anna"):
        (tmp_path / user).mkdir()
        place = lab.prepare_lab(tmp_path / user, settings, user)
        server = json.loads((place / "jupyter_server_config.json").read_text(encoding="utf-8"))["ServerApp"]
        page = json.loads((place / "page_config.json").read_text(encoding="utf-8"))
        extension = server["jpserver_extensions"]["nbgrader.server_extensions.formgrader"]
        seen[user] = (
            extension,
            "tornado_settings" in server,
            "@jupyter/nbgrader:formgrader" in page["disabledExtensions"],
        )  # fmt: skip
    assert seen == {ME: (True, True, False), "anna": (False, False, True)}


def test_every_sentence_is_still_in_the_pages_of_jupyterhub():
    """Con un JupyterHub nuovo una frase può cambiare: la sostituzione non troverebbe più nulla."""
    require("jupyterhub")
    templates = Path(sys.prefix, "share", "jupyterhub", "templates")
    for page, sentences in pages.catalogue().items():
        source = (templates / page).read_text(encoding="utf-8")
        assert [english for english in sentences if english not in source] == [], page
        changed = pages.ItalianPages.preprocess(None, source, page)
        assert changed != source


def test_every_sentence_is_still_in_the_extension_of_nbgrader(tmp_path):
    source = "".join(
        path.read_text(encoding="utf-8") for path in nbgrader_italian.installed().glob("static/*.js")
    )
    assert [english for english in nbgrader_italian.catalogue() if english not in source] == []
    folder = nbgrader_italian.write_italian(tmp_path / "labextensions")
    written = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("static/*.js"))
    assert 'innerText="Scarica"' in written
    assert 'innerText="Fetch"' not in written
    assert written.count("white-space:pre-wrap") == 2  # nella finestra del controllo: la prova e il messaggio


def test_limits_of_both_versions_of_cgroup(tmp_path):
    """Dove si creano i gruppi e che cosa vi si scrive, su un albero finto; quello vero sta in test_limits."""
    place = tmp_path / "v2"
    place.mkdir()
    (place / "cgroup.subtree_control").write_text("cpu memory pids\n", encoding="utf-8")
    (tmp_path / "cgroup").write_text("0::/hub\n", encoding="utf-8")
    (place / "hub").mkdir()
    (place / "hub" / "cgroup.subtree_control").write_text("cpu memory pids\n", encoding="utf-8")
    mounts = f"30 25 0:26 / {place} rw - cgroup2 cgroup2 rw\n"
    (tmp_path / "mountinfo").write_text(mounts, encoding="utf-8")
    found = limits.find_places(tmp_path / "cgroup", tmp_path / "mountinfo")
    assert {name: (one.folder, one.version) for name, one in found.items()} == {
        name: (place / "hub", 2) for name in limits.CONTROLLERS
    }
    fence = limits.Fence("anna", limits.Limits(2**30, 1.5, 99, 10), found)
    fence.make()
    written = {path.name: path.read_text("ascii") for path in (place / "hub" / "corso-hub-anna").iterdir()}
    assert written == {"memory.max": str(2**30), "cpu.max": "150000 100000", "pids.max": "99"}
    assert limits.Fence("anna", limits.Limits(1, 1, 1, 1), {}).missing == ["memory", "cpu", "pids"]


def test_systemd_gets_the_same_limits(settings):
    require("jupyterhub")
    from systemdspawner import SystemdSpawner
    from traitlets.config import Config

    from course_lib.hub.by_systemd import configure_systemd

    config = Config()
    configure_systemd(config, replace(settings, memoria_mb=700, core=1.5, processi=99))
    assert config.JupyterHub.spawner_class == "systemdspawner.SystemdSpawner"
    assert set(config.SystemdSpawner) <= set(SystemdSpawner.class_traits())  # nessun nome sbagliato
    assert config.SystemdSpawner.mem_limit == 700 * 2**20
    assert config.SystemdSpawner.unit_extra_properties["TasksMax"] == "99"
    assert config.SystemdSpawner.unit_extra_properties["RemoveIPC"] == "yes"  # anche /dev/shm
    for name, times in ((ME, 4), ("anna", 1)):
        server = SimpleNamespace(user=SimpleNamespace(name=name), **config.SystemdSpawner)
        config.Spawner.pre_spawn_hook(server)
        assert (server.mem_limit, server.cpu_limit) == (times * 700 * 2**20, times * 1.5)
        assert server.unit_extra_properties["TasksMax"] == str(times * 99)
        assert server.unit_extra_properties["LimitFSIZE"] == str(times * settings.file_mb * 2**20)


def test_without_jupyterhub_one_sentence_says_what_installs_it(monkeypatch):
    monkeypatch.setattr(command.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(command, "find_proxy", lambda root: None)
    monkeypatch.setattr(command.shutil, "which", lambda name: None)
    with pytest.raises(CorsoError) as error:
        command.expect_installed(ROOT)
    assert "manca JupyterHub; manca Node.js" in str(error.value)
    assert "-r requirements-hub.lock" in str(error.value)
    assert "npm install" in str(error.value)
    assert "configurable-http-proxy@5.1.0" in str(error.value)


@pytest.mark.parametrize(
    ("proxy", "node", "sentence"),
    [
        (None, "/usr/bin/node", "manca il proxy di JupyterHub: nella cartella del corso scrivi «npm install"),
        (
            "proxy",
            None,
            "manca Node.js, che esegue il proxy: nella cartella del corso scrivi «sudo apt install",
        ),
    ],
)
def test_without_the_proxy_or_what_runs_it_only_that_is_named(monkeypatch, proxy, node, sentence):
    monkeypatch.setattr(command.importlib.util, "find_spec", lambda name: "trovato")
    monkeypatch.setattr(command, "find_proxy", lambda root: proxy)
    monkeypatch.setattr(command.shutil, "which", lambda name: node)
    with pytest.raises(CorsoError) as error:
        command.expect_installed(ROOT)
    assert sentence in str(error.value)
    assert "requirements-hub.lock" not in str(error.value)


def test_the_trial_says_that_it_needs_an_administrator(monkeypatch):
    from course_lib.hub import trial

    monkeypatch.setattr(trial.os, "geteuid", lambda: 1000)
    with pytest.raises(CorsoError, match="serve l'amministratore"):
        trial.expect_administrator()


def test_without_an_option_the_command_says_where_to_read(capsys):
    from course_lib import cli

    assert cli.main(["hub"]) == 0
    said = capsys.readouterr().out
    assert "deploy/jupyterhub/README.md" in said.replace(os.sep, "/")
