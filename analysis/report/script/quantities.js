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
    name: "Search rate per GPU or core",
    unit: "GTEPS",
    better: "A horizontal line is perfect scaling",
    of: (r) => r.share,
    bounds: (r) => [r.share * (1 - r.error / r.rate), r.share * (1 + r.error / r.rate)],
    spread: "one standard error to both sides of a single run",
  },
  node: {
    name: "Search rate per node",
    unit: "GTEPS",
    better: "A horizontal line is perfect scaling",
    of: (r) => r.node,
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
  joules: { name: "Energy of a search", unit: "J", better: "Lower is better", of: (r) => r.joules },
};

// efficiency is the quantity of the figures over ranks that Go computes.
const efficiency = { name: "Parallel efficiency", unit: "%", of: (r) => r.rate, bounds: true };

const axes = {
  scale: { name: "scale", of: (r) => r.scale, title: (x) => String(x) },
  ranks: { name: "ranks, GPUs, nodes or cores", of: (r) => r.count, title: (x) => String(x), logarithmic: true },
  date: { name: "date", of: (r) => Date.parse(r.date) / 864e5, title: (x) => dayOf(x).replace(/ \d+$/, "") },
};

// dayOf formats a number of days since 1970.
const dayOf = (days) => day(new Date(days * 864e5).toISOString().slice(0, 10));
