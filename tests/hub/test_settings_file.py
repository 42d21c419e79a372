"""Ciò che in hub.toml non va: una frase che nomina la riga, che cosa ci si aspettava e che cosa c'era."""

from __future__ import annotations

import pytest

from course_lib.hub.settings import read_settings
from course_lib.project import CorsoError
from tests.conftest import ROOT

MODEL = ROOT / "deploy" / "jupyterhub" / "hub.toml"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("memoria_mb = 0", "memoria_mb = «0»: atteso un intero fra 300 e 10000000"),
        ("memoria_mb = 1", "memoria_mb = «1»: atteso un intero fra 300"),
        ("memoria_mb = true", "memoria_mb = «True»: atteso un intero"),
        ('memoria_mb = "molta"', "atteso un intero"),
        ("core = -1", "core = «-1»: atteso un numero fra 0,1 e 1000"),
        ("core = inf", "core = «inf»: atteso un numero fra 0,1 e 1000"),
        ("core = nan", "core = «nan»: atteso un numero fra 0,1 e 1000"),
        ("core = 1e-9", "core = «1e-09»: atteso un numero fra 0,1 e 1000"),
        ("processi = 1", "processi = «1»: atteso un intero fra 50 e 1000000"),
        ("processi = 1" + "0" * 30, "atteso un intero fra 50 e 1000000"),
        ("file_mb = 1", "atteso un intero fra 20 e"),
        ("inattivo_secondi = 1", "atteso un intero fra 5 e 31536000"),
        ("porta_hub = 70000", "porta_hub = «70000»: atteso un intero fra 1 e 65535"),
        ("porta_proxy = 301", "porta_proxy = «301»: attesa una porta diversa da quella di «porta_hub»"),
        ("porta_hub = 300", "porta_hub = «300»: attesa una porta diversa da quella di «indirizzo»"),
        ('indirizzo = "http://127.0.0.1:302"', "porta_proxy = «302»: attesa una porta diversa da quella di"),
        ('indirizzo = "http://[::1"', "indirizzo = «http://[::1»: atteso per esempio «http://127.0.0.1:300»"),
        ('indirizzo = "http://127.0.0.1:abc"', "con una porta fra 1 e 65535"),
        ('indirizzo = "http://127.0.0.1:99999"', "con una porta fra 1 e 65535"),
        ('indirizzo = "http://127.0.0.1:0"', "con una porta fra 1 e 65535"),
        ('indirizzo = "http://a b:300"', "atteso per esempio"),
        ('indirizzo = "http://127.0.0.1:300/x?y"', "atteso per esempio"),
        (r'stato = "/var/lib/a\u0000b"', r"stato = «/var/lib/a\x00b»: atteso un percorso assoluto"),
        (r'scambio = "/srv/a\nb"', r"scambio = «/srv/a\nb»: atteso un percorso assoluto, su una riga"),
        (r'proxy = "a\nb"', r"proxy = «a\nb»: atteso un testo, su una riga"),
        ('scambio = "qui"', "atteso un percorso assoluto"),
        ('scambo = "/x"', "«scambo» non esiste"),
        ('avvio = "docker"', "atteso uno fra auto, systemd, locale"),
        ('indirizzo = "https://x"', "HTTPS lo mette il server web"),
        ('corso = "Il Corso"', "attese minuscole"),
        ("= 3", "non è TOML valido"),
    ],
)
def test_a_wrong_line_is_one_sentence(tmp_path, line, sentence):
    path = tmp_path / "hub.toml"
    path.write_text(MODEL.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(CorsoError) as error:
        read_settings(path)
    assert sentence in str(error.value)
    assert str(path) in str(error.value)


def test_the_administrator_does_not_teach(tmp_path):
    path = tmp_path / "hub.toml"
    text = MODEL.read_text(encoding="utf-8")
    path.write_text(text.replace('docente = "docente"', 'docente = "root"'), encoding="utf-8")
    with pytest.raises(CorsoError, match="docente = «root»: atteso un utente comune"):
        read_settings(path)


@pytest.mark.parametrize("where", ["http://127.0.0.1", "http://[::1]:300", "http://0.0.0.0:8000/"])
def test_other_addresses_are_accepted(tmp_path, where):
    path = tmp_path / "hub.toml"
    path.write_text(MODEL.read_text(encoding="utf-8") + f'indirizzo = "{where}"\n', encoding="utf-8")
    assert read_settings(path).indirizzo == where


def test_a_missing_file_or_line_says_what_to_do(tmp_path):
    with pytest.raises(CorsoError, match=r"deploy/jupyterhub/hub.toml"):
        read_settings(tmp_path / "nulla.toml")
    path = tmp_path / "hub.toml"
    path.write_text('docente = "docente"\n', encoding="utf-8")
    with pytest.raises(CorsoError, match="manca «cartella_docente»"):
        read_settings(path)
