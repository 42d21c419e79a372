"""Esegue le celle con IPython e ne tiene le uscite: testo, figure, errori, con un tetto a ciascuna."""

from __future__ import annotations

import base64
import os
import sys

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

MAX_TEXT = 20_000  # caratteri di uscita per cella
MAX_PICTURES = 6
MAX_PICTURE = 700_000  # byte di un PNG


class Recorder:
    """Le uscite di una cella nell'ordine in cui arrivano, come in un file .ipynb."""

    def __init__(self) -> None:
        self.silent = False
        self.clear()

    def clear(self) -> None:
        """Dimentica le uscite della cella di prima."""
        self.outputs: list[dict] = []
        self.left = MAX_TEXT
        self.pictures = 0

    def text(self, name: str, text: str) -> None:
        """Tiene un testo scritto su stdout o stderr, fino al tetto."""
        if self.silent or not text or self.left <= 0:
            return
        self.left -= len(text)
        if self.left <= 0:
            text = text[: len(text) + self.left] + "\n… (uscita troppo lunga: il resto non è stato tenuto)\n"
        last = self.outputs[-1] if self.outputs else {}
        if last.get("output_type") == "stream" and last["name"] == name:
            last["text"] += text
        else:
            self.outputs.append({"output_type": "stream", "name": name, "text": text})

    def display(self, data: dict, kind: str = "display_data") -> None:
        """Tiene un'immagine PNG, altrimenti il testo semplice; niente HTML né script."""
        if self.silent:
            return
        png = data.get("image/png")
        if png is not None and self.pictures < MAX_PICTURES:
            raw = base64.b64encode(png).decode("ascii") if isinstance(png, bytes) else str(png)
            if len(raw) < MAX_PICTURE * 4 // 3:
                self.pictures += 1
                kept = {"image/png": raw}
                if kind == "display_data" and isinstance(data.get("text/plain"), str):
                    kept["text/plain"] = data["text/plain"][:2_000]
                self.outputs.append({"output_type": "display_data", "data": kept})
                return
        if isinstance(data.get("text/plain"), str):
            self.text("stdout", data["text/plain"] + "\n")

    def error(self, name: str, message: str, line: str) -> None:
        """Tiene un errore: nome, messaggio, riga."""
        if not self.silent:
            self.outputs.append(
                {"output_type": "error", "name": name, "message": message[:2_000], "line": line}
            )


RECORDER = Recorder()


class _Stream:
    """Sta al posto di sys.stdout e sys.stderr."""

    encoding, errors, closed = "utf-8", "replace", False

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, text: str) -> int:
        RECORDER.text(self.name, str(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True


class _Publisher(DisplayPublisher):
    def publish(self, data, metadata=None, *args, **kwargs):
        RECORDER.display(data)

    def clear_output(self, wait=False):
        RECORDER.outputs.clear()


class _Hook(DisplayHook):
    def write_output_prompt(self):
        pass

    def write_format_data(self, format_dict, md_dict=None):
        RECORDER.display(format_dict, "execute_result")

    def compute_format_data(self, result):
        return ({}, {}) if RECORDER.silent else super().compute_format_data(result)

    def log_output(self, format_dict):
        pass


class _Shell(InteractiveShell):
    display_pub_class = _Publisher
    displayhook_class = _Hook

    def enable_gui(self, gui=None):
        """`%matplotlib inline` la chiama: qui non c'è finestra da aprire."""

    def ask_exit(self):
        """`exit()` in una cella non chiude il box."""

    def _showtraceback(self, etype, evalue, stb):
        """Di un errore restano nome, messaggio e la riga della cella: nessun traceback."""
        RECORDER.error(etype.__name__, _message(evalue), _cell_line(evalue))


def _message(error: BaseException) -> str:
    try:
        return str(error.msg if isinstance(error, SyntaxError) else error)
    except Exception:
        return ""


def _cell_line(error: BaseException) -> str:
    """«riga N: testo» dell'ultimo punto della cella toccato dall'errore; "" se non c'è."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f"riga {error.lineno}: {(error.text or '').strip()[:200]}"
    found, trace = "", error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if "ipykernel" in name or name.startswith("<ipython-input"):
            lines = _source_lines(name)
            text = lines[trace.tb_lineno - 1].strip() if trace.tb_lineno <= len(lines) else ""
            found = f"riga {trace.tb_lineno}: {text[:200]}"
        trace = trace.tb_next
    return found


def _source_lines(name: str) -> list[str]:
    import linecache

    return linecache.getlines(name)


def make_shell() -> InteractiveShell:
    """La shell del box, con le uscite deviate sul registratore."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.cache_size = 0
    config.InteractiveShell.colors = "nocolor"
    shell = _Shell.instance(config=config)
    sys.stdout, sys.stderr = _Stream("stdout"), _Stream("stderr")
    os.environ.setdefault("TERM", "dumb")
    return shell


def run_cell(shell: InteractiveShell, source: str, silent: bool) -> dict:
    """Esegue una cella. Restituisce uscite ed errore: {"outputs": [...], "error": nome o None}."""
    RECORDER.clear()
    RECORDER.silent = silent
    result = shell.run_cell(source, store_history=False)
    error = result.error_before_exec or result.error_in_exec
    return {"outputs": RECORDER.outputs, "error": None if error is None else _kind(error)}


def _kind(error: BaseException) -> str:
    return "MemoryError" if isinstance(error, MemoryError) else type(error).__name__[:100]
