// The choices of the reader for one kernel, and the runs that they select.

// choicesOf returns controls for the runs of a kernel, the choices that the controls change, and a function that
// returns them for the page's address, which sets them if the page opens with it. It calls changed() after each change.
// CPUs and GPUs are on one axis only if the reader ticks both.
function choicesOf(runs, kernel, changed) {
  const [section, given] = location.hash.slice(1).split("?"),
    linked = new URLSearchParams(section === kernel ? given : "");
  const gpus = runs.filter((r) => !r.threads),
    machines = linked.get("machines")?.split(",").map(Number) ?? (gpus.length ? gpus : runs).map((r) => r.machine);
  const chosen = { machines: new Set(machines) };
  const address = () =>
    `${kernel}?${new URLSearchParams({ ...chosen, machines: [...chosen.machines].sort((a, b) => a - b).join() })}`;
  const select = (name, label, options, first) => {
    chosen[name] = options.some(([value]) => value === linked.get(name)) ? linked.get(name) : (first ?? options[0][0]);
    if (options.length < 2) return null;
    const change = (event) => {
      chosen[name] = event.target.value;
      changed();
    };
    return el(
      "label",
      {},
      label,
      el(
        "select",
        { name, change },
        options.map(([value, text]) => el("option", { value, selected: value === chosen[name] }, text)),
      ),
    );
  };
  const of = (property) => {
    const values = unique(runs.map(property))
      .sort((a, b) => b - a || ascending(a, b))
      .map((x) => [String(x), x]);
    return [["all", "all"], ...(values.length > 1 ? values : [])];
  };
  const bits = of(bitsOf),
    prunes = of(pruneOf),
    settings = [
      ["", "default"],
      ["all", "all"],
    ].slice(runs.some((r) => r.setting) ? 0 : 1);
  const controls = el(
    "form",
    { class: "choices", submit: (event) => event.preventDefault() },
    machineBoxes(runs, chosen, changed),
    select(
      "quantity",
      "show",
      Object.entries(quantities)
        .filter(([, q]) => runs.some((r) => q.of(r) > 0))
        .map(([id, q]) => [id, q.name[0].toLowerCase() + q.name.slice(1)]),
    ),
    select(
      "axis",
      "over",
      Object.entries(axes).map(([id, a]) => [id, a.name]),
      data.study ? "ranks" : "scale",
    ),
    select(
      "scale",
      "scale",
      of((r) => r.scale),
    ),
    select(
      "ranks",
      "ranks",
      of((r) => r.ranks),
    ),
    select("bits", "result width", bits, bits.some(([id]) => id === "64-bit") ? "64-bit" : "all"),
    select("prune", "pruning", prunes, prunes.some(([id]) => id === "no pruning") ? "no pruning" : "all"),
    select("setting", "other settings", settings, runs.some((r) => !r.setting) ? "" : "all"),
    select("version", "version", [["newest", "newest for each point"], ...versionsOf(runs)]),
  );
  return { controls, chosen, address };
}

// machineBoxes returns a checkbox for each machine, with its colour.
function machineBoxes(runs, chosen, changed) {
  const box = (machine) =>
    el(
      "label",
      { class: `box machine-${machine}` },
      el("input", {
        type: "checkbox",
        name: "machine",
        value: machine,
        checked: chosen.machines.has(machine),
        change: (event) => {
          if (event.target.checked) chosen.machines.add(machine);
          else chosen.machines.delete(machine);
          changed();
        },
      }),
      el("span", { class: "swatch" }),
      data.machines[machine],
    );
  return el(
    "fieldset",
    {},
    el("legend", {}, "machine"),
    el(
      "div",
      { class: "boxes" },
      unique(runs.map((r) => r.machine))
        .sort((a, b) => a - b)
        .map(box),
    ),
  );
}

// versionsOf lists the versions of the program that made the runs, the newest first; none if there is one.
function versionsOf(runs) {
  const versions = unique(runs.map((r) => r.program)).sort((a, b) => b - a);
  const named = versions.map((p) => [String(p), `${data.programs[p].commit}, ${day(data.programs[p].first)}`]);
  return versions.length > 1 ? [["all", "all"], ...named] : [];
}

// chosenRuns returns the runs that the reader has chosen.
function chosenRuns(runs, chosen) {
  const fits = (choice, value) => choice === "all" || choice === String(value);
  return runs.filter(
    (r) =>
      chosen.machines.has(r.machine) &&
      fits(chosen.scale, r.scale) &&
      fits(chosen.ranks, r.ranks) &&
      fits(chosen.bits, bitsOf(r)) &&
      fits(chosen.prune, pruneOf(r)) &&
      (chosen.setting === "all" || !r.setting) &&
      (chosen.version === "newest" ? r.newest : fits(chosen.version, r.program)),
  );
}
