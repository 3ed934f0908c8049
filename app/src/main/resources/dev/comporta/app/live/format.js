// Formats figures for the page.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export const count = (number) => whole.format(number ?? 0);

export const rate = (number) => (number >= 10 ? whole : tenth).format(number ?? 0);

/** A duration in milliseconds; a dash if there was nothing to measure. */
export function millis(number) {
  if (number === null || number === undefined) return "–";
  if (number < 1) return number === 0 ? "0 ms" : `${number.toFixed(1)} ms`;
  if (number < 1000) return `${Math.round(number)} ms`;
  if (number < 60_000) return `${tenth.format(number / 1000)} s`;
  const seconds = Math.round(number / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

export const time = (at) => clock.format(at);

export const plural = (number, one, many = one + "s") => `${count(number)} ${number === 1 ? one : many}`;

export const words = (name) => (name ?? "").replaceAll("_", " ");
