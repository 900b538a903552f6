// The runs of the page, from its JSON. See data.go for the fields.
const data = JSON.parse(document.getElementById("data").textContent);

const machineOf = (run) => data.machines[run.machine];
const commitOf = (run) => data.programs[run.program].commit;
const linkOf = (run) => document.body.dataset.root + run.folder + "/";

// bitsOf names the width of the run's results.
const bitsOf = (run) => (run.bits ? `${run.bits}-bit` : "unknown");

const severalBits = new Set(data.runs.map((r) => r.bits)).size > 1;

// pruneOf names the pruning of kernel 1.
const pruneOf = (run) => (run.prune ? `pruned by a ${run.prune}` : "no pruning");

const unique = (values) => [...new Set(values)];
const ascending = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
