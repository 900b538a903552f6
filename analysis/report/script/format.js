// Numbers and dates as the tables of the page have them.

// digits formats a number to three digits: 5,518, 38.8, 0.366.
function digits(x) {
  if (!x) return "0";
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(x)) + 1e-12));
  return x.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

// time formats seconds: 1.60 ms.
function time(seconds) {
  if (!seconds) return "";
  const [unit, factor] = seconds < 1e-3 ? ["µs", 1e6] : seconds < 1 ? ["ms", 1e3] : ["s", 1];
  return `${digits(seconds * factor)} ${unit}`;
}

// micro formats microseconds.
const micro = (us) => (us ? time(us / 1e6) : "0");

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// day formats 2026-11-26 as 26 Nov 2026.
function day(date) {
  const [year, month, number] = date.split("-").map(Number);
  return year ? `${number} ${months[month - 1]} ${year}` : date;
}

const percent = (x) => `${(100 * x).toFixed(1)}%`;

const plural = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
