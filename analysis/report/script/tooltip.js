// The tooltip of a plot: the run behind the nearest point. The mouse or the arrow keys choose a point; a click or Enter
// keeps the tooltip open, so that its links can be followed; Escape closes it.

const tooltip = document.getElementById("tooltip");
let pinnedBy = null; // the element that gets the focus back

function hideTooltip() {
  tooltip.hidden = true;
  tooltip.classList.remove("pinned");
  if (pinnedBy && tooltip.contains(document.activeElement)) pinnedBy.focus();
  pinnedBy = null;
}

// explain connects the canvas of a view with the tooltip, and returns a function that hides it.
function explain(view, chosen) {
  const element = view.canvas,
    current = view.now;
  let at = -1;
  const show = (index) => {
    at = index;
    showTooltip(current(), index, view.figure().y.percent ? efficiency : quantities[chosen.quantity]);
  };
  const nearest = (event) => {
    const far = (one) => {
      const [x, y] = windowPlace(current(), one);
      return Math.hypot(x - event.clientX, y - event.clientY);
    };
    const distances = current().all.map(far),
      best = Math.min(...distances);
    return best < 40 ? distances.indexOf(best) : -1;
  };
  const pin = (index) => {
    hideTooltip();
    if (index < 0) return;
    show(index);
    pinnedBy = element;
    tooltip.classList.add("pinned");
    tooltip.querySelector("a").focus({ preventScroll: true });
  };
  element.addEventListener("mousemove", (event) => {
    if (!current() || pinnedBy) return;
    const index = nearest(event);
    if (index >= 0) show(index);
    else hideTooltip();
  });
  element.addEventListener("mouseleave", () => pinnedBy || hideTooltip());
  element.addEventListener("blur", () => pinnedBy || hideTooltip());
  element.addEventListener("click", (event) => current() && pin(nearest(event)));
  element.addEventListener("keydown", (event) => {
    const plot = current();
    if (!plot) return;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: "next", ArrowUp: "previous" }[event.key];
    if (step) show(neighbour(plot.all, at, step));
    else if (event.key === "Enter" || event.key === " ") pin(Math.max(at, 0));
    else return;
    event.preventDefault();
  });
  return () => {
    at = -1;
    hideTooltip();
  };
}

// neighbour returns the point that many points further, or the first one of the next or previous line.
function neighbour(all, at, step) {
  if (at < 0) return 0;
  if (typeof step === "number") return (at + step + all.length) % all.length;
  const firsts = all.map((p, i) => i).filter((i) => i === 0 || all[i].line !== all[i - 1].line);
  const line = firsts.findLastIndex((i) => i <= at) + (step === "next" ? 1 : -1);
  return firsts[(line + firsts.length) % firsts.length];
}

// windowPlace returns the place of a point of a drawn figure in the window.
function windowPlace({ svg }, { at }) {
  const frame = svg.getBoundingClientRect(),
    zoom = frame.width / svg.viewBox.baseVal.width;
  return [frame.left + at[0] * zoom, frame.top + at[1] * zoom];
}

function showTooltip(plot, index, quantity) {
  const { point } = plot.all[index],
    run = point.runs[0];
  const several = point.runs.length > 1;
  tooltip.className = `machine-${run.machine}`;
  tooltip.replaceChildren(
    el("b", {}, `${digits(point.y)} ${quantity.unit}`),
    quantity.bounds || several ? ` (${digits(point.low)} to ${digits(point.high)})` : "",
    el("br"),
    `${machineOf(run)}, ${run.units}, scale ${run.scale}`,
    el("br"),
    [`${bitsOf(run)} results`, run.prune && pruneOf(run), run.setting].filter(Boolean).join(", "),
    el("br"),
    several
      ? `median of ${point.runs.length} runs`
      : `n = ${run.n} searches, median ${time(run.median)}; kernel 1: ${time(run.kernel1)}`,
    el(
      "ul",
      {},
      point.runs.map((r) =>
        el(
          "li",
          {},
          el("a", { href: linkOf(r) }, `${day(r.date)}, ${commitOf(r)}`),
          several ? `: ${digits(quantity.of(r))}` : "",
        ),
      ),
    ),
    el("span", { class: "hint" }, "Click or Enter keeps this open, Escape closes it."),
  );
  tooltip.hidden = false;
  const [x, y] = windowPlace(plot, plot.all[index]);
  const width = tooltip.offsetWidth,
    room = document.documentElement.clientWidth;
  const left = x + 16 + width < room ? x + 16 : Math.max(x - 16 - width, 8);
  tooltip.style.left = `${Math.min(left, room - width - 8) + scrollX}px`;
  tooltip.style.top = `${Math.max(y - tooltip.offsetHeight - 12, 8) + scrollY}px`;
}
