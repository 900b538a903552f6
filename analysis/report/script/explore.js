// The part of a kernel that the reader controls: choices, the plot, and the table of the chosen runs.

// explore fills an element and returns a function that draws the plot again, in another size or other colours.
function explore(element, openTrace) {
  const kernel = element.dataset.kernel.toUpperCase();
  const runs = data.runs.filter((r) => r.kernel === kernel);
  const { controls, chosen } = choicesOf(runs, () => update());
  const title = el("h3"),
    keys = el("div", { class: "keys" }),
    caption = el("figcaption");
  const canvas = el("div", { class: "canvas", tabindex: 0, role: "group" });
  const table = el("div", { class: "wide", role: "region", tabindex: 0, "aria-label": `Chosen runs, ${kernel}` });
  const tableTitle = el("h3");
  let plot = null,
    lines = [];
  const forget = explain(canvas, () => plot, chosen);
  const draw = () => {
    forget();
    plot?.destroy();
    const points = lines.flatMap((l) => l.points);
    plot = points.length < fewest ? null : drawChart(canvas, lines, chosen);
    canvas.hidden = !plot;
  };
  const update = () => {
    const selected = chosenRuns(runs, chosen);
    lines = linesOf(selected, chosen);
    const quantity = quantities[chosen.quantity],
      count = lines.reduce((n, l) => n + l.points.length, 0);
    title.textContent = `${quantity.name} (${quantity.unit}) over ${axes[chosen.axis].name}`;
    canvas.setAttribute(
      "aria-label",
      `${title.textContent}: arrow keys move between ${plural(count, "point")}, Enter keeps one open`,
    );
    keys.replaceChildren(...(count < fewest ? [] : keysOf(selected)));
    caption.textContent =
      count < fewest
        ? `${plural(count, "point")}: too few for a plot, see the table.`
        : captionOf(lines, chosen, quantity);
    tableTitle.textContent = `${plural(selected.length, "chosen run")}`;
    table.replaceChildren(runTable(selected, openTrace));
    draw();
  };
  element.append(controls, el("figure", { class: "chart" }, title, keys, canvas, caption), tableTitle, table);
  element.hidden = false;
  update();
  return draw;
}

const fewest = 3; // points of a plot

// keysOf explains the shapes of the points.
function keysOf(runs) {
  const ranks = unique(runs.map((r) => Math.min(r.ranks, 16))).sort((a, b) => a - b);
  const key = (marker, text, hollow) => {
    const svg = el("span");
    const path = `<path d="${outline(marker)}" stroke-width="1.5"${hollow ? ' fill="none"' : ""}/>`;
    svg.innerHTML = `<svg width="14" height="14" viewBox="-7 -7 14 14">${path}</svg>`;
    return el("span", {}, svg.firstChild, ` ${text}`);
  };
  return [
    ...ranks.map((n) => key(shapeOf(n), n === 16 ? "more ranks" : plural(n, "rank"))),
    runs.some((r) => r.bits !== 64) && key("circle", "hollow: not 64-bit results", true),
    runs.some((r) => r.prune || r.setting) && el("span", {}, "dashed: pruned, or other settings"),
  ].filter(Boolean);
}

// captionOf names the best point, and explains the marks. Best is the highest rate, or the shortest time at the right
// end.
function captionOf(lines, chosen, quantity) {
  const points = lines.flatMap((line) => line.points),
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
    "The vertical axis is logarithmic. Click a point, or use the arrow keys, to see its run."
  );
}
