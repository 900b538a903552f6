// A figure on the page, with buttons that save it.

// figureView returns an element, show(figure), which shows another one or, if it is null, none, draw(), which draws it
// in another size or other colours, and now(), the drawn one. address() returns the choices for the page's address.
function figureView(address) {
  const title = el("h3"),
    canvas = el("div", { class: "canvas", tabindex: 0, role: "group" }),
    caption = el("figcaption");
  let figure = null,
    drawn = null;
  const save = (type, ending, text) => () => download(`${figure.name}.${ending}`, type, text(figure));
  const link = el("button", { type: "button", click: () => copyLink(link, address()) }, "Copy link");
  const element = el(
    "figure",
    { class: "chart" },
    title,
    canvas,
    caption,
    el(
      "p",
      { class: "tools" },
      el("button", { type: "button", click: save("image/svg+xml", "svg", svgFile) }, "Save as SVG"),
      el("button", { type: "button", click: save("text/csv", "csv", csvFile) }, "Save as CSV"),
      el("button", { type: "button", click: () => printOne(element) }, "Print or PDF"),
      link,
    ),
  );
  const draw = () => {
    drawn = figure && drawFigure(figure, printing ? 660 : Math.max(320, canvas.clientWidth));
    canvas.replaceChildren(...(drawn ? [drawn.svg] : []));
  };
  const show = (next) => {
    figure = next;
    element.hidden = !figure;
    element.id = figure?.name ?? "";
    const points = figure?.lines.flatMap((l) => (l.ideal ? [] : l.points)) ?? [];
    canvas.ariaLabel = `${figure?.title}: ${plural(points.length, "point")}, Enter keeps one open, arrow keys move`;
    title.textContent = figure?.title ?? "";
    caption.textContent = figure?.caption ?? "";
    draw();
  };
  element.hidden = true;
  return { element, canvas, show, draw, now: () => drawn, figure: () => figure };
}

// svgFile returns a figure as the text of a file: 720 pixels wide, in light colours.
function svgFile(figure) {
  return inLight(() => {
    const { svg } = drawFigure(figure, 720);
    svg.style.background = tone("--paper");
    return new XMLSerializer().serializeToString(svg) + "\n";
  });
}

// csvFile returns the points of a figure.
function csvFile(figure) {
  const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = figure.lines
    .filter((line) => !line.ideal)
    .flatMap((line) =>
      line.points.map((p) => [
        line.label,
        figure.x.tick ? figure.x.tick(p.x) : p.x,
        figure.y.rows ? figure.y.rows[Math.round(p.y)] : p.y,
        p.low ?? "",
        p.high ?? "",
        (p.runs ?? []).map((r) => r.folder).join(" "),
      ]),
    );
  return [["line", figure.x.label, figure.y.label ?? "row", "low", "high", "runs"], ...rows]
    .map((row) => row.map((text) => cell(String(text))).join() + "\n")
    .join("");
}

// inLight returns the value of a function that reads the page's colours, in light ones.
function inLight(of) {
  const page = document.documentElement.classList,
    before = page.contains("printing");
  page.add("printing");
  const value = of();
  page.toggle("printing", before);
  return value;
}

function download(name, type, text) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

// copyLink puts the choices into the page's address, and the address into the clipboard if the browser permits it.
function copyLink(button, address) {
  history.replaceState(null, "", `#${address}`);
  const say = (text) => (button.textContent = text);
  navigator.clipboard?.writeText(location.href).then(
    () => say("Copied"),
    () => say("See the address"),
  ) ?? say("See the address");
}

// printOne prints a single figure.
function printOne(element) {
  element.classList.add("alone");
  document.documentElement.classList.add("one");
  print();
  document.documentElement.classList.remove("one");
  element.classList.remove("alone");
}
