"""Come il corso scrive i numeri: virgola decimale, spazi sottili, assi con un nome.

Solo libreria standard: il modulo si usa da ogni piano, anche nella scatola dell'allievo.
Accetta numeri e array di NumPy perché chiede loro soltanto `tolist()`.
"""

from __future__ import annotations

import html
import math
import numbers

MINUS = "\N{MINUS SIGN}"
THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"
QUERY_AXIS = "chi guarda"
KEY_AXIS = "chi è guardato"
MOST_DIGITS = 3                  # quante cifre decimali, se non lo si chiede
MOST_SHOWN = 12                  # quante righe o colonne si scrivono prima di «…»
HUGE = 10**300                   # da qui un intero si dice a parole: oltre 10³⁰⁸ non è nemmeno un float


def number(value, digits=None, sign=False):
    """Scrive un numero all'italiana, con la virgola: «−1234,50», «65 504».

    digits: cifre decimali; se manca, quante ne servono fino a 3   sign: scrive anche il +
    Un numero enorme, o (se digits manca) troppo piccolo per tre cifre, è scritto con la potenza di 10; un
    intero di centinaia di cifre, a parole.
    """
    if isinstance(value, numbers.Integral) and abs(int(value)) >= HUGE:
        return f"un intero {'negativo ' if value < 0 else ''}di {number(_length(abs(int(value))))} cifre"
    if isinstance(value, numbers.Integral) and not digits:
        return _signed(_grouped(str(abs(int(value)))), int(value), sign)
    value = float(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return _signed("∞", value, sign)
    if abs(value) >= 1e15 or (digits is None and 0 < abs(value) < 0.5 * 10**-MOST_DIGITS):
        return _signed(_scientific(abs(value)), value, sign)
    if digits is None:
        digits = digits_needed([value])
    rounded = float(f"{value:.{digits}f}")
    whole, _, decimals = f"{abs(rounded):.{digits}f}".partition(".")
    text = f"{_grouped(whole)},{decimals}" if decimals else _grouped(whole)
    return _signed(text, rounded, sign)


def vector(values, digits=None):
    """Scrive un vettore come «(0,5; 0,5)», con le stesse cifre decimali per ogni componente.

    values: (n,)   digits: come in number
    """
    values = _plain(values)
    digits = digits_needed(values) if digits is None else digits
    return f"({'; '.join(_cell(v, digits) for v in _cut(values))})"


def array_text(values, digits=None):
    """Scrive un numero, un vettore, una matrice o un array con più assi, qualunque sia il contenuto.

    Una matrice ha una riga per linea; con più assi, ogni matrice è preceduta dal suo indice.
    Ciò che non è un numero è scritto com'è: serve a mostrare anche un risultato sbagliato.
    """
    values = _plain(values)
    depth = _depth(values)
    if depth == 0:
        return number(values, digits) if _is_number(values) else repr(values)
    digits = digits_needed(_flat(values)) if digits is None else digits
    if depth == 1:
        return vector(values, digits)
    if depth == 2:
        rows = [[row] if row is ... else _cut(row) for row in _cut(values)]
        return _aligned([[_cell(v, digits) for v in row] for row in rows])
    blocks = []
    for i, block in enumerate(values[:MOST_SHOWN]):
        text = array_text(block, digits)
        blocks.append(f"[{i}]\n{text}" if depth == 3 else text.replace("[", f"[{i}, "))
    return "\n".join([*blocks, "…"] if len(values) > MOST_SHOWN else blocks)


def digits_needed(values):
    """Quante cifre decimali, al più 3, bastano a scrivere tutti i valori con la stessa precisione."""
    most = 0
    for value in values:
        if _is_number(value) and not isinstance(value, numbers.Integral) and math.isfinite(value):
            most = max(most, len(f"{float(value):.{MOST_DIGITS}f}".rstrip("0").partition(".")[2]))
    return most


def read_number(text):
    """Legge un numero scritto con la virgola o con il punto: «0,665», «−2», «10 000», «1/3».

    Solleva ValueError se non è un numero.
    """
    cleaned = "".join(str(text).split()).replace(MINUS, "-").replace(",", ".")
    above, slash, below = cleaned.partition("/")
    try:
        value = float(above) / float(below) if slash else float(cleaned)
    except (ValueError, ZeroDivisionError):
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"«{text}» non è un numero: scrivilo per esempio 0,25.")
    return value


class Table:
    """Una tabella con gli assi nominati, che si mostra come testo, come HTML o in Markdown.

    values: (L, S), None dove non c'è nulla   rows, columns: i nomi delle L righe e delle S colonne
    row_axis, column_axis: che cosa sono righe e colonne   total: aggiunge Σ, la somma di ogni riga
    """

    def __init__(
        self,
        values,
        rows,
        columns,
        *,
        digits=3,
        total=True,
        title="",
        row_axis=QUERY_AXIS,
        column_axis=KEY_AXIS,
    ):
        values = [list(row) for row in _plain(values)]
        rows, columns = [str(name) for name in rows], [str(name) for name in columns]
        if len(values) != len(rows) or any(len(row) != len(columns) for row in values):
            raise ValueError(
                f"values: mi aspettavo {len(rows)} righe e {len(columns)} colonne, quanti sono i nomi, "
                f"sono arrivate righe lunghe {[len(row) for row in values]}."
            )
        self.title, self.row_axis, self.column_axis = title, row_axis, column_axis
        self.rows = rows
        self.columns = [*columns, "Σ"] if total else columns
        self.cells = [
            [_cell(v, digits) for v in ([*row, _sum(row)] if total else row)] for row in values
        ]

    def __str__(self):
        """La tabella in caratteri, con le colonne allineate a destra."""
        names = [f"{self.row_axis} ↓", *self.rows]
        width = max(len(name) for name in names)
        grid = _aligned([self.columns, *self.cells]).splitlines()
        lines = [f"{name.ljust(width)}  {line}" for name, line in zip(names, grid, strict=True)]
        head = f"{' ' * width}  {self.column_axis} →"
        return "\n".join([*([self.title] if self.title else []), head, *lines])

    __repr__ = __str__

    def markdown(self):
        """La tabella in Markdown."""
        head = [f"{self.row_axis} ↓ · {self.column_axis} →", *self.columns]
        lines = [head, ["---", *("---:" for _ in self.columns)]]
        lines += [[f"**{name}**", *cells] for name, cells in zip(self.rows, self.cells, strict=True)]
        text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return f"{self.title}\n\n{text}" if self.title else text

    def html(self):
        """La tabella in HTML, con le intestazioni legate alle celle per chi usa un lettore di schermo."""
        head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in self.columns)
        body = ""
        for name, cells in zip(self.rows, self.cells, strict=True):
            data = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
            body += f'<tr><th scope="row">{html.escape(name)}</th>{data}</tr>'
        caption = f"<caption>{html.escape(self.title)}</caption>" if self.title else ""
        corner = html.escape(f"{self.row_axis} ↓ · {self.column_axis} →")
        top = f"<thead><tr><th>{corner}</th>{head}</tr></thead>"
        return f"<table>{caption}{top}<tbody>{body}</tbody></table>"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": str(self), "text/html": self.html()}


def table(values, rows, columns=None, **options):
    """Tabella con gli assi nominati: righe «chi guarda», colonne «chi è guardato», Σ della riga.

    values: (L, S)   rows: L nomi   columns: S nomi; se mancano, sono gli stessi delle righe
    options: digits, total, title, row_axis, column_axis, come in Table
    """
    return Table(values, rows, rows if columns is None else columns, **options)


def _signed(text, value, sign):
    if value < 0:
        return MINUS + text
    return "+" + text if sign and value > 0 else text


def _length(value):
    """Quante cifre ha un intero positivo, senza scriverle: oltre qualche migliaio Python si rifiuta."""
    power = int(math.log10(value))
    return power + (value >= 10**power) + (value >= 10 ** (power + 1))


def _grouped(whole):
    """Spazio sottile ogni tre cifre, da cinque cifre in su."""
    return f"{int(whole):,}".replace(",", THIN_SPACE) if len(whole) > 4 else whole


def _scientific(value):
    mantissa, _, exponent = f"{value:.2e}".partition("e")
    power = str(int(exponent)).translate(str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"))
    return f"{mantissa.replace('.', ',')}·10{power}"


def _plain(values):
    """Gli array di NumPy come liste; il resto com'è."""
    return values.tolist() if hasattr(values, "tolist") else values


def _is_number(value):
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _cell(value, digits):
    value = _plain(value)
    if value is None or value is Ellipsis:
        return "–" if value is None else "…"
    if not _is_number(value):
        return str(value)
    tiny = 0 < abs(value) < 0.5 * 10**-MOST_DIGITS and digits < MOST_DIGITS
    return number(value) if tiny else number(value, digits)


def _sum(row):
    return math.fsum(value for value in row if value is not None)


def _depth(values):
    """Quanti assi ha una lista di liste; conta quelli della prima catena di elementi."""
    depth = 0
    while isinstance(values, (list, tuple)):
        depth += 1
        if not values:
            break
        values = _plain(values[0])
    return depth


def _flat(values):
    for value in values:
        value = _plain(value)
        if isinstance(value, (list, tuple)):
            yield from _flat(value)
        else:
            yield value


def _cut(values):
    values = list(values)
    return values if len(values) <= MOST_SHOWN else [*values[: MOST_SHOWN - 1], ..., values[-1]]


def _aligned(lines):
    width = max((len(line) for line in lines), default=0)
    widths = [max(len(line[i]) for line in lines if i < len(line)) for i in range(width)]
    return "\n".join(
        "  ".join(cell.rjust(w) for cell, w in zip(line, widths, strict=False)) for line in lines
    )
