// The part of a kernel that the reader controls: choices, the figures, and the table of the chosen runs.

// explore fills an element and returns a function that draws the figures again, in another size or other colours.
function explore(element, openTrace) {
  const kernel = element.dataset.kernel.toUpperCase();
  const runs = data.runs.filter((r) => r.kernel === kernel);
  const { controls, chosen, address } = choicesOf(runs, element.dataset.kernel, () => update());
  const main = figureView(address),
    scaling = figureView(address),
    note = el("p", { class: "note" });
  const table = el("div", { class: "wide", role: "region", tabindex: 0, "aria-label": `Chosen runs, ${kernel}` });
  const tableTitle = el("h3");
  const forget = [main, scaling].map((view) => explain(view, chosen));
  const update = () => {
    const selected = chosenRuns(runs, chosen);
    const series = chosen.axis === "ranks" && chosen.version === "newest" ? seriesOf(kernel, selected) : [];
    const lines = series.length ? rateLines(series, chosen) : linesOf(selected, chosen);
    const count = lines.flatMap((l) => (l.ideal ? [] : l.points)).length,
      shown = series.length || count >= fewest;
    note.textContent = shown ? "" : `${plural(count, "point")}: too few for a plot, see the table.`;
    tableTitle.textContent = `${plural(selected.length, "chosen run")}`;
    table.replaceChildren(runTable(selected, openTrace));
    forget.forEach((hide) => hide());
    markWide();
    main.show(shown ? figureOf(kernel, lines, chosen, selected, series) : null);
    scaling.show(series.length ? efficiencyFigure(kernel, series, selected) : null);
    main.draw(); // in the width that the other figure leaves
  };
  element.append(controls, note, el("div", { class: "figures" }, main.element, scaling.element), tableTitle, table);
  element.hidden = false;
  update();
  return () => {
    forget.forEach((hide) => hide());
    main.draw();
    scaling.draw();
  };
}

const fewest = 3; // points of a plot

// figureOf returns the figure of a quantity over an axis, or over the units of series.
function figureOf(kernel, lines, chosen, runs, series) {
  const quantity = quantities[chosen.quantity],
    axis = axes[chosen.axis],
    over = series.length ? unitsOf(series) : axis.name;
  return {
    name: `${kernel.toLowerCase()}-${chosen.quantity}-${chosen.axis}`,
    title: `${quantity.name} (${quantity.unit}) over ${over}`,
    caption: lines.length ? captionOf(lines, chosen, quantity) : "",
    x: { label: over, log: axis.logarithmic, tick: axis.title },
    y: { label: quantity.unit },
    lines,
    ...marking(runs, lines, chosen.axis === "ranks"),
  };
}

const shapes = { 1: "circle", 2: "square", 4: "triangle", 8: "diamond" };
const shapeOf = (ranks) => shapes[ranks] || "cross";

// marking explains the marks of a figure. Shapes are numbers of ranks, unless the axis has these.
function marking(runs, lines, overUnits) {
  const plain = overUnits && runs.every((r) => r.ranks === r.count);
  const ranks = plain ? [] : unique(runs.map((r) => Math.min(r.ranks, 16))).sort((a, b) => a - b);
  const keys = [
    ...ranks.map((n) => ({ shape: shapeOf(n), text: n === 16 ? "more ranks" : plural(n, "rank") })),
    runs.some((r) => r.bits !== 64) && { shape: "circle", hollow: true, text: "hollow: not 64-bit results" },
    runs.some((r) => r.prune || r.setting) && { dashed: true, text: "pruned, or other settings" },
    lines.some((l) => l.ideal && !l.predicted) && {
      dashed: true,
      ideal: true,
      text: "ideal: each unit as fast as one of the smallest size",
    },
  ];
  return { plain, keys: keys.filter(Boolean) };
}

// captionOf names the best point, and explains the marks. Best is the highest rate, or the shortest time at the right
// end.
function captionOf(lines, chosen, quantity) {
  const points = lines.flatMap((line) => (line.ideal ? [] : line.points)),
    lower = quantity.better.startsWith("Lower");
  const end = Math.max(...points.map((p) => p.x)),
    axis = axes[chosen.axis];
  const best = lower
    ? points.filter((p) => p.x === end).reduce((a, b) => (b.y < a.y ? b : a))
    : points.reduce((a, b) => (b.y > a.y ? b : a));
  const run = best.runs[0],
    name = lower ? `Lowest at ${axis.name} ${axis.title(end)}` : "Highest";
  return (
    `${quantity.better}. ${name}: ${digits(best.y)} ${quantity.unit}, ` +
    `${machineOf(run)}, ${run.units}, scale ${run.scale}. ` +
    `A point is the median of its runs. Error bars span the runs${quantity.spread ? `, or ${quantity.spread}` : ""}. ` +
    (lines.some((l) => l.predicted) ? "Dots are predictions from traced runs of one and two GPUs (g500 model). " : "") +
    `${axis.logarithmic ? "Both axes are" : "The vertical axis is"} logarithmic. ` +
    "Click a point, or use the arrow keys, to see its run."
  );
}
