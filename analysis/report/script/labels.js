// Names of the lines of a plot.

// drawNames writes the name of each line next to one of its points, where no line and no other name is. A line without
// such a place has a number near its last point, and its name is in a list below the plot. A narrow plot has numbers
// only.
function drawNames(u, lines, narrow) {
  const taken = lines.flatMap((line) => placesOf(u, line)).map(([x, y]) => boxAt(x, y, 6, 6));
  const free = (box) =>
    box.x >= 0 &&
    box.x + box.width <= u.width - u.over.offsetLeft &&
    box.y > -8 &&
    box.y + box.height < u.over.clientHeight &&
    !taken.some((other) => overlap(box, other));
  const place = (name, line, boxesOf) => {
    const label = el("span", { class: `name machine-${line.run.machine}` }, name);
    u.over.append(label);
    const box = boxesOf(u, line, label.offsetWidth, label.offsetHeight).find(free);
    if (!box) return label.remove();
    taken.push(box);
    label.style.translate = `${box.x}px ${box.y}px`;
    if (box.far) connect(u, line, box);
    return label;
  };
  u.over.querySelectorAll(".name").forEach((label) => label.remove());
  const rest = lines.filter((line) => narrow || !place(line.label, line, besidePoints));
  rest.forEach((line, i) => place(i + 1, line, aroundEnd));
  u.root.querySelector(".keys")?.remove();
  u.root.append(
    el(
      "div",
      { class: "keys" },
      rest.map((line, i) => el("span", { class: `machine-${line.run.machine}` }, el("b", {}, i + 1), ` ${line.label}`)),
    ),
  );
}

const boxAt = (x, y, width, height) => ({ x: x - width / 2, y: y - height / 2, width, height });
const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const placeOf = (u, point) => [u.valToPos(point.x, "x"), u.valToPos(point.y, "y")];

// besidePoints returns places for a name: to the right of the last point, then above and below each point.
function besidePoints(u, line, width, height) {
  const points = line.points.map((p) => placeOf(u, p)).reverse();
  const [x, y] = points[0];
  return [
    boxAt(x + 9 + width / 2, y, width, height),
    ...points.flatMap(([x, y]) => [boxAt(x, y - 16, width, height), boxAt(x, y + 16, width, height)]),
  ];
}

// aroundEnd returns places for a number around the last point, the nearest first.
function aroundEnd(u, line, width, height) {
  const [x, y] = placeOf(u, last(line));
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
function connect(u, line, box) {
  const px = uPlot.pxRatio,
    [x, y] = placeOf(u, last(line)),
    [right, down] = [box.x + box.width / 2 - x, box.y + box.height / 2 - y],
    part = 1 - 9 / Math.hypot(right, down);
  u.ctx.save();
  u.ctx.translate(u.bbox.left, u.bbox.top);
  u.ctx.scale(px, px);
  u.ctx.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--edge");
  u.ctx.stroke(new Path2D(`M${x} ${y}l${right * part} ${down * part}`));
  u.ctx.restore();
}

// placesOf returns places along a line, a few pixels apart.
function placesOf(u, line) {
  const at = line.points.map((p) => placeOf(u, p)),
    places = [...at];
  for (let i = 1; i < at.length; i++) {
    const [[x, y], [right, end]] = [at[i - 1], at[i]],
      steps = Math.ceil((right - x) / 6);
    for (let s = 1; s < steps; s++) places.push([x + ((right - x) * s) / steps, y + ((end - y) * s) / steps]);
  }
  return places;
}
