// Blu il positivo, rosso il negativo, bianco lo zero, in tutt'e due i temi; il numero contrasta sempre.
const POSITIVE = [0x21, 0x66, 0xac];
const NEGATIVE = [0xb2, 0x18, 0x2b];
export const OKABE_ITO = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"];
export const DASHES = ["", "7 3", "2 3", "9 3 2 3", "12 4", "4 2", "1 2", "6 2 1 2 1 2"];

// Colore di una cella e del numero che vi si scrive.
export function shade(value, largest) {
  const part = Math.max(-1, Math.min(1, value / (largest || 1)));
  const full = part < 0 ? NEGATIVE : POSITIVE;
  const rgb = full.map((c) => Math.round(255 + (c - 255) * Math.abs(part)));
  return { fill: `rgb(${rgb.join(",")})`, ink: luminance(rgb) > 0.183 ? "#000000" : "#FFFFFF" };
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
