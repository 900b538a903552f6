// A plot shows a quantity of runs, on the vertical axis, over another property. The bounds of a single run are its own
// spread.
const quantities = {
  rate: {
    name: "Search rate",
    unit: "GTEPS",
    better: "Higher is better",
    of: (r) => r.rate,
    bounds: (r) => [r.rate - r.error, r.rate + r.error],
    spread: "one standard error to both sides of a single run",
  },
  share: {
    name: "Search rate per GPU or thread",
    unit: "GTEPS",
    better: "A horizontal line is perfect scaling",
    of: (r) => r.rate / unitsOf(r),
    bounds: (r) => [(r.rate - r.error) / unitsOf(r), (r.rate + r.error) / unitsOf(r)],
    spread: "one standard error to both sides of a single run",
  },
  median: {
    name: "Median time of a search",
    unit: "ms",
    better: "Lower is better",
    of: (r) => 1e3 * r.median,
    bounds: (r) => r.quartiles.map((x) => 1e3 * x),
    spread: "the quartiles of a single run's searches",
  },
  kernel1: { name: "Time of kernel 1", unit: "s", better: "Lower is better", of: (r) => r.kernel1 },
  validation: {
    name: "Median time to validate a result",
    unit: "ms",
    better: "Lower is better",
    of: (r) => 1e3 * r.validation,
  },
};

// efficiency is the quantity of the figures over ranks that Go computes.
const efficiency = { name: "Parallel efficiency", unit: "%", of: (r) => r.rate, bounds: true };

// unitsOf returns the number of GPUs or, on CPUs, of threads.
const unitsOf = (run) => run.threads || run.ranks;

const axes = {
  scale: { name: "scale", of: (r) => r.scale, title: (x) => String(x) },
  ranks: { name: "number of ranks", of: (r) => r.ranks, title: (x) => String(x), logarithmic: true },
  date: { name: "date", of: (r) => Date.parse(r.date) / 864e5, title: (x) => dayOf(x).replace(/ \d+$/, "") },
};

// dayOf formats a number of days since 1970.
const dayOf = (days) => day(new Date(days * 864e5).toISOString().slice(0, 10));
