// Labels next to the last points of lines.

// drawLabels names each line to the right of its last point, above or below it, where no line and no other label is. A
// line without such a place has no label.
function drawLabels(u, lines, own) {
  const ctx = u.ctx,
    px = uPlot.pxRatio,
    height = 16 * px;
  const taken = lines
    .flatMap((line) => placesOf(u, line))
    .map(([x, y]) => ({ x: x - 2 * px, y: y - 2 * px, width: 4 * px, height: 4 * px }));
  ctx.save();
  ctx.font = `${13 * px}px system-ui, sans-serif`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  for (const line of lines) {
    const width = ctx.measureText(line.label).width;
    const x = u.valToPos(last(line).x, "x", true),
      y = u.valToPos(last(line).y, "y", true);
    const free = [
      [x + 9 * px, y],
      [x - width / 2, y - 16 * px],
      [x - width / 2, y + 16 * px],
    ]
      .map(([left, middle]) => ({ x: left, y: middle - height / 2, width, height }))
      .find(
        (box) =>
          box.x >= u.bbox.left && box.x + width <= ctx.canvas.width && !taken.some((other) => overlap(box, other)),
      );
    if (!free) continue;
    taken.push(free);
    ctx.fillStyle = own(line.run.machine);
    ctx.fillText(line.label, free.x, free.y + height / 2);
  }
  ctx.restore();
}

const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

// placesOf returns places along a line, a few pixels apart, in pixels of the canvas.
function placesOf(u, line) {
  const at = line.points.map((p) => [u.valToPos(p.x, "x", true), u.valToPos(p.y, "y", true)]),
    places = [...at];
  for (let i = 1; i < at.length; i++) {
    const [[x, y], [right, end]] = [at[i - 1], at[i]],
      steps = Math.ceil((right - x) / (6 * uPlot.pxRatio));
    for (let s = 1; s < steps; s++) places.push([x + ((right - x) * s) / steps, y + ((end - y) * s) / steps]);
  }
  return places;
}
