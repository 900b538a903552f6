// Figures: SVG from lines of points, by Observable Plot. A figure has
//   name, title, caption: texts; saved files have the name
//   x, y: axes with a label; log; tick(value): the text of a labelled value; percent; rows: names in place of numbers,
//     from the top down
//   lines: label, machine (its colour), dashed, apart (not joined, and without a name at its end), ideal (dashed,
//     or dotted if predicted, without points), and points: x, y, low, high, shape, hollow
//   plain: all points are circles
//   keys: shape, hollow, dashed, ideal (grey), text: explanations of marks

const fontFamily = "'Liberation Sans', Arial, Helvetica, sans-serif",
  fontSize = 13;

// textWidth estimates the width of a text, so that figures do not depend on the fonts of a machine.
const textWidth = (text) => 0.6 * fontSize * text.length;

const tone = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const toneOf = (machine) => tone(machine < 5 ? `--machine-${machine}` : "--machine");

// drawFigure returns the SVG of a figure in the page's colours, and all points with their place in it.
function drawFigure(figure, width) {
  const narrow = width < 600,
    drawn = figure.lines.filter((l) => !l.ideal),
    points = drawn.flatMap((l) => l.points);
  const plotted = narrow ? 320 : figure.y.rows ? 90 + 24 * figure.y.rows.length : 430;
  const x = xAxis(figure.x, points, narrow),
    y = yAxis(figure.y, figure.lines);
  const left = 24 + Math.max(...y.ticks.map((t) => textWidth(y.tickFormat(t))));
  const named = drawn.filter((l) => !l.apart).map((l) => textWidth(l.label) + 16);
  const right = narrow ? 16 : Math.max(24, ...named.filter((w) => w < width / 3));
  const svg = Plot.plot({
    width,
    height: figure.y.rows ? 90 + 24 * figure.y.rows.length : plotted,
    margin: 0,
    marginLeft: left + 18,
    marginRight: right,
    marginTop: 12,
    marginBottom: 48,
    className: "plot",
    style: { fontFamily, fontSize: `${fontSize}px`, color: tone("--ink"), overflow: "visible" },
    x,
    y,
    marks: [
      Plot.gridY(y.ticks, { stroke: tone("--rule"), strokeOpacity: 1 }),
      Plot.axisX(x.ticks, axisStyle(x, 42)),
      Plot.axisY(y.ticks, axisStyle(y, left + 10)),
      Plot.frame({ anchor: "left", stroke: tone("--edge") }),
      Plot.frame({ anchor: "bottom", stroke: tone("--edge") }),
      figure.lines.map((line) => marksOf(line, figure.plain)),
    ],
  });
  const scales = [svg.scale("x"), svg.scale("y")],
    at = (p) => [scales[0].apply(p.x), scales[1].apply(p.y)];
  const frame = { left: left + 18, right: width, top: 0, bottom: plotted - 44 };
  const places = drawn.map((line) => ({ line, at: line.points.map(at) }));
  const listed = nameLines(svg, places, frame, narrow);
  const height = plotted + legend(svg, [...(figure.keys ?? []), ...listed], width, plotted + 4);
  d3.select(svg)
    .attr("height", height)
    .attr("viewBox", `0 0 ${width} ${height}`)
    .attr("font-family", fontFamily)
    .attr("font-size", fontSize)
    .attr("role", "img")
    .attr("aria-label", figure.title);
  return { svg, all: places.flatMap(({ line, at }) => line.points.map((point, i) => ({ line, point, at: at[i] }))) };
}

const axisStyle = ({ label, tickFormat }, labelOffset) => ({
  label,
  text: tickFormat, // d3 leaves out labels of logarithmic axes
  color: tone("--ink"),
  labelAnchor: "center",
  labelArrow: "none",
  labelOffset,
});

// marksOf returns the marks of a line: its path, error bars and points.
function marksOf(line, plain) {
  const stroke = line.ideal ? tone("--edge") : toneOf(line.machine),
    paper = tone("--paper");
  const bounded = line.points.filter((p) => p.high > p.low && p.low > 0);
  return [
    line.apart ||
      Plot.line(line.points, {
        x: "x",
        y: "y",
        stroke,
        strokeWidth: line.ideal ? 1.25 : 2,
        strokeDasharray: line.predicted ? "2 3" : line.dashed || line.ideal ? "7 4" : undefined,
      }),
    Plot.ruleX(bounded, { x: "x", y1: "low", y2: "high", stroke, strokeWidth: 1.5 }),
    line.ideal ||
      Plot.dot(line.points, {
        x: "x",
        y: "y",
        r: 4,
        symbol: (p) => (!plain && p.shape) || "circle",
        fill: (p) => (p.hollow ? paper : stroke),
        stroke,
      }),
  ].filter((mark) => mark !== true);
}

function xAxis(axis, points, narrow) {
  const xs = unique(points.map((p) => p.x)).sort((a, b) => a - b),
    [low, high] = axis.log ? [xs[0] / 1.15, xs[xs.length - 1] * 1.15] : [xs[0] - 0.35, xs[xs.length - 1] + 0.35];
  return {
    type: axis.log ? "log" : "linear",
    domain: [low, high],
    ticks: !axis.log ? thinned(xs, narrow ? 6 : 14) : xs.length > 9 ? ticks(low, high) : xs,
    tickFormat: axis.tick ?? short,
    label: axis.label,
  };
}

// yAxis returns an axis that has all points with their bounds. It is logarithmic, except for rows and percentages.
function yAxis(axis, lines) {
  if (axis.rows)
    return {
      domain: [axis.rows.length - 0.5, -0.5],
      ticks: axis.rows.map((_, i) => i),
      tickFormat: (i) => axis.rows[i],
      label: null,
    };
  const ys = lines.flatMap((l) => l.points.flatMap((p) => [p.low ?? p.y, p.y, p.high ?? p.y])).filter((y) => y > 0);
  const [low, high] = [Math.min(...ys) / 1.25, Math.max(...ys) * 1.25];
  return axis.percent
    ? {
        domain: [0, Math.max(105, high / 1.2)],
        ticks: d3.ticks(0, Math.max(105, high / 1.2), 6),
        tickFormat: (y) => `${y}%`,
        label: axis.label,
      }
    : { type: "log", domain: [low, high], ticks: ticks(low, high), tickFormat: short, label: axis.label };
}

// short formats the number at a tick of an axis, without zeros at the end: 1.5, 2,000, 10M.
const short = (x) => (x < 1e6 ? x.toLocaleString("en-US", { maximumSignificantDigits: 6 }) : d3.format("~s")(x));

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

// legend writes entries below each other or side by side, and returns the height that they need.
function legend(svg, entries, width, top) {
  let x = 8,
    y = top;
  for (const { shape, hollow, dashed, ideal, number, machine, text } of entries) {
    const sample = number ? 12 + textWidth(number) : 26,
      colour = machine == null ? tone("--ink") : toneOf(machine),
      lines = wrapped(text, width - sample - 24),
      room = sample + Math.max(...lines.map(textWidth)) + 18;
    if (x > 8 && x + room > width) [x, y] = [8, y + 18];
    const entry = d3.select(svg).append("g").attr("transform", `translate(${x},${y})`);
    if (dashed) entry.append("path").attr("d", "M0 9h20").attr("stroke-dasharray", "7 4");
    if (shape) entry.append("path").attr("transform", "translate(10,9)").attr("d", markerPath(shape));
    entry
      .selectAll("path")
      .attr("stroke", ideal ? tone("--edge") : colour)
      .attr("stroke-width", 1.5)
      .attr("fill", hollow ? "none" : colour);
    if (number) writeText(entry, 4, 14, number, colour).attr("font-weight", "bold");
    lines.forEach((line, i) => writeText(entry, number || shape || dashed ? sample : 0, 14 + 18 * i, line, colour));
    [x, y] = lines.length > 1 ? [8, y + 18 * lines.length] : [x + room, y];
  }
  return entries.length ? y - top + 28 : 0;
}

const markerPath = (shape) => d3.symbol(d3[`symbol${shape[0].toUpperCase()}${shape.slice(1)}`], 50)();

const writeText = (to, x, y, text, fill) =>
  to.append("text").attr("text-anchor", "start").attr("x", x).attr("y", y).attr("fill", fill).text(text);

// wrapped breaks a text into lines of a maximum width, at blanks.
function wrapped(text, most) {
  return text.split(" ").reduce((lines, word) => {
    const longer = lines.length && `${lines[lines.length - 1]} ${word}`;
    return longer && textWidth(longer) <= most ? [...lines.slice(0, -1), longer] : [...lines, word];
  }, []);
}
