// The start of the page. Printing draws the plots again, in light colours and in the width of paper.

let printing = false;

document.addEventListener("DOMContentLoaded", () => {
  for (const part of document.querySelectorAll(".scripted")) part.hidden = false;
  const text = document.getElementById("data").textContent;
  for (const part of document.querySelectorAll("[data-of]")) part.hidden = !text.includes(part.dataset.of);
  for (const table of document.querySelectorAll("table.sortable")) sortable(table);
  const levels = document.getElementById("levels");
  if (!data.traces.length) levels?.remove();
  const traced = data.traces.length ? levelView(levels.querySelector(".trace")) : { open() {}, draw() {} };
  const redraws = [
    ...[...document.querySelectorAll(".explore")].map((element) => explore(element, traced.open)),
    ...data.figures.map(staticFigure),
    traced.draw,
  ];
  const redraw = () => [...redraws, markWide].forEach((draw) => draw());
  const print = (now) => () => {
    printing = now;
    document.documentElement.classList.toggle("printing", now);
    redraw();
  };
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width && !printing) {
      width = innerWidth;
      redraw();
    }
  });
  document.addEventListener("toggle", markWide, true);
  addEventListener("beforeprint", print(true));
  addEventListener("afterprint", print(false));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("keydown", (event) => event.key === "Escape" && hideTooltip());
  document.addEventListener("click", (event) => {
    if (!tooltip.contains(event.target) && !event.target.closest(".canvas")) hideTooltip();
  });
  markWide();
  document.querySelector(`[id="${CSS.escape(location.hash.slice(1).split("?")[0])}"]`)?.scrollIntoView();
  document.body.dataset.ready = "true"; // for tests
});

// staticFigure adds a figure without choices to the page, and returns a function that draws it again.
function staticFigure(figure) {
  const view = figureView(() => figure.name);
  document.getElementById("figures").append(view.element);
  view.show(figure);
  return view.draw;
}
