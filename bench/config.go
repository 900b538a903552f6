package bench

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"g500/bfs"
	"g500/graph"
	"g500/kronecker"
	"g500/sssp"
)

// Config is a whole named run. It is read from a TOML file, overridden by flags, and written into the report.
type Config struct {
	Graph   GraphConfig   `toml:"graph" json:"graph"`
	Search  SearchConfig  `toml:"search" json:"search"`
	Policy  bfs.Policy    `toml:"policy" json:"policy"` // of engine gpu
	Machine MachineConfig `toml:"machine" json:"machine"`
	Output  OutputConfig  `toml:"output" json:"output"`
}

// GraphConfig names the graph. The official graphs have edge factor 16 and seeds 2 and 3. Of another graph, Scale and
// EdgeFactor are the smallest into which it fits: they are set when it is made.
type GraphConfig struct {
	Scale      int    `toml:"scale" json:"scale"`
	EdgeFactor int64  `toml:"edgefactor" json:"edgefactor"`
	Seeds      Seeds  `toml:"seeds" json:"seeds"`
	Edges      string `toml:"edges" json:"edges,omitempty"`   // file to read the tuples from, "" to generate them
	Format     string `toml:"format" json:"format,omitempty"` // of that file: packed or u64
	Spec       string `toml:"spec" json:"spec,omitempty"`     // another graph (graph/formats), "" for the official one
}

// SearchConfig says how the graph is searched.
type SearchConfig struct {
	Engine   string `toml:"engine" json:"engine"`     // see engines in cmd/g500
	Kernel   string `toml:"kernel" json:"kernel"`     // bfs, sssp or both
	Keys     int    `toml:"keys" json:"keys"`         // search keys; 64 for a submission
	Validate bool   `toml:"validate" json:"validate"` // check every tree
	Trace    bool   `toml:"trace" json:"trace"`       // tell what each level of each search did
	Sync     bool   `toml:"sync" json:"sync"`         // wait for each kernel of a device, and time it
	Exchange string `toml:"exchange" json:"exchange"` // what GPUs tell each other in a level: auto, bitmap or bins

	ResultBits int `toml:"result_bits" json:"result_bits"` // of a parent in a result, on GPUs: 64, or 32 for comparison

	Prune sssp.Pruning `toml:"prune" json:"prune,omitempty"` // what kernel 1 leaves out for shortest paths: none or hub

	Roots   string   `toml:"roots" json:"roots,omitempty"`       // file, one label a line; "" to draw the keys
	MinTime Duration `toml:"min_time" json:"min_time,omitempty"` // of a kernel's searches; 0 for one from each key

	Power        bool `toml:"power" json:"power"`                 // measure what devices draw, after the timed searches
	PowerSeconds int  `toml:"power_seconds" json:"power_seconds"` // for that long at least
}

// MachineConfig says on what the run is spread.
type MachineConfig struct {
	Transport string `toml:"transport" json:"transport"`   // auto, loopback or mpi
	Ranks     int    `toml:"ranks" json:"ranks"`           // of loopback; mpirun or srun set those of MPI
	Hosts     int    `toml:"hosts" json:"hosts,omitempty"` // of ranks, where they are said to be on others than they are
	Threads   int    `toml:"threads" json:"threads"`       // per rank, 0 for an equal share of the host's cores
	Carrier   string `toml:"carrier" json:"carrier"`       // how words go between GPUs, such as peer or mpi
	Tuples    string `toml:"tuples" json:"tuples"`         // where edge tuples lie in runs on GPUs: auto, device or host
}

// Duration is a time as people write it, in files and in JSON too: 90s, 2h30m.
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }

// MarshalText writes it.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads it.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is no time: write it as 90s or 2h30m", text)
	}
	*d = Duration(parsed)
	return nil
}

// OutputConfig says where results go.
type OutputConfig struct {
	Dir   string `toml:"dir" json:"dir,omitempty"` // folder for results, "" for none
	Trees bool   `toml:"trees" json:"trees"`       // store every search's result in that folder
	Names string `toml:"names" json:"names"`       // of the output block: official or spec
}

// DefaultConfig is a run on one rank of this machine that takes seconds.
func DefaultConfig() Config {
	return Config{
		Graph: GraphConfig{Scale: 16, EdgeFactor: 16, Seeds: Seeds{2, 3}, Format: string(graph.Packed)},
		Search: SearchConfig{
			Engine: "auto", Kernel: "bfs", Prune: sssp.PruneNone, Keys: 64, Validate: true, Exchange: "auto",
			ResultBits: 64, PowerSeconds: 10,
		},
		Policy:  bfs.DefaultPolicy(),
		Machine: MachineConfig{Transport: "auto", Ranks: 1, Carrier: "auto", Tuples: "auto"},
		Output:  OutputConfig{Names: "official"},
	}
}

// Params are the parameters of the generator.
func (c Config) Params() kronecker.Params {
	return kronecker.Params{
		Scale: c.Graph.Scale, EdgeFactor: c.Graph.EdgeFactor, Seed1: c.Graph.Seeds[0], Seed2: c.Graph.Seeds[1],
	}
}

// RangeError says that a setting has a value that it cannot have.
type RangeError struct {
	Key   string // as in the file: table.name
	Value any
	Want  string // what it may be
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s = %v: it must be %s", e.Key, e.Value, e.Want)
}

// The limits of settings that have no natural one.
const (
	maxEdgeFactor = 1 << 10
	maxKeys       = 1 << 16
	maxRanks      = 1 << 10 // of loopback
	maxThreads    = 1 << 10
	maxPower      = 1 << 16 // seconds
	maxMinTime    = Duration(1000 * time.Hour)
)

// Check returns a *RangeError for the first setting that is out of range.
func (c Config) Check() error {
	between := func(key string, value, low, high int64) error {
		if value < low || value > high {
			return &RangeError{key, value, fmt.Sprintf("from %d to %d", low, high)}
		}
		return nil
	}
	oneOf := func(key, value string, choices ...string) error {
		if !slices.Contains(choices, value) {
			return &RangeError{key, fmt.Sprintf("%q", value), strings.Join(choices, " or ")}
		}
		return nil
	}
	if t := c.Search.MinTime; t < 0 || t > maxMinTime {
		return &RangeError{"search.min_time", t, fmt.Sprintf("from 0s to %v", maxMinTime)}
	}
	if bits := c.Search.ResultBits; bits != 32 && bits != 64 {
		return &RangeError{"search.result_bits", bits, "64, or 32 for comparison"}
	}
	for _, err := range []error{
		between("graph.scale", int64(c.Graph.Scale), 1, graph.MaxScale),
		between("graph.edgefactor", c.Graph.EdgeFactor, 1, maxEdgeFactor),
		oneOf("graph.format", c.Graph.Format, string(graph.Packed), string(graph.U64)),
		between("search.keys", int64(c.Search.Keys), 1, maxKeys),
		oneOf("search.kernel", c.Search.Kernel, "bfs", "sssp", "both"),
		oneOf("search.prune", string(c.Search.Prune), string(sssp.PruneNone), string(sssp.PruneHub)),
		oneOf("search.exchange", c.Search.Exchange, "auto", "bitmap", "bins"),
		between("search.power_seconds", int64(c.Search.PowerSeconds), 1, maxPower),
		oneOf("machine.transport", c.Machine.Transport, "auto", "loopback", "mpi"),
		between("machine.ranks", int64(c.Machine.Ranks), 1, maxRanks),
		between("machine.hosts", int64(c.Machine.Hosts), 0, maxRanks),
		between("machine.threads", int64(c.Machine.Threads), 0, maxThreads),
		oneOf("machine.carrier", c.Machine.Carrier, "auto", "peer", "mpi", "staged", "nccl", "peer+nccl"),
		oneOf("machine.tuples", c.Machine.Tuples, "auto", "device", "host"),
		oneOf("output.names", c.Output.Names, "official", "spec"),
	} {
		if err != nil {
			return err
		}
	}
	var out *bfs.PolicyError
	if errors.As(c.Policy.Check(), &out) {
		return &RangeError{"policy." + out.Key, out.Value, fmt.Sprintf("from %d to %d", out.Low, out.High)}
	}
	if c.Search.Power && !c.Search.Validate {
		return &RangeError{"search.power", true, "false where trees are not validated: there is no rate without"}
	}
	if c.Search.Kernel == "bfs" && c.Search.Prune == sssp.PruneHub {
		return &RangeError{"search.prune", c.Search.Prune, "none where no shortest paths are searched"}
	}
	if c.Output.Trees && c.Output.Dir == "" {
		return &RangeError{"output.trees", true, "false where no folder is named for it (--output DIR)"}
	}
	return nil
}
