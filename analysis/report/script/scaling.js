// Figures over the units of a series: ranks, GPUs, nodes or cores. Go computes efficiency, intervals and ideals.

// seriesOf returns the series of a kernel with two of the chosen runs' points or more.
function seriesOf(kernel, chosen) {
  const has = new Set(chosen);
  return data.series
    .filter((s) => s.kernel === kernel)
    .map((s) => ({ ...s, points: s.points.filter((p) => p.runs.some((i) => has.has(data.runs[i]))) }))
    .filter((s) => s.points.length > 1);
}

const unitsOf = (series) => unique(series.map((s) => `${s.unit}s`)).join(" or ");
const runsOf = (point) => point.runs.map((i) => data.runs[i]);

// lineOf returns the line of a series, whose points have a place and bounds by place(point). If all runs are of one
// machine, colours distinguish series.
const lineOf = (series, i, place) => {
  const run = runsOf(series.points[0])[0];
  return {
    label: series.label,
    machine: data.machines.length > 1 ? series.machine : i % 6,
    dashed: Boolean(run.prune || run.setting),
    points: series.points.map((p) => ({ x: p.units, runs: runsOf(p), ...lookOf(runsOf(p)[0]), ...place(p) })),
  };
};

// rateLines returns the lines of a quantity. The rate of a few series has ideal lines, from each baseline, and
// predictions.
function rateLines(series, { quantity }) {
  const lines = series.map((s, i) => lineOf(s, i, (p) => point(p.units, runsOf(p), quantities[quantity])));
  const ideals = quantity === "rate" && series.length < 5 ? series : [];
  return [
    ...ideals.map((s) => ({ ideal: true, points: s.points.map((p) => ({ x: p.units, y: p.ideal })) })),
    ...ideals
      .filter((s) => s.points.every((p) => p.predicted > 0))
      .map((s) => ({ ideal: true, predicted: true, points: s.points.map((p) => ({ x: p.units, y: p.predicted })) })),
    ...lines.filter((l) => l.points.every((p) => p.y > 0)),
  ];
}

// efficiencyFigure returns the figure of parallel efficiency, with its intervals and the ideal.
function efficiencyFigure(kernel, series, runs) {
  const xs = series.flatMap((s) => s.points.map((p) => p.units)),
    units = unitsOf(series),
    end = Math.max(...xs);
  const lines = series.map((s, i) =>
    lineOf(s, i, ({ efficiency: [y, low, high] }) => ({ y, low: low || y, high: high || y })),
  );
  const ideal = { ideal: true, points: [Math.min(...xs), end].map((x) => ({ x, y: 100 })) };
  const best = lines.filter((l) => last(l).x === end).reduce((a, b) => (last(b).y > last(a).y ? b : a));
  return {
    name: `${kernel.toLowerCase()}-efficiency`,
    title: `Parallel efficiency (%) over ${units}`,
    caption:
      `${digits(last(best).y)}% on ${end} ${units}, ${best.label}. Efficiency is the rate per unit ` +
      "relative to the smallest size of the same line, which is 100%. The horizontal axis is logarithmic. Bars are " +
      `95% confidence intervals. ${document.querySelector(".intervals").textContent}` +
      (series.find((s) => s.oneRun)?.oneRun ?? "") +
      unique(series.flatMap((s) => s.lost))
        .map((lost) => ` Missing: ${lost}.`)
        .join(""),
    x: { label: units, log: true },
    y: { label: "%", percent: true },
    lines: [ideal, ...lines],
    ...marking(runs, [ideal, ...lines], true),
  };
}
