"""Il capostipite del box: carica Python, IPython e NumPy una volta, poi genera un processo per passata.

Non esegue mai codice dell'allievo e non vede mai argomenti o valori: quelli vanno sul filo del figlio.
Uso: python -m corso_box.server LEGGI SCRIVI isolato|nudo MODULO…   (il comando del giudice arriva su stdin)
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import itertools
import os
import select
import signal
import sys
import tempfile
import time

from . import pupil, wire
from .recorder import make_shell

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36
TICK = 0.02
WORK, MATPLOTLIB = "/tmp/lavoro", "/tmp/mpl"
MANY = 500  # file o cartelle che si tolgono fra una passata e l'altra


def main() -> None:
    """Prepara il processo capostipite e obbedisce al giudice finché stdin resta aperto."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # setpriv ha cancellato la richiesta di --die-with-parent
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # il solo segnale che Python ascolterebbe
    read_fd, write_fd, isolated = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "isolato"
    control_in, control_out = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1):
        os.dup2(null, fd)
    work = WORK if isolated else tempfile.mkdtemp(prefix="corso-nudo-")
    places = (WORK, "/tmp", MATPLOTLIB) if isolated else (work,)
    kept = {os.path.join(place, name) for place in places for name in os.listdir(place)}
    for name in sys.argv[4:]:
        importlib.import_module(name)
    shell = make_shell()
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    _prctl(PR_SET_DUMPABLE, 0)  # nessun figlio può leggerne la memoria o rubarne i descrittori
    pupil.write_all(control_out, wire.pack({"kind": "ready"}))
    while True:
        try:
            header, _ = pupil.read_frame(control_in)
        except EOFError:
            return
        if header["kind"] == "stop":  # il figlio era già finito da solo
            continue
        for fd in (read_fd, write_fd):  # condivisi: una passata di prima può averne cambiato le opzioni
            os.set_blocking(fd, True)
        child = os.fork()
        if child == 0:
            os.dup2(null, 2)
            os.close(control_in), os.close(control_out)
            _be_pupil(shell, read_fd, write_fd, header["silent"], work)
        pupil.write_all(control_out, wire.pack({"kind": "started"}))
        status = _wait(child, control_in)
        _end_everything(isolated, child)
        if not _clean(places, kept):
            return
        _drain(read_fd)
        pupil.write_all(control_out, wire.pack({"kind": "ended", "status": status}))


def _be_pupil(shell: object, read_fd: int, write_fd: int, silent: bool, work: str) -> None:
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(work)
    sys.path.append(work)  # per ultima: vi si importa ciò che %%writefile scrive, non vi si copre nulla
    _prctl(PR_SET_DUMPABLE, 1)
    try:
        pupil.serve(shell, read_fd, write_fd, silent)
    finally:
        os._exit(70)


def _wait(child: int, control_in: int) -> int | None:
    """Attende che il figlio muoia, o che il giudice dica basta (None)."""
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        ready, _, _ = select.select([control_in], [], [], TICK)
        if ready:
            pupil.read_frame(control_in)  # l'unico messaggio possibile qui è «stop»
            return None


def _end_everything(isolated: bool, child: int) -> None:
    """Uccide e raccoglie ogni processo rimasto, nipoti e orfani compresi (senza isolamento: quel che può)."""
    for attempt in itertools.count():
        if attempt > 100 and not isolated:
            return
        if isolated:
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def _clean(places: tuple[str, ...], kept: set[str]) -> bool:
    """Ogni passata trova le cartelle com'erano all'avvio: una cella che crea un file può girare due volte.

    kept: ciò che c'era all'avvio (anche il corso stesso, se sta sotto /tmp)
    False se non si riesce in fretta (troppi file, cartelle manomesse): allora il box è da rifare.
    """
    try:
        for place in places:
            if os.path.islink(place) or os.listxattr(place) or not _open_to_all(place):
                return False
            new = [path for name in os.listdir(place) if (path := os.path.join(place, name)) not in kept]
            if len(new) > MANY:
                return False
            for path in new:
                if os.path.islink(path) or not os.path.isdir(path):
                    os.unlink(path)
                else:
                    _remove(path)
            os.utime(place)  # le ore della cartella non dicono nulla di chi vi ha scritto
    except OSError:
        return False
    return True


def _open_to_all(place: str) -> bool:
    """Se nessuno ha tolto permessi alla cartella: da utente è di chi vi ha girato."""
    return os.stat(place).st_mode & 0o777 in (0o777, 0o700)  # 0o700: senza isolamento


def _remove(path: str) -> None:
    """Toglie una cartella, anche senza permessi. Solleva OSError se è grande o profonda."""
    found, files = [path], 0
    for folder in found:
        os.chmod(folder, 0o700)
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    found.append(entry.path)
                else:
                    os.unlink(entry.path)
                    files += 1
                    if files > MANY:  # toglierli tutti consumerebbe il tempo di CPU del capostipite
                        raise OSError("troppi file")
        if len(found) > MANY or len(folder) > 3_000:
            raise OSError("troppe cartelle")
    for folder in reversed(found):
        os.rmdir(folder)


def _drain(fd: int) -> None:
    while select.select([fd], [], [], 0)[0] and os.read(fd, 1 << 16):
        pass


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
