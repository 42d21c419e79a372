"""La figura del corso: un PNG sempre uguale, con il testo alternativo e un riassunto in parole.

Colori e carattere sono fissati qui e non dipendono dal tema del lettore, dal suo matplotlibrc
né dai caratteri installati: DejaVu Sans è distribuito insieme a matplotlib.
"""

from __future__ import annotations

import base64
import io
import textwrap
import warnings
from contextlib import contextmanager

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap, Normalize, to_rgb
from matplotlib.figure import Figure

POSITIVE = "#2166AC"
NEGATIVE = "#B2182B"
BACKGROUND = "#FFFFFF"
INK = "#1A1A1A"
SOFT_INK = "#555555"
LINE = "#BBBBBB"
BAND = "#EEF2F6"
SHADES = LinearSegmentedColormap.from_list("corso", [NEGATIVE, BACKGROUND, POSITIVE])

MARGIN = 0.25                    # pollici di bianco ai lati
SCREEN_DPI = 96                  # pixel per pollice con cui la figura si mostra
FILE_DPI = 192                   # il doppio: nitida anche sugli schermi densi

_STYLE = {
    "font.family": "DejaVu Sans",
    "mathtext.fontset": "dejavusans",
    "font.size": 11,
    "figure.facecolor": BACKGROUND,
    "savefig.facecolor": BACKGROUND,
    "text.color": INK,
    "axes.edgecolor": SOFT_INK,
    "axes.labelcolor": INK,
    "axes.unicode_minus": True,
    "xtick.color": INK,
    "ytick.color": INK,
    "hatch.linewidth": 0.6,
}


class Picture:
    """Una figura pronta da mostrare in un notebook o da salvare.

    png: i byte dell'immagine   alt: che cosa si vede, per chi non la vede
    summary: il riassunto con i numeri principali, mostrato dove le immagini non ci sono
    width, height: le dimensioni a schermo, in pixel
    """

    def __init__(self, png, alt, summary, width, height):
        self.png, self.alt, self.summary = png, alt, summary
        self.width, self.height = width, height

    def __repr__(self):
        """Il riassunto in parole."""
        return self.summary

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {"image/png": base64.b64encode(self.png).decode("ascii"), "text/plain": self.summary}
        return data, {"image/png": {"alt": self.alt, "width": self.width, "height": self.height}}

    def save(self, path):
        """Scrive il PNG nel file path."""
        with open(path, "wb") as file:
            file.write(self.png)


@contextmanager
def drawing(width, height, title, subtitle=""):
    """Apre un foglio nello stile del corso, con il titolo già scritto in alto a sinistra.

    width, height: pollici della parte sotto il titolo; le coordinate sono i pollici, y verso il basso
    title: dice che cosa si trova nella figura   subtitle: una riga di spiegazione
    Dà (figure, axes). Tutto ciò che si disegna, `finish` compreso, sta dentro il blocco `with`.
    """
    lines = textwrap.wrap(title, int((width - 2 * MARGIN) / 0.117))
    small = textwrap.wrap(subtitle, int((width - 2 * MARGIN) / 0.079))
    top = 0.32 + 0.27 * len(lines) + 0.23 * len(small)
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        figure = Figure(figsize=(width, top + height), dpi=FILE_DPI)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, width)
        axes.set_ylim(height, -top)
        for i, line in enumerate(lines):
            axes.text(MARGIN, -top + 0.33 + 0.27 * i, line, fontsize=13, fontweight="bold", va="center")
        for i, line in enumerate(small):
            y = -top + 0.36 + 0.27 * len(lines) + 0.23 * i
            axes.text(MARGIN, y, line, fontsize=10, color=SOFT_INK, va="center")
        yield figure, axes


def finish(figure, alt, summary):
    """Chiude il foglio in una Picture. I byte del PNG non portano date né versioni."""
    stream = io.BytesIO()
    with warnings.catch_warnings():      # un carattere che DejaVu non ha (😀) diventa un riquadro: si vede
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(stream, format="png", dpi=FILE_DPI, metadata={"Software": None})
    width, height = figure.get_size_inches()
    return Picture(stream.getvalue(), alt, summary, round(width * SCREEN_DPI), round(height * SCREEN_DPI))


def shade(value, largest):
    """Colore di una cella e del numero che vi si scrive: bianco a 0, blu se positivo, rosso se negativo.

    Il numero è nero o bianco, quello dei due che contrasta di più: mai meno di 4,5 a 1.
    """
    fill = SHADES(Normalize(-(largest or 1), largest or 1)(value))
    return fill, ("#000000" if luminance(fill) > 0.183 else "#FFFFFF")


def luminance(color):
    """Luminanza relativa di un colore, fra 0 e 1. Fonte: WCAG 2.2."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
