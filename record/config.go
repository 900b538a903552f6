package record

import (
	"fmt"
	"reflect"
	"time"

	"g500/graph"
	"g500/kronecker"
	"g500/policy"
)

// Config is the configuration of a run, from a TOML file and flags. It is stored with the run.
type Config struct {
	Graph   GraphConfig   `toml:"graph" json:"graph"`
	Search  SearchConfig  `toml:"search" json:"search"`
	Policy  policy.Policy `toml:"policy" json:"policy"` // of engine gpu
	Machine MachineConfig `toml:"machine" json:"machine"`
	Output  OutputConfig  `toml:"output" json:"output"`
}

// GraphConfig names the graph. The official graphs have edge factor 16 and seeds 2 and 3. For another graph, Scale and
// EdgeFactor are the smallest that hold it, set when it is made.
type GraphConfig struct {
	Scale      int    `toml:"scale" json:"scale"`
	EdgeFactor int64  `toml:"edgefactor" json:"edgefactor"`
	Seeds      Seeds  `toml:"seeds" json:"seeds"`
	Edges      string `toml:"edges" json:"edges,omitempty"`   // file to read the tuples from, "" to generate them
	Format     string `toml:"format" json:"format,omitempty"` // of that file: packed or u64
	Spec       string `toml:"spec" json:"spec,omitempty"`     // another graph (graph/formats), "" for the official one
}

// SearchConfig sets how the graph is searched.
type SearchConfig struct {
	Engine      string `toml:"engine" json:"engine"`             // auto, gpu, cpu or topdown
	Kernel      string `toml:"kernel" json:"kernel"`             // bfs, sssp or both
	Keys        int    `toml:"keys" json:"keys"`                 // search keys; 64 for a submission
	Validate    bool   `toml:"validate" json:"validate"`         // check every tree
	Trace       bool   `toml:"trace" json:"trace"`               // record statistics of each level of each search
	KernelTimes bool   `toml:"kernel_times" json:"kernel_times"` // wait for each GPU kernel, and time it
	Exchange    string `toml:"exchange" json:"exchange"`         // messages of GPUs in a level: auto, bitmap or bins

	ResultBits int `toml:"result_bits" json:"result_bits"` // of a parent in a result, on GPUs: 64, or 32 for comparison

	Prune string `toml:"prune" json:"prune,omitempty"` // edges that kernel 1 prunes for shortest paths: none or hub

	Roots   string   `toml:"roots" json:"roots,omitempty"`       // file with one label per line; "" to draw the keys
	MinTime Duration `toml:"min_time" json:"min_time,omitempty"` // of a kernel's searches; 0 for one search per key

	Power        bool `toml:"power" json:"power"`                 // measure power of devices, after the timed searches
	PowerSeconds int  `toml:"power_seconds" json:"power_seconds"` // at least this long
}

// MachineConfig sets the ranks and how they are connected.
type MachineConfig struct {
	Transport    string `toml:"transport" json:"transport"`                   // auto, loopback or mpi
	Ranks        int    `toml:"ranks" json:"ranks"`                           // of loopback; launchers set it for MPI
	EmulateNodes int    `toml:"emulate_nodes" json:"emulate_nodes,omitempty"` // 0 for the real nodes
	Threads      int    `toml:"threads" json:"threads"`                       // per rank, 0 for a share of the cores
	GPUTransport string `toml:"gpu_transport" json:"gpu_transport"`           // as run --gpu-transport takes it
	EdgeMemory   string `toml:"edge_memory" json:"edge_memory"`               // of runs on GPUs: auto, device or host
}

// OutputConfig names the output.
type OutputConfig struct {
	Dir   string `toml:"dir" json:"dir,omitempty"` // folder for results, "" for none
	Trees bool   `toml:"trees" json:"trees"`       // store every search's result in that folder
	Names string `toml:"names" json:"names"`       // of the output block: official or spec
}

// DefaultConfig returns the configuration of a run on one rank of this machine that takes seconds.
func DefaultConfig() Config {
	return Config{
		Graph: GraphConfig{Scale: 16, EdgeFactor: OfficialEdgeFactor, Seeds: OfficialSeeds, Format: string(graph.Packed)},
		Search: SearchConfig{
			Engine: "auto", Kernel: string(BFS), Prune: NotPruned, Keys: OfficialKeys, Validate: true, Exchange: "auto",
			ResultBits: 64, PowerSeconds: 10,
		},
		Policy:  policy.Default(),
		Machine: MachineConfig{Transport: "auto", Ranks: 1, GPUTransport: "auto", EdgeMemory: "auto"},
		Output:  OutputConfig{Names: "official"},
	}
}

// The values of the setting search.engine. Only "auto" is no engine: it means gpu if every rank has one, else cpu.
var EngineSettings = []string{"auto", gpuEngine, "cpu", "topdown"}

const gpuEngine = "gpu"

// OnlyOnGPU returns the name and the value of the first setting that differs from the default and that only engine gpu
// has, "" if there is none.
func (c Config) OnlyOnGPU() (name string, value any) {
	usual := DefaultConfig()
	for _, s := range []struct {
		name         string
		value, usual any
	}{
		{"exchange", c.Search.Exchange, usual.Search.Exchange},
		{"result-bits", c.Search.ResultBits, usual.Search.ResultBits},
		{"kernel-times", c.Search.KernelTimes, usual.Search.KernelTimes},
		{"gpu-transport", c.Machine.GPUTransport, usual.Machine.GPUTransport},
		{"edge-memory", c.Machine.EdgeMemory, usual.Machine.EdgeMemory},
	} {
		if s.value != s.usual {
			return s.name, s.value
		}
	}
	return "", nil
}

// Params returns the parameters of the generator.
func (c Config) Params() kronecker.Params {
	return kronecker.Params{
		Scale: c.Graph.Scale, EdgeFactor: c.Graph.EdgeFactor, Seed1: c.Graph.Seeds[0], Seed2: c.Graph.Seeds[1],
	}
}

// Duration is a time, written as 90s or 2h30m in TOML and JSON.
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }

// Seconds returns the time in seconds.
func (d Duration) Seconds() float64 { return time.Duration(d).Seconds() }

// MarshalText writes the time.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the time.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is no duration: write it as 90s or 2h30m", text)
	}
	*d = Duration(parsed)
	return nil
}

// Setting is one setting of a configuration.
type Setting struct {
	Key   string // as in the file: table.name
	Value string
}

// Settings lists all settings of the configuration, in the order of the file.
func (c Config) Settings() (all []Setting) {
	tables := reflect.ValueOf(c)
	for i := range tables.NumField() {
		table := tables.Type().Field(i)
		for j := range table.Type.NumField() {
			all = append(all, Setting{
				table.Tag.Get("toml") + "." + table.Type.Field(j).Tag.Get("toml"),
				fmt.Sprint(tables.Field(i).Field(j).Interface()),
			})
		}
	}
	return all
}
