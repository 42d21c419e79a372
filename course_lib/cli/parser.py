"""Un lettore d'argomenti che parla italiano: `argparse` da solo scrive aiuti ed errori in inglese."""

from __future__ import annotations

import argparse
import errno
import re
from pathlib import Path

TITLES = {"positional arguments": "argomenti", "options": "opzioni"}
# messaggio di argparse -> lo stesso in italiano
ERRORS = (
    (r"the following arguments are required: (.*)", r"manca: \1"),
    (r"unrecognized arguments: (.*)", r"argomenti che non conosco: \1"),
    (r"argument (.*?): invalid choice: (.*) \(choose from (.*)\)", r"\1: \2 non è fra le scelte (\3)"),
    (r"argument (.*?): invalid \S+ value: (.*)", r"\1: il valore \2 non è valido"),
    (r"argument (.*?): expected one argument", r"\1: manca il valore"),
    (r"argument (.*?): expected at least one argument", r"\1: serve almeno un valore"),
    (r"argument (.*?): expected (\d+) arguments?", r"\1: servono \2 valori"),
    (r"argument (.*?): (vuole un percorso.*)", r"\1 \2"),
    (r"argument (.*?): not allowed with argument (.*)", r"\1 non si può usare insieme a \2"),
    (r"argument (.*?): ignored explicit argument (.*)", r"\1 non vuole un valore, e invece c'è \2"),
    (r"one of the arguments (.*) is required", r"serve uno fra: \1"),
)


def translate(message: str) -> str:
    """Il messaggio d'errore di argparse in italiano; se è sconosciuto, com'è."""
    for pattern, replacement in ERRORS:
        found = re.fullmatch(pattern, message, flags=re.DOTALL)
        if found:
            return _italian_quotes(found.expand(replacement))
    return message


def _italian_quotes(sentence: str) -> str:
    """Le virgolette di Python diventano « »; nell'elenco delle scelte, fra parentesi, si tolgono."""
    start, opened, choices = sentence.partition("fra le scelte (")
    start = re.sub(r"""'([^']*)'|"([^"]*)\"""", r"«\1\2»", start)
    return start + opened + choices.replace("'", "")


def given_path(text: str) -> Path:
    """Il percorso dato a un'opzione: vuoto (una variabile mai scritta) sarebbe la cartella in cui si è.

    Solleva ArgumentTypeError se è vuoto, o se i suoi collegamenti non portano mai a nulla.
    """
    if not text.strip():
        raise argparse.ArgumentTypeError(
            "vuole un percorso, e qui è vuoto: scrivilo («.» è la cartella in cui sei)."
        )
    path = Path(text)
    try:
        path.stat()
    except OSError as error:  # un altro guaio lo dice chi usa il percorso
        if error.errno == errno.ELOOP:
            raise argparse.ArgumentTypeError(
                f"vuole un percorso, e {text} è un collegamento che torna su sé stesso: scrivine un altro."
            ) from error
    return path


class ItalianFormatter(argparse.HelpFormatter):
    """L'aiuto di argparse con «uso:» al posto di «usage:»."""

    def __init__(self, prog, **options):
        super().__init__(prog, **{"max_help_position": 30, "width": 105, **options})

    def _format_usage(self, usage, actions, groups, prefix):
        return super()._format_usage(usage, actions, groups, "uso: " if prefix is None else prefix)


class ItalianParser(argparse.ArgumentParser):
    """ArgumentParser con titoli, aiuto ed errori in italiano; i sottocomandi lo ereditano."""

    def __init__(self, **options):
        options.setdefault("formatter_class", ItalianFormatter)
        super().__init__(add_help=False, allow_abbrev=False, **options)
        for group in self._action_groups:
            group.title = TITLES.get(group.title, group.title)
        self.add_argument("-h", "--help", action="help", help="mostra questo aiuto ed esce")

    def error(self, message: str):
        """Scrive l'uso e l'errore su stderr; esce con stato 2."""
        self.exit(2, f"{self.format_usage()}{self.prog}: {translate(message)}\n")
