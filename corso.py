# -*- coding: utf-8 -*-
"""Avvia «Chiave di lettura»: prepara l'ambiente .venv quando serve e passa la mano al comando `corso`.

    python3 corso.py apri       (su Windows: py corso.py apri)

Usa soltanto la libreria standard. Anche un Python vecchissimo deve arrivare fino a dire quale versione
occorre: perciò qui niente f-string, annotazioni, := e tutto ciò che un Python 2.7 non saprebbe leggere.
"""

import os
import sys

OLDEST = (3, 11)


def complain(sentence):
    """Scrive una frase su stderr; restituisce lo stato d'uscita di chi non è riuscito."""
    sys.stderr.write("corso: " + sentence + "\n")
    return 1


def refuse_old_python():
    """Dice che cosa serve e, se c'è, quale Python già installato va bene."""
    found = "%d.%d" % tuple(sys.version_info[:2])
    remedy = "installa Python 3.11 da https://www.python.org/downloads/ e riprova con quello."
    folders = os.environ.get("PATH", "").split(os.pathsep)
    for minor in range(20, OLDEST[1] - 1, -1):
        name = "python3.%d" % minor
        if any(os.path.exists(os.path.join(folder, name)) for folder in folders):
            remedy = "riprova con %s corso.py %s" % (name, " ".join(sys.argv[1:]) or "apri")
    return complain("serve Python 3.11 o successivo, questo è il %s: %s" % (found, remedy))


if sys.version_info < OLDEST:
    sys.exit(refuse_old_python())

import errno
import hashlib
import shutil
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
DISCARDED = ROOT / ".venv-da-cancellare"
LOCK_FILE = ROOT / ".venv.lock"
STATE = VENV / "corso-stato.txt"  # «in corso», oppure impronta e cartella dell'installazione finita
LOG = VENV / "installazione.log"
REQUIREMENTS = ROOT / "requirements.lock"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
UNFINISHED = "in corso"
NEEDED_MB = 1000  # un'installazione completa ne occupa circa 800; il resto serve ai file temporanei

# Che cosa cercare nel registro di uv o di pip, e che cosa dire: la prima riga che combacia decide.
DISK_FULL = ("no space left", "os error 28", "errno 28", "os error 112", "not enough space", "disk quota")
NO_NETWORK = (
    "name resolution", "name or service not known", "nodename nor servname", "getaddrinfo failed",
    "failed to establish a new connection", "network is unreachable", "error sending request", "max retries",
    "connection refused", "connection reset", "timed out", "timeouterror", "proxyerror", "failed to fetch",
    "dns error", "certificate verify failed", "tunnel connection failed",
)
NOT_ALLOWED = ("permission denied", "read-only file system", "operation not permitted", "access is denied")


class SetupError(Exception):
    """Una frase in italiano con il rimedio: si stampa così com'è."""


def main(argv):
    """Prepara l'ambiente se non è pronto, poi esegue `corso` con gli stessi argomenti."""
    try:
        from course_lib import cli  # solo libreria standard: per l'aiuto non serve installare nulla

        if not argv or argv[0] not in cli.COMMANDS:
            return cli.main(argv)
        if not is_ready():
            with_lock(install)
        return hand_over(argv)
    except SetupError as error:
        return complain(str(error))
    except OSError as error:
        return complain(explain_os_error(error))
    except KeyboardInterrupt:
        complain("interrotto; per riprendere ripeti lo stesso comando.")
        return 130


# --- è già pronto? -----------------------------------------------------------------------------

def is_ready():
    """Vero se l'installazione è finita, è di questa cartella e il suo Python funziona."""
    return read_state() == [fingerprint(), str(ROOT)] and runs("import course_lib.cli")


def is_reusable():
    """Vero se .venv si può aggiornare invece di rifarlo: intero, nato qui, con un buon Python."""
    state = read_state()
    if state == [UNFINISHED] or state[1:] not in ([], [str(ROOT)]):
        return False
    return runs("import pip, sys; assert sys.version_info >= (3, 11)")


def read_state():
    """Righe del file di stato: impronta e cartella, oppure «in corso», oppure nessuna."""
    try:
        return STATE.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return []


def fingerprint():
    """Impronta di ciò da cui dipende l'installazione: versioni fissate, progetto, cartella, Python."""
    digest = hashlib.sha256(str(ROOT).encode("utf-8", "surrogateescape"))
    for path in (REQUIREMENTS, ROOT / "pyproject.toml"):
        try:
            digest.update(path.read_bytes())
        except FileNotFoundError:
            raise SetupError("manca %s: questa copia del corso è incompleta, scaricala di nuovo." % path.name)
    try:
        digest.update((VENV / "pyvenv.cfg").read_bytes())
    except OSError:
        pass
    return digest.hexdigest()


def runs(code):
    """Vero se il Python di .venv esegue `code`."""
    try:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.call([str(PYTHON), "-I", "-c", code], env=clean_env(), **quiet) == 0
    except OSError:
        return False


# --- installare --------------------------------------------------------------------------------

def with_lock(action):
    """Esegue `action(lucchetto)` se nessun altro sta già installando qui."""
    with open(str(LOCK_FILE), "ab") as handle:
        try:
            if os.name == "nt":
                import msvcrt

                msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK):
                raise SetupError("un'altra finestra sta preparando il corso: aspetta che finisca.")
        action(handle)


def install(lock):
    """Crea .venv, o lo aggiorna, e ci mette le librerie fissate e il corso."""
    uv = shutil.which("uv")
    reusable = is_reusable()
    if not reusable:
        if not uv:
            check_modules()
        discard_venv()
        check_space()
        say("Preparo il corso: la prima volta servono qualche minuto, la rete e circa 800 MB di disco.")
        VENV.mkdir()
    STATE.write_text(UNFINISHED, encoding="utf-8")
    if not reusable:
        if uv:
            create = [uv, "venv", "--allow-existing", "--python", sys.executable, str(VENV)]
        else:
            create = [sys.executable, "-m", "venv", str(VENV)]
        step("1/3 ambiente Python", create, lock)
    into = [uv, "pip", "install", "--python", str(PYTHON)] if uv else [str(PYTHON), "-m", "pip", "install"]
    step("2/3 librerie", into + ["-r", str(REQUIREMENTS)], lock)
    step("3/3 corso", into + ["--no-build-isolation", "--no-deps", "-e", str(ROOT)], lock)
    if not runs("import course_lib.cli"):
        raise SetupError("installato, ma il corso non parte: cancella la cartella .venv e riprova.")
    STATE.write_text(fingerprint() + "\n" + str(ROOT), encoding="utf-8")


def check_modules():
    """Solleva SetupError se mancano i moduli per fare un ambiente, come in Debian senza python3-venv."""
    try:
        import venv  # noqa: F401
        from ensurepip import version  # noqa: F401
    except ImportError:
        remedy = "reinstalla Python 3.11 da https://www.python.org/downloads/ e riprova con quello."
        if os.path.exists("/etc/debian_version"):
            remedy = "installali con «sudo apt install python3.%d-venv» e riprova." % sys.version_info[1]
        raise SetupError("a questo Python mancano i moduli venv ed ensurepip: " + remedy)


def check_space():
    """Solleva SetupError se il disco è troppo pieno per un'installazione da capo."""
    free = shutil.disk_usage(str(ROOT)).free // 10**6
    if free < NEEDED_MB:
        raise SetupError(
            "nel disco che contiene %s restano %d MB e ne servono circa %d: libera spazio e riprova."
            % (ROOT, free, NEEDED_MB)
        )


def discard_venv():
    """Toglie un .venv rotto o interrotto. Prima lo rinomina: così non resta mai un .venv a metà."""
    shutil.rmtree(str(DISCARDED), ignore_errors=True)
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    elif VENV.is_dir():
        known = ("pyvenv.cfg", STATE.name, "bin", "Scripts")
        if any(VENV.iterdir()) and not any((VENV / name).exists() for name in known):
            raise SetupError("la cartella .venv contiene altro, non un ambiente Python: spostala e riprova.")
        VENV.rename(DISCARDED)
        shutil.rmtree(str(DISCARDED), ignore_errors=True)


def step(label, command, lock):
    """Esegue un passo tenendo nel registro ciò che stampa; a schermo resta una riga sola."""
    started = time.time()
    offset = LOG.stat().st_size if LOG.exists() else 0
    inherit = {} if os.name == "nt" else {"pass_fds": [lock.fileno()]}  # il lucchetto dura quanto il passo
    with open(str(LOG), "ab") as log:
        log.write(("\n$ %s\n" % " ".join(command)).encode("utf-8", "replace"))
        log.flush()
        channels = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": subprocess.STDOUT}
        channels.update(inherit)
        process = subprocess.Popen(command, env=clean_env(), **channels)
        try:
            while process.poll() is None:
                if sys.stderr.isatty():
                    sys.stderr.write("\r  %s … %d s " % (label, time.time() - started))
                    sys.stderr.flush()
                time.sleep(0.2)
        except KeyboardInterrupt:
            process.terminate()
            process.wait()
            sys.stderr.write("\n")
            raise
    done = process.returncode == 0
    start = "\r" if sys.stderr.isatty() else ""
    say(("%s  %s: %s" % (start, label, "fatto" if done else "non riuscito")).ljust(40))
    if not done:
        with open(str(LOG), "rb") as log:
            log.seek(offset)
            raise SetupError(explain_log(log.read().decode("utf-8", "replace").lower()))


def explain_log(text):
    """La frase giusta per ciò che uv o pip hanno scritto."""
    if any(sign in text for sign in DISK_FULL) or shutil.disk_usage(str(ROOT)).free < 20 * 10**6:
        return "il disco è pieno: servono circa %d MB liberi; libera spazio e riprova." % NEEDED_MB
    if any(sign in text for sign in NO_NETWORK):
        return "non riesco a scaricare le librerie: controlla la connessione a Internet o il proxy e riprova."
    if any(sign in text for sign in NOT_ALLOWED):
        return "non ho il permesso di scrivere in %s: sposta il corso in una cartella tua e riprova." % ROOT
    sentence = "l'installazione non è riuscita: leggi perché in %s e riprova" % LOG
    tested = sys.version_info[:2] == OLDEST
    return sentence + ("." if tested else ", meglio con Python 3.11: gli altri non sono provati.")


def explain_os_error(error):
    """La frase giusta per un errore del sistema operativo durante la preparazione."""
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        return explain_log(DISK_FULL[0])
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        where = error.filename or ROOT
        return "non posso scrivere in %s: chiudi JupyterLab, o copia il corso in una cartella tua." % where
    return "il sistema risponde «%s»; cancella la cartella %s e riprova." % (error, VENV)


def clean_env():
    """L'ambiente senza le variabili che farebbero cercare a .venv le librerie di un altro Python."""
    unwanted = ("PYTHONHOME", "PYTHONPATH", "__PYVENV_LAUNCHER__", "PIP_TARGET", "PIP_PREFIX", "PIP_USER")
    env = {name: value for name, value in os.environ.items() if name not in unwanted}
    env["VIRTUAL_ENV"] = str(VENV)
    env["PATH"] = str(PYTHON.parent) + os.pathsep + env.get("PATH", os.defpath)
    env.setdefault("PIP_DISABLE_PIP_VERSION_CHECK", "1")
    env.setdefault("PIP_RETRIES", "2")
    return env


def hand_over(argv):
    """Esegue il comando `corso` di .venv al posto di questo processo."""
    command = [str(PYTHON), "-P", "-m", "course_lib.cli"] + argv
    if os.name == "nt":
        return subprocess.call(command, env=clean_env())
    sys.stderr.flush()
    os.execve(command[0], command, clean_env())


def say(sentence):
    """Una riga di avanzamento."""
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
