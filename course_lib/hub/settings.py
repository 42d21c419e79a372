"""Le impostazioni della classe sul server: un file TOML, lo stesso per l'hub e per i server di ciascuno."""

from __future__ import annotations

import math
import os
import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from types import UnionType
from urllib.parse import urlsplit

from course_lib.project import CorsoError, reason

VARIABLE = "CORSO_HUB"  # la variabile d'ambiente con il percorso del file
USUAL = Path("/etc/chiave-di-lettura/hub.toml")
USER = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")  # ciò che il registro dei voti scrive uguale
MORE = 4  # chi insegna ha i limiti di chi studia, tante volte
STARTERS = ("auto", "systemd", "locale")
# Sotto il primo valore JupyterLab con un kernel non parte o muore subito; oltre il secondo Linux rifiuta.
BOUNDS = {
    "porta_hub": (1, 65_535),
    "porta_proxy": (1, 65_535),
    "memoria_mb": (300, 10_000_000),
    "core": (0.1, 1_000),
    "processi": (50, 1_000_000),  # il quadruplo, per chi insegna, è quasi il massimo di Linux
    "file_mb": (20, 10_000_000),
    "inattivo_secondi": (5, 31_536_000),
}


@dataclass(frozen=True)
class HubSettings:
    """Ciò che si scrive in hub.toml; i valori sono quelli che valgono quando una riga manca.

    docente: l'utente che insegna   cartella_docente: il suo corso intero, con solutions/ e registro/
    gruppo_studenti: chi è in questo gruppo del sistema può entrare e studia
    pacchetto: lo zip di «corso distribuisci», che ognuno riceve al primo ingresso
    corso: il nome nello scambio   scambio: la cartella da cui passano esercizi, consegne e feedback
    stato: dove l'hub tiene ciò che è soltanto suo   indirizzo: dove ascolta il proxy
    porta_hub, porta_proxy: fra hub e proxy, sulla stessa macchina   proxy: il programma
    avvio: chi avvia e limita i server (systemd, locale, o auto)
    memoria_mb, core, processi, file_mb: a persona   inattivo_secondi: dopo quanto un server si chiude
    """

    docente: str
    cartella_docente: Path
    gruppo_studenti: str
    pacchetto: Path
    scambio: Path = Path("/srv/chiave-di-lettura/scambio")
    corso: str = "chiave-di-lettura"
    stato: Path = Path("/var/lib/chiave-di-lettura")
    # sotto 1024 le apre soltanto l'amministratore: con l'hub fermo, chi studia non può mettersi al suo posto
    indirizzo: str = "http://127.0.0.1:300"
    porta_hub: int = 301
    porta_proxy: int = 302
    proxy: str = "configurable-http-proxy"
    avvio: str = "auto"
    memoria_mb: int = 1024
    core: float = 1.0
    processi: int = 200
    file_mb: int = 200
    inattivo_secondi: int = 3600

    def is_instructor(self, user: str) -> bool:
        """Se quell'utente è chi insegna."""
        return user == self.docente

    @property
    def by_systemd(self) -> bool:
        """Se i server li avvia systemd: quando lo si chiede, o con «auto» quando governa la macchina."""
        return self.avvio == "systemd" or (self.avvio == "auto" and Path("/run/systemd/system").is_dir())


def settings_path() -> Path:
    """Il file delle impostazioni: quello nella variabile CORSO_HUB, altrimenti quello in /etc."""
    return Path(os.environ.get(VARIABLE) or USUAL)


def read_settings(path: Path | None = None) -> HubSettings:
    """Legge hub.toml.

    Solleva CorsoError se il file manca, non è TOML, ha un nome sconosciuto o un valore che non va.
    """
    path = path or settings_path()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CorsoError(
            f"non posso leggere le impostazioni in {path} ({reason(error)}): copialo da "
            f"deploy/jupyterhub/hub.toml, o indica un altro file con la variabile {VARIABLE}."
        ) from None
    except ValueError:  # non TOML, non UTF-8, un intero di migliaia di cifre
        raise CorsoError(f"{path} non è TOML valido: confrontalo con deploy/jupyterhub/hub.toml.") from None
    return _checked(content, path)


def _checked(content: dict, path: Path) -> HubSettings:
    known = {field.name: field for field in fields(HubSettings)}
    for name, value in content.items():
        if name not in known:
            raise CorsoError(f"{path}: «{name}» non esiste; i nomi sono {', '.join(known)}.")
        content[name] = _value(name, value, known[name].type, path)
    missing = [name for name in list(known)[:4] if name not in content]
    if missing:
        raise CorsoError(
            f"{path}: manca «{missing[0]}»: aggiungi la riga, come in deploy/jupyterhub/hub.toml."
        )
    settings = HubSettings(**content)
    if not USER.fullmatch(settings.docente):
        raise CorsoError(
            f"{path}: docente = «{settings.docente}»: atteso un nome utente di minuscole e cifre."
        )
    if settings.docente == "root":
        raise CorsoError(
            f"{path}: docente = «root»: atteso un utente comune, perché l'amministratore non ha un server; "
            "creane uno per chi insegna, per esempio con «adduser docente»."
        )
    if settings.avvio not in STARTERS:
        raise CorsoError(f"{path}: avvio = «{settings.avvio}»: atteso uno fra {', '.join(STARTERS)}.")
    if not USER.fullmatch(settings.corso):
        raise CorsoError(f"{path}: corso = «{settings.corso}»: attese minuscole, cifre e trattini.")
    _expect_three_ports(settings, path)
    return settings


def _expect_three_ports(settings: HubSettings, path: Path) -> None:
    """Solleva CorsoError se l'indirizzo non è del tipo http://NOME:PORTA, o se due porte sono la stessa."""
    try:
        where = urlsplit(settings.indirizzo)
        port = 80 if where.port is None else where.port
    except ValueError:  # una parentesi che non si chiude, una porta che non è un numero o è troppo grande
        where, port = urlsplit(""), 0
    rest = where.path.strip("/") + where.query + where.fragment + (where.username or "")
    if where.scheme != "http" or not where.hostname or " " in where.netloc or rest or not port:
        raise CorsoError(
            f"{path}: indirizzo = «{settings.indirizzo}»: atteso per esempio «http://127.0.0.1:300», con una "
            "porta fra 1 e 65535; HTTPS lo mette il server web che sta davanti."
        )
    taken = {"indirizzo": port}
    for name in ("porta_hub", "porta_proxy"):
        own = getattr(settings, name)
        other = next((key for key, value in taken.items() if value == own), None)
        if other:
            raise CorsoError(
                f"{path}: {name} = «{own}»: attesa una porta diversa da quella di «{other}», che è la stessa."
            )
        taken[name] = own


def _value(name: str, value: object, kind: str | type | UnionType, path: Path) -> object:
    """Il valore con il tipo del suo campo; i percorsi devono essere assoluti, i numeri dentro BOUNDS."""
    least, most = BOUNDS.get(name, (0, math.inf))
    whole, real = isinstance(value, int) and not isinstance(value, bool), isinstance(value, float)
    text = isinstance(value, str) and value.strip() and value.isprintable()
    if kind in ("Path", Path) and text and Path(value).is_absolute():
        return Path(value)
    if kind in ("str", str) and text:
        return value
    if (kind in ("int", int) and whole) or (kind in ("float", float) and (whole or real)):
        if least <= value <= most:  # nan no
            return value
    between = f"fra {_number(least)} e {_number(most)}"
    wanted = {
        "Path": "un percorso assoluto, su una riga",
        "int": f"un intero {between}",
        "float": f"un numero {between}",
    }
    came = repr(value)[1:-1] if isinstance(value, str) and not value.isprintable() else str(value)
    raise CorsoError(f"{path}: {name} = «{came}»: atteso {wanted.get(str(kind), 'un testo, su una riga')}.")


def _number(value: float) -> str:
    return str(value).replace(".", ",")


def as_toml(settings: HubSettings) -> str:
    """Le impostazioni com'è un hub.toml: le usa `corso hub --prova`."""
    lines = []
    for field in fields(settings):
        value = getattr(settings, field.name)
        text = f'"{value}"' if isinstance(value, str | Path) else str(value)
        lines.append(f"{field.name} = {text}")
    return "\n".join(lines) + "\n"
