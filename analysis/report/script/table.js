// Tables that a click on a column's head sorts.

// runTable returns a table of runs, the highest rate first. It shows the levels of a traced run through openTrace(run).
function runTable(runs, openTrace) {
  const columns = [
    ["machine", (r) => machineOf(r), "word"],
    ["GTEPS", (r) => r.rate, "", digits],
    ["scale", (r) => r.scale],
    ["run on", (r) => r.units, "word"],
    ["±", (r) => r.error / r.rate, "", percent],
    ["searches", (r) => r.n],
    ["median search", (r) => r.median, "", time],
    ["kernel 1", (r) => r.kernel1, "", time],
    ["validation", (r) => r.validation, "", time],
    ["results", (r) => [bitsOf(r), r.prune && pruneOf(r), r.setting].filter(Boolean).join(", "), "word"],
    ["date", (r) => r.date, "word", day],
  ].filter(([, of]) => runs.some(of));
  const traced = runs.some((r) => r.trace != null);
  const row = (run) =>
    el(
      "tr",
      {},
      columns.map(([, of, kind, format], i) =>
        el(
          "td",
          { class: `${kind || ""}${i ? "" : ` machine-${run.machine}`}`, "data-value": of(run) },
          el("span", { class: kind ? "long" : null }, String(format ? format(of(run)) : of(run))),
        ),
      ),
      el("td", { class: "word" }, el("a", { href: linkOf(run), title: run.folder }, commitOf(run))),
      traced &&
        el(
          "td",
          { class: "word" },
          run.trace == null ? "" : el("a", { href: "#levels", click: () => openTrace(run) }, "levels"),
        ),
    );
  const table = el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        [...columns, ["version", null, "word"], ...(traced ? [["trace", null, "word"]] : [])].map(([name, , kind]) =>
          el("th", { scope: "col", class: kind || null }, name),
        ),
      ),
    ),
    el("tbody", {}, [...runs].sort((a, b) => b.rate - a.rate).map(row)),
  );
  sortable(table);
  mark(table, 1, "descending");
  return table;
}

// markWide marks the tables with more columns than fit, which a style then says.
function markWide() {
  for (const e of document.querySelectorAll(".wide")) e.classList.toggle("scrolls", e.scrollWidth > e.clientWidth);
}

// sortable gives each column of a table a button that sorts its rows, first the largest, by data-value or the text.
function sortable(table) {
  for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
    const label = head.textContent;
    head.replaceChildren(
      el(
        "button",
        {
          type: "button",
          click: () => {
            const order = head.getAttribute("aria-sort") === "descending" ? "ascending" : "descending";
            mark(table, column, order);
            sortRows(table.tBodies[0], column, order);
          },
        },
        label,
      ),
    );
  }
}

function mark(table, column, order) {
  [...table.tHead.rows[0].cells].forEach((head, i) =>
    i === column ? head.setAttribute("aria-sort", order) : head.removeAttribute("aria-sort"),
  );
}

function sortRows(body, column, order) {
  const value = (row) => {
    const cell = row.cells[column],
      text = cell.dataset.value ?? cell.textContent;
    const number = Number(text.replace(/[,%+]/g, "").replace("−", "-"));
    const isText = cell.classList.contains("word") || text.trim() === "" || Number.isNaN(number);
    return isText ? text : number; // a commit may be 1234567 or 12e4567
  };
  const sign = order === "descending" ? -1 : 1;
  body.append(
    ...[...body.rows]
      .map((row) => ({ row, value: value(row) }))
      .sort(
        (a, b) =>
          sign *
          (typeof a.value === typeof b.value ? ascending(a.value, b.value) : typeof a.value === "number" ? 1 : -1),
      )
      .map(({ row }) => row),
  );
}
