// I numeri all'italiana, come li scrive notation.number: virgola, spazio sottile, segno meno vero.
const MINUS = "\u2212";
const THIN_SPACE = "\u202f";
const MOST_DIGITS = 3;

export function formatNumber(value, digits = null, signed = false) {
  if (value === null || value === undefined) return "–";
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return withSign("∞", value, signed);
  const size = Math.abs(value);
  if (size >= 1e15 || (digits === null && size > 0 && size < 0.5 * 10 ** -MOST_DIGITS)) {
    return withSign(scientific(size), value, signed);
  }
  const text = rounded(size, digits === null ? digitsNeeded([value]) : digits);
  const [whole, decimals] = text.split(".");
  const shown = decimals ? `${grouped(whole)},${decimals}` : grouped(whole);
  return withSign(shown, Number(text) === 0 ? 0 : value, signed);
}

// Quante cifre decimali, al più tre, bastano a tutti i valori.
export function digitsNeeded(values) {
  let most = 0;
  for (const value of values) {
    if (value === null || !Number.isFinite(value) || Number.isInteger(value)) continue;
    const decimals = rounded(Math.abs(value), MOST_DIGITS).replace(/0+$/, "").split(".")[1] || "";
    most = Math.max(most, decimals.length);
  }
  return most;
}

// Legge un numero scritto con la virgola o con il punto; NaN se non lo è.
export function readNumber(text) {
  const cleaned = text.replace(/\s/g, "").replace(MINUS, "-").replace(",", ".");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(cleaned) ? Number(cleaned) : NaN;
}

// toFixed arrotonda le metà esatte per eccesso, Python al pari: si segue Python.
function rounded(size, digits) {
  const exact = size.toFixed(Math.min(100, digits + 40));
  const cut = exact.length - 40;
  const tail = exact.slice(cut).replace(".", "");
  if (!/^50*$/.test(tail)) return size.toFixed(digits);
  const down = exact.slice(0, digits ? cut : cut - 1);
  return Number(down.slice(-1)) % 2 ? size.toFixed(digits) : down;
}

function withSign(text, value, signed) {
  if (value < 0) return MINUS + text;
  return signed && value > 0 ? "+" + text : text;
}

function grouped(whole) {
  return whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE) : whole;
}

function scientific(size) {
  const exact = size.toExponential(60);
  const half = /^\d\.\d[02468]50*e/.test(exact); // come in rounded: la metà esatta va alla cifra pari
  const [mantissa, exponent] = (half ? exact.slice(0, 4) + exact.slice(exact.indexOf("e")) : size.toExponential(2)).split("e");
  const digits = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
  const power = [...String(Number(exponent))].map((c) => digits[c]).join("");
  return `${mantissa.replace(".", ",")}·10${power}`;
}
