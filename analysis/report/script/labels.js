// Names of the lines of a figure.

// nameLines writes the name of each line next to one of its points, where no line and no other name is. A line without
// such a place has a number, as in (1), near its last point, and its name is among the entries that it returns for the
// legend. A narrow figure has numbers only.
function nameLines(svg, places, frame, narrow) {
  const taken = places.flatMap(along).map(([x, y]) => boxAt(x, y, 6, 6));
  const free = (box) =>
    box.x >= frame.left &&
    box.x + box.width <= frame.right &&
    box.y > frame.top - 8 &&
    box.y + box.height < frame.bottom &&
    !taken.some((other) => overlap(box, other));
  const place = (name, { line, at }, boxesOf) => {
    const box = boxesOf(at, textWidth(name), fontSize).find(free);
    if (!box) return false;
    taken.push(box);
    const label = writeText(d3.select(svg), box.x, box.y + fontSize - 2, name, toneOf(line.machine));
    label.attr("class", "name");
    if (box.far) connect(svg, at[at.length - 1], box);
    return true;
  };
  const apart = places.filter(({ line }) => line.apart),
    joined = places.filter(({ line }) => !line.apart && line.label),
    rest = joined.filter((p) => narrow || !place(p.line.label, p, besidePoints));
  const numbered = (i) => `(${i + 1})`;
  rest.forEach((p, i) => place(numbered(i), p, aroundEnd));
  return [
    ...apart.map(({ line }) => ({ ...line.points[0], machine: line.machine, text: line.label })),
    ...rest.map(({ line }, i) => ({ number: numbered(i), machine: line.machine, text: line.label })),
  ];
}

const boxAt = (x, y, width, height) => ({ x: x - width / 2, y: y - height / 2, width, height });
const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

// besidePoints returns places for a name: to the right of the last point, then above and below each point.
function besidePoints(at, width, height) {
  const points = [...at].reverse(),
    [x, y] = points[0];
  return [
    boxAt(x + 9 + width / 2, y, width, height),
    ...points.flatMap(([x, y]) => [boxAt(x, y - 16, width, height), boxAt(x, y + 16, width, height)]),
  ];
}

// aroundEnd returns places for a number around the last point, the nearest first.
function aroundEnd(at, width, height) {
  const [x, y] = at[at.length - 1];
  return Array.from({ length: 120 }, (_, i) => {
    const angle = (i * Math.PI) / 6,
      distance = 14 + 8 * Math.floor(i / 12);
    return {
      ...boxAt(x + distance * Math.cos(angle), y - distance * Math.sin(angle), width, height),
      far: distance > 14,
    };
  });
}

// connect draws a line from the last point of a line towards its number.
function connect(svg, [x, y], box) {
  const [right, down] = [box.x + box.width / 2 - x, box.y + box.height / 2 - y],
    part = 1 - 9 / Math.hypot(right, down);
  d3.select(svg)
    .append("path")
    .attr("d", `M${x} ${y}l${right * part} ${down * part}`)
    .attr("stroke", tone("--edge"));
}

// along returns places along a line, a few pixels apart.
function along({ line, at }) {
  const places = [...at];
  for (let i = 1; i < at.length && !line.apart; i++) {
    const [[x, y], [right, end]] = [at[i - 1], at[i]],
      steps = Math.ceil((right - x) / 6);
    for (let s = 1; s < steps; s++) places.push([x + ((right - x) * s) / steps, y + ((end - y) * s) / steps]);
  }
  return places;
}
