// One traced run, step by step: a bar per rank, with the time that it computes, exchanges and waits.

const parts = ["computing", "exchanging", "waiting"];

// levelView fills an element and returns a function that shows a run.
function levelView(element) {
  const traced = data.runs.filter((r) => r.trace != null);
  const groupOf = (r) => `${machineOf(r)}, ${r.kernel}${r.prune ? ", pruned" : ""}`;
  const groups = unique(traced.map(groupOf));
  const group = el(
    "select",
    {
      name: "group",
      change: () => {
        fill();
        show();
      },
    },
    groups.map((g) => el("option", { value: g }, g)),
  );
  const pick = el("select", { name: "run", change: () => show() });
  const view = el("select", { name: "view", change: () => show() });
  const out = el("div"),
    frontier = figureView(() => "levels");
  const fill = () =>
    pick.replaceChildren(
      ...traced
        .filter((r) => groupOf(r) === group.value)
        .sort(byInterest)
        .map((r) =>
          el(
            "option",
            { value: traced.indexOf(r) },
            [r.units, `scale ${r.scale}`, bitsOf(r), r.setting, day(r.date), commitOf(r)].filter(Boolean).join(", "),
          ),
        ),
    );
  const show = () => {
    const run = traced[Number(pick.value)],
      views = data.traces[run.trace].views;
    const at = Math.min(Math.max(view.selectedIndex, 0), views.length - 1);
    view.replaceChildren(...views.map((v, i) => el("option", { value: i, selected: i === at }, v.name)));
    out.replaceChildren(...pictureOf(run, views[at]));
    frontier.show(frontierOf(run, views[at]));
  };
  element.append(
    el(
      "form",
      { class: "choices", submit: (event) => event.preventDefault() },
      el("label", {}, "machine and kernel", group),
      el("label", {}, "run", pick),
      el("label", {}, "search", view),
    ),
    out,
    frontier.element,
  );
  const open = (run) => {
    group.value = groupOf(run);
    fill();
    pick.value = traced.indexOf(run);
    show();
  };
  open([...traced].sort(byInterest)[0]);
  return { open, draw: frontier.draw };
}

// frontierOf returns the figure of the frontier by level, null for a few levels.
function frontierOf(run, view) {
  const points = view.steps.map((s, x) => ({ x, y: s.frontier ?? 0 })).filter((p) => p.y > 0);
  if (points.length < fewest) return null;
  return {
    name: "frontier",
    title: "Vertices in the frontier over the distance from the root",
    caption: `${run.folder}, ${view.name}. The vertical axis is logarithmic.`,
    x: { label: "distance from the root" },
    y: { label: "vertices in the frontier" },
    lines: [{ label: `${run.kernel}, scale ${run.scale}`, machine: run.machine, points }],
  };
}

// byInterest sorts runs with more ranks, then newer ones, to the front.
const byInterest = (a, b) => b.ranks - a.ranks || ascending(b.date, a.date) || b.scale - a.scale;

// pictureOf returns the bars of a search, with a sentence about the waiting.
function pictureOf(run, view) {
  const rest = view.us - view.steps.reduce((sum, s) => sum + s.us, 0);
  const steps = [
    ...view.steps.filter((s) => s.us > 0),
    ...(rest > 0.005 * view.us ? [{ name: "rest", variant: "launches, the host's clock", us: rest, rest: true }] : []),
  ];
  const longest = Math.max(...steps.map((s) => s.us));
  const rows = steps.flatMap((s) => [
    el(
      "div",
      { class: "name" },
      el("b", {}, `${s.name}: ${micro(s.us)}, ${percent(s.us / view.us)}`),
      el("span", {}, s.variant || ""),
      s.frontier ? el("span", {}, `frontier ${s.frontier.toLocaleString("en-US")}`) : "",
      s.last ? el("span", {}, lastOf(s)) : "",
    ),
    el("div", { class: "bars-of" }, barsOf(s, longest)),
  ]);
  return [
    el("p", { class: "finding" }, findingOf(view)),
    el(
      "p",
      { class: "parts" },
      [...parts.slice(0, run.ranks > 1 ? 3 : 1), "rest"].map((p) =>
        el("span", {}, el("i", { class: p }), p === "rest" ? "not measured by rank" : p),
      ),
    ),
    el("div", { class: "steps" }, rows),
    el(
      "p",
      { class: "note" },
      "Run ",
      el("a", { href: linkOf(run) }, run.folder),
      `, ${view.name}: ${micro(view.us)}. `,
      "Steps that some searches lack count as 0 there, so that the bars add up to the mean search. ",
      view.steps.some((s) => s.last)
        ? "A rank is last if it waits least; a bold one is last in more than half of the searches."
        : "",
    ),
  ];
}

// barsOf returns the bars of a step, one per rank, relative to the longest step.
function barsOf(step, longest) {
  const width = (us) => `width:${((76 * us) / longest).toFixed(2)}%`;
  if (!step.ranks)
    return [
      el(
        "div",
        { class: "rank" },
        el("span"),
        el("div", { class: "bar" }, el("i", { class: step.rest ? "rest" : "computing", style: width(step.us) })),
      ),
    ];
  return step.ranks.map(([rank, ...times]) =>
    el(
      "div",
      { class: rank === step.last?.[0] ? "rank last" : "rank" },
      el("span", {}, `rank ${rank}`),
      el(
        "div",
        { class: "bar" },
        times.map(
          (us, i) => us > 0 && el("i", { class: parts[i], style: width(us), title: `${parts[i]} ${micro(us)}` }),
        ),
        el("b", {}, waitOf(times) > 0 ? `waits ${micro(waitOf(times))}` : ""),
      ),
    ),
  );
}

const waitOf = (times) => times[times.length - 1];

// findingOf says how long the longest step is, how much of the search ranks wait, where most, and for which rank if one
// is last in most searches.
function findingOf(view) {
  const steps = view.steps.filter((s) => s.ranks);
  const slow = view.steps.reduce((a, b) => (b.us > a.us ? b : a));
  const name = slow.name + (slow.variant ? ` (${slow.variant})` : "");
  const longest = `The longest step is ${name}: ${micro(slow.us)}, ${percent(slow.us / view.us)} of the search.`;
  if (!steps.length) return longest;
  const mean = (s) => s.ranks.reduce((sum, times) => sum + waitOf(times), 0) / s.ranks.length;
  const most = steps.reduce((a, b) => (mean(b) > mean(a) ? b : a));
  const all = steps.reduce((sum, s) => sum + mean(s), 0);
  if (!all) return `${longest} This trace does not separate waiting from exchanging.`;
  return (
    `${longest} On average a rank waits ${micro(all)}, ${percent(all / view.us)} of the search` +
    `, most in ${most.name} (${micro(mean(most))})${most.last ? `, where ${lastOf(most)}` : ""}.`
  );
}

// lastOf names the rank that the others wait for.
function lastOf({ last: [rank, searches], n }) {
  return `rank ${rank} is last${n > 1 ? ` in ${searches} of ${n} searches` : ""}`;
}
