package model

import (
	"fmt"
	"io"
	"os"

	"github.com/BurntSushi/toml"
)

// Profile is the machine: one GPU a rank, equally many on each host.
type Profile struct {
	Host    Host    `toml:"host" json:"host"`
	Network Network `toml:"network" json:"network"`
	GPU     GPU     `toml:"gpu" json:"gpu"`
	Steps   Costs   `toml:"steps" json:"steps"`
	Beside  Beside  `toml:"beside" json:"beside"`
}

// Host is what joins the GPUs of one host.
type Host struct {
	Ranks   int     `toml:"ranks" json:"ranks"`
	PeerGBs float64 `toml:"peer_gbs" json:"peer_gbs"`     // that a GPU writes to its peers, all together
	Barrier float64 `toml:"barrier_us" json:"barrier_us"` // over its GPUs
	Start   float64 `toml:"start_us" json:"start_us"`     // until all ranks have begun a search
	Bins    float64 `toml:"bins_us" json:"bins_us"`       // of a top-down level, to send pairs at all
	TakeIn  Cost    `toml:"take_in" json:"take_in"`       // of a level with pairs, and of each pair that comes

	Whole      float64 `toml:"whole_us" json:"whole_us"`             // of a replicated frontier, beside one GPU's time
	WholeStart float64 `toml:"whole_start_us" json:"whole_start_us"` // of the first such level, beside that
}

// Network is what joins the hosts.
type Network struct {
	GBs      float64 `toml:"gbs" json:"gbs"`                 // of a rank, each way
	Latency  float64 `toml:"latency_us" json:"latency_us"`   // of a message, from end to end
	Overhead float64 `toml:"overhead_us" json:"overhead_us"` // of each of many messages under way
	Drive    float64 `toml:"drive_us" json:"drive_us"`       // of a level that the host launches and waits for
}

// GPU is what one GPU holds, and how many billion bits it looks at a second, at random.
type GPU struct {
	MemoryGB float64 `toml:"memory_gb" json:"memory_gb"`
	CacheMB  float64 `toml:"cache_mb" json:"cache_mb"` // a bitmap up to this is looked at at the higher rate
	Cached   float64 `toml:"cached_rate" json:"cached_rate"`
	Uncached float64 `toml:"uncached_rate" json:"uncached_rate"`
}

// Cost is the time of a step on one GPU: a floor in microseconds, and picoseconds for each of what the step handles.
type Cost struct {
	Floor float64 `toml:"floor_us" json:"floor_us"`
	Each  float64 `toml:"each_ps" json:"each_ps"`
}

// Costs are those of the steps (steps.go), in their order.
type Costs struct {
	Early       Cost `toml:"early_top_down" json:"early_top_down"`
	Push        Cost `toml:"last_top_down" json:"last_top_down"`
	FirstSweep  Cost `toml:"first_bottom_up" json:"first_bottom_up"`
	SecondSweep Cost `toml:"second_bottom_up" json:"second_bottom_up"`
	ThirdLevel  Cost `toml:"third_bottom_up" json:"third_bottom_up"`
	LaterLevels Cost `toml:"later_bottom_up" json:"later_bottom_up"`
	LabelOrder  Cost `toml:"label_order" json:"label_order"`
	Rest        Cost `toml:"rest" json:"rest"`

	// Of a vertex that a rank pushes through a bitmap, in picoseconds; with what its owner does then.
	Mark float64 `toml:"mark_ps" json:"mark_ps"`
}

// Beside is what steps cost inside a host, where label order begins beside the third level.
type Beside struct {
	ThirdLevel  Cost    `toml:"third_bottom_up" json:"third_bottom_up"` // each vertex found
	LaterLevels Cost    `toml:"later_bottom_up" json:"later_bottom_up"` // each vertex with an edge
	Delay       float64 `toml:"delay_us" json:"delay_us"`               // that label order takes longer, beside
	Surcharge   float64 `toml:"surcharge" json:"surcharge"`             // this share of its time alone
	Least       float64 `toml:"least_us" json:"least_us"`               // of what is left of it after the later levels
}

func (c Costs) list() [stepCount]Cost {
	return [...]Cost{c.Early, c.Push, c.FirstSweep, c.SecondSweep, c.ThirdLevel, c.LaterLevels, c.LabelOrder, c.Rest}
}

// H200 is hosts of four NVIDIA H200s that reach each other by NVLink, with a 400 Gb/s network port for each. "Assumed"
// is what no run that is kept bears out; "fit" is least squares of the relative error through the mean times at scale
// 22, 24, 26 and 28 in results/h200/2026-11-21 of commit 9f75035, where nothing else is said. Other figures are of 64
// searches at one scale, of that commit or a later one.
func H200() Profile {
	return Profile{
		Host: Host{
			Ranks:   4,
			PeerGBs: 339, // assumed; g500 net told 330 of a pair at a time, in pieces of 8 MiB
			Barrier: 4.6, // results/h200x2/2026-11-22, from the last block to come to the end: 4.4 to 4.9 after the second sweep
			// "two": 64 searches on two GPUs, scale 27, of the program as it is. The first level takes 37 us, 46 if trees are
			// validated in between: beside a barrier, bins, taking in and one GPU's 10.5, that is 11. Other small top-down
			// levels take 28 to 42 us: beside one or two barriers, taking in and one GPU's 6 to 9, that is 9 to 17. Peers
			// replicate such frontiers now, so this is taken to hold for ranks on several hosts.
			Start: 11,
			Bins:  13,
			// two: levels that find next to nothing. Pairs: levels of over 10 M edges on four (commit 9f75035), 31 to 52 ps.
			TakeIn: Cost{Floor: 5, Each: 43},
			// results/h200x2/2026-11-22, scales 26 to 28, beside one GPU's times, levels with under 1 M edges: the first
			// 8.1 to 8.5, the second 3.5 to 3.9.
			Whole:      3.5,
			WholeStart: 4.5,
		},
		Network: Network{
			GBs:      50,  // data sheet: ConnectX-7, 400 Gb/s; copies to pinned memory (PCIe 5.0 x16: 64 GB/s) overlap
			Latency:  2,   // assumed; g500 net measures it
			Overhead: 0.5, // assumed; g500 net measures it
			Drive:    8.0, // assumed: a kernel launched and waited for
		},
		GPU: GPU{
			MemoryGB: 149, // 139 GiB, as the driver tells
			CacheMB:  32,  // assumed, and so are the two rates below
			Cached:   150,
			Uncached: 40,
		},
		Steps: Costs{ // fit
			// results/h200x2/2026-11-22, one GPU, scales 22 to 28: 11 to 14 the first, 10 to 13 others
			Early:       Cost{Floor: 11.5},
			Push:        Cost{Floor: 7.8, Each: 15.0},
			FirstSweep:  Cost{Floor: 7.4, Each: 7.35}, // the rate: results/h200x2/2026-11-22, scales 26 to 28
			SecondSweep: Cost{Floor: 4.5, Each: 1.95}, // the same
			ThirdLevel:  Cost{Floor: 10.8, Each: 117}, // alone: one and two GPUs, scales 26, 27: 10.5 and 11.2, 112 and 121
			LaterLevels: Cost{Floor: 9, Each: 12},     // the same
			LabelOrder:  Cost{Floor: 1.6, Each: 0.362},
			Rest:        Cost{Floor: 20.6, Each: 0.124},
			Mark:        63, // results/h200x2/2026-11-22, over 16 M edges: 58 to 69 on one GPU, 54 to 67 on two, claims apart
		},
		// Straight lines through results/h200x2/2026-11-22, one GPU, scales 22 to 28, at most 6% off in the third level.
		// All later ones together take 7 to 50 us: 16% less to 37% more by the model from scale 24 on.
		Beside: Beside{
			ThirdLevel:  Cost{Floor: 17, Each: 590},
			LaterLevels: Cost{Floor: 9.2, Each: 0.217},
			// The three steps together, on one and two GPUs, scales 24 to 28: at most 9% off.
			Delay:     20,
			Surcharge: 0.06,
			Least:     3, // scale 22, where nothing is left
		},
	}
}

// LoadProfile reads a profile over H200's. It refuses what it does not know.
func LoadProfile(path string) (Profile, error) {
	p := H200()
	text, err := os.ReadFile(path)
	if err != nil {
		return p, fmt.Errorf("model: cannot read the profile: %w", err)
	}
	meta, err := toml.Decode(string(text), &p)
	if err != nil {
		return p, fmt.Errorf("model: %s: %w", path, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return p, fmt.Errorf("model: %s: there is no setting %q; \"g500 model --print-machine\" shows them all",
			path, unknown[0])
	}
	return p, nil
}

// WriteTOML writes the profile in the form that LoadProfile reads.
func (p Profile) WriteTOML(w io.Writer) error {
	enc := toml.NewEncoder(w)
	enc.Indent = ""
	return enc.Encode(p)
}

// Check says which setting is of no machine.
func (p Profile) Check() error {
	if p.Host.Ranks < 1 {
		return fmt.Errorf("model: a host has at least 1 rank, not %d", p.Host.Ranks)
	}
	for _, rate := range []struct {
		name  string
		value float64
	}{
		{"host.peer_gbs", p.Host.PeerGBs}, {"network.gbs", p.Network.GBs}, {"gpu.memory_gb", p.GPU.MemoryGB},
		{"gpu.cache_mb", p.GPU.CacheMB}, {"gpu.cached_rate", p.GPU.Cached}, {"gpu.uncached_rate", p.GPU.Uncached},
	} {
		if !(rate.value > 0) {
			return fmt.Errorf("model: %s is %v; it must be above 0", rate.name, rate.value)
		}
	}
	times := []float64{p.Host.Barrier, p.Host.Start, p.Host.Bins, p.Host.TakeIn.Floor, p.Host.TakeIn.Each,
		p.Host.Whole, p.Host.WholeStart, p.Network.Latency, p.Network.Overhead, p.Network.Drive, p.Steps.Mark,
		p.Beside.Delay, p.Beside.Surcharge, p.Beside.Least}
	steps := p.Steps.list()
	for _, c := range append(steps[:], p.Beside.ThirdLevel, p.Beside.LaterLevels) {
		times = append(times, c.Floor, c.Each)
	}
	for _, t := range times {
		if !(t >= 0) {
			return fmt.Errorf("model: a time of the profile is %v; none may be below 0", t)
		}
	}
	return nil
}
