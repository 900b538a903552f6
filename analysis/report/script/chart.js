// One plot: lines of a machine have its colour, points the shape of their number of ranks, and are hollow
// unless results have 64 bits.

const shapes = { 1: "circle", 2: "square", 4: "triangle", 8: "diamond" };
const shapeOf = (ranks) => shapes[ranks] || "cross";

// drawChart draws lines into an element and returns the plot, whose points(list) has all points for the tooltip.
function drawChart(into, lines, chosen) {
  const style = getComputedStyle(document.documentElement),
    colour = (name) => style.getPropertyValue(name).trim();
  const own = (machine) => colour(machine < 5 ? `--machine-${machine}` : "--machine");
  const xs = unique(lines.flatMap((l) => l.points.map((p) => p.x))).sort((a, b) => a - b);
  const narrow = into.clientWidth < 600 && !printing;
  const axis = axes[chosen.axis];
  const values = lines.map((l) => xs.map((x) => l.points.find((p) => p.x === x)?.y ?? null));
  const ys = lines.flatMap((l) => l.points.flatMap((p) => [p.low, p.y, p.high])).filter((y) => y > 0);
  const [bottom, top] = [Math.min(...ys) / 1.25, Math.max(...ys) * 1.25];
  const font = "13px system-ui, sans-serif";
  const plain = { stroke: colour("--ink"), font, ticks: { stroke: colour("--edge"), width: 1, size: 5 } };
  const pad =
    chosen.axis === "ranks" ? [xs[0] / 1.15, xs[xs.length - 1] * 1.15] : [xs[0] - 0.35, xs[xs.length - 1] + 0.35];
  const plot = new uPlot(
    {
      width: printing ? 660 : into.clientWidth,
      height: narrow ? 320 : 430,
      padding: [10, narrow ? 12 : 150, 0, 0],
      legend: { show: false },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
      scales: {
        x: { time: false, range: () => pad, ...(axis.logarithmic ? { distr: 3, log: 2 } : {}) },
        y: { distr: 3, range: () => [bottom, top] },
      },
      axes: [
        {
          ...plain,
          grid: { show: false },
          splits: () => (axis.logarithmic ? xs : thinned(xs, narrow ? 6 : 14)),
          values: (_, at) => at.map(axis.title),
          size: 34,
          label: axis.name,
          labelFont: font,
          labelSize: 20,
        },
        {
          ...plain,
          grid: { stroke: colour("--rule"), width: 1 },
          splits: () => ticks(bottom, top),
          filter: (_, at) => at,
          values: (_, at) => at.map(tick),
          size: 62,
        },
      ],
      series: [
        {},
        ...lines.map((l) => ({
          stroke: own(l.run.machine),
          width: 2,
          spanGaps: true,
          points: { show: false },
          dash: l.run.prune || l.run.setting ? [7, 4] : undefined,
        })),
      ],
      hooks: {
        draw: [
          (u) => lines.forEach((l) => drawPoints(u, l, own(l.run.machine), colour("--paper"))),
          (u) => drawNames(u, lines, narrow),
        ],
      },
    },
    [xs, ...values],
    into,
  );
  plot.all = lines.flatMap((line) => line.points.map((point) => ({ line, point })));
  return plot;
}

// drawPoints draws the error bars and the markers of a line.
function drawPoints(u, line, colour, paper) {
  const ctx = u.ctx,
    px = uPlot.pxRatio;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5 * px;
  for (const p of line.points) {
    const x = u.valToPos(p.x, "x", true),
      y = u.valToPos(p.y, "y", true);
    if (p.high > p.low && p.low > 0) {
      const [low, high] = [u.valToPos(p.low, "y", true), u.valToPos(p.high, "y", true)];
      ctx.stroke(new Path2D(`M${x} ${low}V${high}M${x - 4 * px} ${low}h${8 * px}M${x - 4 * px} ${high}h${8 * px}`));
    }
    const run = p.runs[0],
      marker = new Path2D();
    marker.addPath(new Path2D(outline(shapeOf(run.ranks))), new DOMMatrix([px, 0, 0, px, x, y]));
    ctx.fillStyle = run.bits === 64 ? colour : paper;
    ctx.fill(marker);
    ctx.stroke(marker);
  }
  ctx.restore();
}

// outline returns the path of a marker around the origin.
function outline(shape) {
  return {
    circle: "M4.5 0A4.5 4.5 0 1 1 -4.5 0A4.5 4.5 0 1 1 4.5 0Z",
    square: "M-4 -4h8v8h-8Z",
    triangle: "M0 -5.5L5 4h-10Z",
    diamond: "M0 -6L6 0L0 6L-6 0Z",
    cross: "M-4 -1.3h2.7V-4h2.6v2.7H4v2.6H1.3V4h-2.6V1.3H-4Z",
  }[shape];
}

// ticks returns 1, 2 and 5 times the powers of ten in a range, only the powers if the range is wide.
function ticks(low, high) {
  const digits = high / low > 1e4 ? [1] : high / low > 20 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 8];
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
    all.push(...digits.map((d) => Number(`${d}e${power}`)));
  return all.filter((x) => low <= x && x <= high);
}

// thinned returns at most that many values, evenly spread.
function thinned(xs, most) {
  const gap = (xs[xs.length - 1] - xs[0]) / most;
  return xs.reduce((kept, x) => (kept.length && x - kept[kept.length - 1] < gap ? kept : [...kept, x]), []);
}
