// Points and lines of a plot from runs.

// linesOf groups runs to lines, and repeats of a run to points: the median of the runs, with the smallest and the
// largest, or with the spread of a single run.
function linesOf(runs, chosen) {
  const quantity = quantities[chosen.quantity],
    axis = axes[chosen.axis];
  const lines = new Map();
  for (const run of runs) {
    if (!(quantity.of(run) > 0)) continue;
    const key = lineKey(run, chosen).join("|");
    if (!lines.has(key)) lines.set(key, { run, label: lineLabel(run, chosen), at: new Map() });
    const at = lines.get(key).at,
      x = axis.of(run);
    at.set(x, [...(at.get(x) || []), run]);
  }
  return [...lines.values()]
    .map(({ run, label, at }) => ({
      label,
      machine: run.machine,
      dashed: Boolean(run.prune || run.setting),
      points: [...at].sort((a, b) => a[0] - b[0]).map(([x, all]) => point(x, all, quantity)),
    }))
    .sort((a, b) => last(b).y - last(a).y);
}

const last = (line) => line.points[line.points.length - 1];

// lineKey lists the properties that runs of a line share: all but the one on the axis. On CPUs lines over ranks share
// the number of threads of all ranks.
function lineKey(run, { axis, version }) {
  return [
    run.machine,
    run.prune,
    run.setting,
    run.bits,
    axis === "ranks" ? run.threads : run.units,
    axis === "scale" ? "" : run.scale,
    axis === "date" || version !== "all" ? "" : run.program,
  ];
}

// lineLabel is the text next to the end of a line.
function lineLabel(run, { axis, version, bits }) {
  const short = machineOf(run).replace(/^(NVIDIA|AMD|Intel) /, "");
  return [
    axis !== "ranks" ? `${short}, ${run.units}` : run.threads ? `${short}, ${plural(run.threads, "thread")}` : short,
    axis === "scale" ? "" : `scale ${run.scale}`,
    bits === "all" && severalBits ? bitsOf(run) : "",
    run.prune && "pruned",
    run.setting,
    axis !== "date" && version === "all" ? commitOf(run) : "",
  ]
    .filter(Boolean)
    .join(", ");
}

function point(x, runs, quantity) {
  const values = runs.map(quantity.of).sort((a, b) => a - b),
    n = values.length;
  const y = (values[(n - 1) >> 1] + values[n >> 1]) / 2;
  const own = n === 1 && quantity.bounds ? quantity.bounds(runs[0]) : [values[0], values[n - 1]];
  return { x, y, low: own[0], high: own[1], runs, ...lookOf(runs[0]) };
}

// lookOf returns the marker of a run's points. Shapes are numbers of ranks; it is hollow unless results have 64 bits.
const lookOf = (run) => ({ shape: shapeOf(run.ranks), hollow: run.bits !== 64 });
