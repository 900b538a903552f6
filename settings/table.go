// SPDX-License-Identifier: Apache-2.0

package settings

import (
	"time"

	"g500/comm"
	"g500/graph"
	"g500/policy"
)

// Config is the configuration of a run, from a TOML file and flags. It is stored with the run.
type Config struct {
	Graph   GraphConfig   `toml:"graph" json:"graph"`
	Search  SearchConfig  `toml:"search" json:"search"`
	Policy  policy.Policy `toml:"policy" json:"policy"`
	Machine MachineConfig `toml:"machine" json:"machine"`
	Output  OutputConfig  `toml:"output" json:"output"`
}

// GraphConfig names the graph. For another graph than the official one, Scale and EdgeFactor are the smallest that hold
// it, set when it is made.
type GraphConfig struct {
	Scale      int    `toml:"scale" json:"scale"`
	EdgeFactor int64  `toml:"edgefactor" json:"edgefactor"`
	Seeds      Seeds  `toml:"seeds" json:"seeds"`
	Edges      string `toml:"edges" json:"edges,omitempty"`
	Format     string `toml:"format" json:"format,omitempty"`
	Spec       string `toml:"spec" json:"spec,omitempty"`
}

// SearchConfig sets how the graph is searched.
type SearchConfig struct {
	Engine       string   `toml:"engine" json:"engine"`
	Kernel       string   `toml:"kernel" json:"kernel"`
	Keys         int      `toml:"keys" json:"keys"`
	Validate     bool     `toml:"validate" json:"validate"`
	Trace        bool     `toml:"trace" json:"trace"`
	KernelTimes  bool     `toml:"kernel_times" json:"kernel_times"`
	Exchange     string   `toml:"exchange" json:"exchange"`
	ResultBits   int      `toml:"result_bits" json:"result_bits"`
	IDs64        bool     `toml:"ids64" json:"ids64,omitempty"`
	Prune        string   `toml:"prune" json:"prune,omitempty"`
	Roots        string   `toml:"roots" json:"roots,omitempty"`
	MinTime      Duration `toml:"min_time" json:"min_time,omitempty"`
	Power        bool     `toml:"power" json:"power"`
	PowerSeconds int      `toml:"power_seconds" json:"power_seconds"`
}

// MachineConfig sets the ranks and how they are connected.
type MachineConfig struct {
	Transport    string `toml:"transport" json:"transport"`
	Ranks        int    `toml:"ranks" json:"ranks"`
	EmulateNodes int    `toml:"emulate_nodes" json:"emulate_nodes,omitempty"`
	Threads      int    `toml:"threads" json:"threads"`
	GPUTransport string `toml:"gpu_transport" json:"gpu_transport"`
	EdgeMemory   string `toml:"edge_memory" json:"edge_memory"`
	GraphForm    string `toml:"graph_form" json:"graph_form,omitempty"`
}

// OutputConfig names the output.
type OutputConfig struct {
	Dir   string `toml:"dir" json:"dir,omitempty"`
	Trees bool   `toml:"trees" json:"trees"`
	Names string `toml:"names" json:"names"`
}

// The official values that other packages need.
const (
	OfficialKeys       = 64
	OfficialEdgeFactor = 16
)

// The limits of settings that other packages need.
const (
	MaxKeys    = 1 << 16
	MaxThreads = 1 << 10 // of a rank
	maxRanks   = 1 << 16
)

// The engines: the values of search.engine except auto.
const (
	GPU     = "gpu"     // only in the GPU program; "auto" prefers it
	CPU     = "cpu"     // the fast engine on CPUs
	TopDown = "topdown" // the reference implementation, with which the others are compared in tests
)

// The memories of edge tuples of GPU runs: the values of machine.edge_memory except auto.
const (
	InDevice  = "device"
	InHost    = "host"
	Generated = "generated"
)

// onGPU are the engines of settings for GPUs.
var onGPU = []string{GPU}

// GPUTransports has the transports between GPUs that are no peers, by the value of machine.gpu_transport: a text that
// their descriptions in records contain, and the library that carries the messages.
var GPUTransports = map[string]struct{ Text, Library string }{
	"mpi":    {"MPI from device memory", "MPI"},
	"staged": {"staged in host memory", "MPI"},
	"nccl":   {"NCCL", "NCCL"},
}

// Table has a row for each member of a Config. Only tests change it.
var Table = []Setting{
	Row("graph.scale", 16, Setting{Group: Basic, Short: "s", Help: "set the number of vertices to 2^scale", Min: 1,
		Max: graph.MaxScale, Unless: "graph.spec"}),
	Row("graph.edgefactor", OfficialEdgeFactor, Setting{Group: OfGraph, Help: "set the number of edge tuples per vertex",
		Min: 1, Max: 1 << 10, Official: true, Unless: "graph.spec"}),
	Row("graph.seeds", Seeds{2, 3}, Setting{Group: OfGraph, Help: "seed the generator", Official: true,
		Unless: "graph.spec", Note: "seeds {value}: the official graph has 2,3"}),
	Row("graph.edges", "", Setting{Group: OfGraph, Official: true, Variant: true,
		Help: "read edge tuples from FILE; format is {within}; packed has 12-byte records",
		Note: "the edge list was read from {value} (graph.edges), and not checked against the official generator"}),
	Row("graph.format", string(graph.Packed), Setting{Within: "graph.edges",
		Help:   "set the format of the edge file: {values}; packed has 12-byte records",
		Values: []string{string(graph.Packed), string(graph.U64)}, Needs: "graph.edges"}),
	Row("graph.spec", "", Setting{Group: OfGraph, Flag: "graph",
		Help: "use this graph instead of the official one, as road:1000x1000 or file:PATH", Official: true, Variant: true,
		Note: "the graph is {value} (graph.spec), not the official one: this is no Graph500 result"}),
	Row("search.engine", "auto", Setting{Group: Basic,
		Help:   "search with {values}; auto: gpu if every rank has one, else cpu",
		Values: []string{"auto", GPU, CPU, TopDown}}),
	Row("search.kernel", "bfs", Setting{Group: Basic,
		Help:   "run kernel {values}: bfs is kernel 2, sssp is kernel 3 (shortest paths)",
		Values: []string{"bfs", "sssp", "both"}}),
	Row("search.keys", OfficialKeys, Setting{Group: OfRules, Help: "search from this many keys", Min: 1, Max: MaxKeys,
		Official: true, Unless: "search.roots"}),
	Row("search.validate", true, Setting{Group: OfRules, Help: "validate every tree by the specification's rules",
		Official: true}),
	Row("search.trace", false, Setting{Group: Basic,
		Help: "print statistics of each level of each search (engines {engines})", Engines: []string{GPU, CPU},
		MayIdle: true}),
	Row("search.kernel_times", false, Setting{Group: Experts,
		Help: "time each GPU kernel, which slows searches, and print the times at the end", Engines: onGPU, Official: true,
		Variant: true, Note: "each GPU kernel was timed (search.kernel_times), which makes all times longer"}),
	Row("search.exchange", "auto", Setting{Group: Experts, Help: "exchange the frontier between GPUs by: {values}",
		Values: []string{"auto", "bitmap", "bins"}, Engines: onGPU, Variant: true}),
	Row("search.result_bits", 64, Setting{Group: Experts, Help: "store parents in this many bits: {values}, only on GPUs",
		Values: []string{"64", "32"}, Engines: onGPU, Official: true}),
	Row("search.ids64", false, Setting{Group: Experts,
		Help: "use 64-bit labels on several GPUs; without peers also 64-bit packed ids", Engines: onGPU, Variant: true}),
	Row("search.prune", NotPruned, Setting{Group: OfRules,
		Help:   "drop edges that are on no shortest path: {values} (by distances from a hub)",
		Values: []string{NotPruned, "hub"}}),
	Row("search.roots", "", Setting{Group: OfGraph,
		Help: "search from the vertices in this file, one per line, instead of drawn keys", Official: true,
		Note: "the roots were read from {value} (search.roots) and not drawn: this is no submission"}),
	Row("search.min_time", 0, Setting{Group: OfRules,
		Help: "repeat the searches from all keys until they have taken this long, as 90s", Max: int64(1000 * time.Hour),
		Official: true, Note: "keys were repeated until searches took {value} (search.min_time): this is no submission"}),
	Row("search.power", false, Setting{Group: Basic,
		Help: "measure power in further searches from all keys, for {within} s or a TIME"}),
	Row("search.power_seconds", 10, Setting{Within: "search.power", Help: "measure power for at least this many seconds",
		Min: 1, Max: 1 << 16, Needs: "search.power"}),
	Row("policy", policy.Default(), Setting{Group: Experts,
		Help: "set thresholds of searches, as alpha=30 (--print-config lists them); repeatable", Engines: onGPU,
		MayIdle: true}),
	Row("machine.transport", comm.AutoTransport, Setting{Group: Experts,
		Help: "connect ranks by: {values}; loopback connects ranks in this process", Values: comm.TransportNames()}),
	Row("machine.ranks", 1, Setting{Group: Basic,
		Help: "start this many ranks in this process, unless mpirun or srun starts them", Min: 1, Max: maxRanks}),
	Row("machine.emulate_nodes", 0, Setting{Group: Experts,
		Help: "treat ranks as spread over this many nodes, for tests; 0 for the real nodes", Max: maxRanks,
		Note: "the ranks were treated as if on {value} nodes (machine.emulate_nodes)"}),
	Row("machine.threads", 0, Setting{Group: Basic,
		Help: "use this many worker threads per rank; 0 for a share of the node's cores", Max: MaxThreads, PerRank: true}),
	Row("machine.gpu_transport", "auto", Setting{Group: Experts, Help: "move GPU data: {values}",
		Values: []string{"auto", "peer", "mpi", "staged", "nccl", "peer+mpi", "peer+staged", "peer+nccl"}, Engines: onGPU,
		Variant: true}),
	Row("machine.edge_memory", "auto", Setting{Group: Experts,
		Help:   "keep tuples of GPU runs: {values}; auto is host if needed",
		Values: []string{"auto", InDevice, InHost, Generated}, Engines: onGPU, Variant: true}),
	Row("machine.graph_form", "", Setting{Group: Experts,
		Help: "store rows for BFS on GPUs: {values}; auto packs if needed", Values: []string{"auto", "plain", "packed"},
		Engines: onGPU, Variant: true}),
	Row("output.dir", "", Setting{Group: Basic, Short: "o", Flag: "output",
		Help: "write results to this folder after each search", PerRank: true}),
	Row("output.trees", false, Setting{Group: OfOutput,
		Help: "store the result of each search in DIR/trees: parents and distances"}),
	Row("output.names", "official", Setting{Group: OfOutput,
		Help: "use names of: {values}; official: reference code, spec: specification", Values: []string{"official", "spec"}}),
}
