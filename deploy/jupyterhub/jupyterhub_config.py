"""JupyterHub per una classe. Si carica così com'è, sul server e in «corso hub --prova».

Ciò che cambia da una scuola all'altra sta in hub.toml (la variabile CORSO_HUB dice dov'è), non qui.
"""

import os
import sys
from pathlib import Path
from urllib.parse import urlsplit

from course_lib.hub.exchange_folder import prepare_exchange
from course_lib.hub.own_folders import prepare_state
from course_lib.hub.pages import ItalianPages
from course_lib.hub.settings import VARIABLE, read_settings, settings_path
from course_lib.project import CorsoError

c = get_config()  # noqa: F821 (lo offre JupyterHub)
try:
    settings = read_settings()
    prepare_exchange(settings)
    prepare_state(settings)
except CorsoError as error:
    sys.exit(f"corso hub: {error}")
state = settings.stato

# --- indirizzi: tutto su questa macchina; verso la rete c'è solo il server web con HTTPS ----------
where = urlsplit(settings.indirizzo)
c.JupyterHub.bind_url = settings.indirizzo
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{settings.porta_hub}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{settings.porta_proxy}"
c.ConfigurableHTTPProxy.command = [settings.proxy]
c.ConfigurableHTTPProxy.pid_file = str(state / "proxy.pid")
c.ConfigurableHTTPProxy.should_start = True  # il gettone fra hub e proxy nasce a ogni avvio, e non si scrive
c.JupyterHub.cleanup_servers = True  # fermato l'hub, si fermano i server: i limiti nascono con loro

# --- ciò che è soltanto dell'hub -------------------------------------------------------------------
c.JupyterHub.db_url = f"sqlite:///{state / 'jupyterhub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(state / "jupyterhub_cookie_secret")
c.JupyterHub.jinja_environment_options = {"extensions": [ItalianPages]}  # le pagine dell'hub in italiano
c.JupyterHub.allow_named_servers = False

# --- chi entra: gli utenti della macchina, con la loro password; root mai ---------------------------
c.JupyterHub.authenticator_class = "pam"
c.Authenticator.allowed_users = {settings.docente}
c.LocalAuthenticator.allowed_groups = {settings.gruppo_studenti}
c.Authenticator.allow_existing_users = False  # altrimenti chi è uscito dal gruppo entrerebbe ancora
c.Authenticator.admin_users = set()  # nessuno può aprire il server di un altro: nemmeno chi insegna
c.PAMAuthenticator.open_sessions = False
c.PAMAuthenticator.executor_threads = 32  # una password sbagliata prende secondi: gli altri non aspettano

# --- il server di ciascuno ------------------------------------------------------------------------
c.Spawner.cmd = [sys.executable, "-I", "-m", "course_lib.hub.start"]
c.Spawner.environment = {VARIABLE: str(settings_path())}
c.Spawner.http_timeout = c.Spawner.start_timeout = 120
if settings.by_systemd:
    from course_lib.hub.by_systemd import configure_systemd

    configure_systemd(c, settings)
else:
    from course_lib.hub.limits import remove_empty

    remove_empty()
    c.JupyterHub.spawner_class = "course_lib.hub.spawner.ClassSpawner"

# --- i server che nessuno usa si chiudono; il lavoro è sul disco e resta ----------------------------
c.JupyterHub.last_activity_interval = max(1, min(60, settings.inattivo_secondi // 4))
c.Spawner.environment |= {
    "JUPYTERHUB_ACTIVITY_INTERVAL": str(max(1, min(300, settings.inattivo_secondi // 4)))
}
c.JupyterHub.load_roles = [
    {
        "name": "chiude-gli-inattivi",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["inattivi"],
    }
]
every = max(1, min(300, settings.inattivo_secondi // 4))
c.JupyterHub.services = [
    {
        "name": "inattivi",
        "command": [
            sys.executable, "-m", "jupyterhub_idle_culler",
            f"--timeout={settings.inattivo_secondi}", f"--cull-every={every}",
        ],
    }
]  # fmt: skip

extra = Path(os.environ.get("CORSO_HUB_AGGIUNTE", settings_path().with_name("aggiunte.py")))
if extra.is_file():  # per chi vuole altro, senza toccare questo file: le righe di un jupyterhub_config.py
    load_subconfig(str(extra))  # noqa: F821 (lo offre JupyterHub)
