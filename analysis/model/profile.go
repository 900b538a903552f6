package model

import (
	"fmt"
	"io"
	"os"

	"github.com/BurntSushi/toml"

	"g500/internal/tomlfile"
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
	PeerGBs float64 `toml:"peer_gbs" json:"peer_gbs"` // that a GPU writes to its peers, all together
	// That a GPU reads from host memory, where the engine has what came from other hosts.
	StagedGBs float64 `toml:"staged_gbs" json:"staged_gbs"`

	Barrier float64 `toml:"barrier_us" json:"barrier_us"` // over its GPUs
	Start   float64 `toml:"start_us" json:"start_us"`     // until all ranks have begun a search
	Bins    float64 `toml:"bins_us" json:"bins_us"`       // of a top-down level, to send pairs at all
	TakeIn  Cost    `toml:"take_in" json:"take_in"`       // of a level with pairs, and of each pair that comes

	Whole      float64 `toml:"whole_us" json:"whole_us"`             // of a replicated frontier, beside one GPU's time
	WholeStart float64 `toml:"whole_start_us" json:"whole_start_us"` // of the first such level, beside that
	WholeEach  float64 `toml:"whole_each_ps" json:"whole_each_ps"`   // of each edge of a replicated frontier
}

// Network is what joins the hosts.
type Network struct {
	Name     string  `toml:"name" json:"name"`
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

	// Of each edge of a rank's part of a frontier that is shared out.
	Shared float64 `toml:"shared_push_ps" json:"shared_push_ps"`
	Pairs  float64 `toml:"pairs_edge_ps" json:"pairs_edge_ps"` // of an edge that is looked at to fill bins
}

// Beside is what steps cost inside a host, where label order begins beside the third level.
type Beside struct {
	ThirdLevel  Cost    `toml:"third_bottom_up" json:"third_bottom_up"` // each vertex of the core
	LaterLevels Cost    `toml:"later_bottom_up" json:"later_bottom_up"` // the same
	Delay       float64 `toml:"delay_us" json:"delay_us"`               // that label order takes longer, beside
	Least       float64 `toml:"least_us" json:"least_us"`               // of what is left of it after the later levels
}

func (c Costs) list() [stepCount]Cost {
	return [...]Cost{c.Early, c.Push, c.FirstSweep, c.SecondSweep, c.ThirdLevel, c.LaterLevels, c.LabelOrder, c.Rest}
}

// H200 is hosts of four NVIDIA H200s that reach each other by NVLink, with a 400 Gb/s network port for each. "Assumed"
// is what no run that is kept bears out. "One" is straight lines through the mean steps on one GPU at scales 22 to 29,
// results of 64 bits (results/h200/2026-11-24 of commit b010cc5; scale 29 of results/h200/2026-11-23-segments); "two"
// those on two GPUs at scales 26 to 28 (results/h200x2/2026-11-23 of commit 71f6063, before segmented pushes); "older"
// is of programs that searched leaves too, on two and four GPUs. How far off they are, g500 model --compare tells.
func H200() Profile {
	return Profile{
		Host: Host{
			Ranks:     4,
			PeerGBs:   339, // assumed; g500 net told 330 of a pair at a time, in pieces of 8 MiB
			StagedGBs: 55,  // assumed: PCIe 5.0 x16 has 63 on the line
			Barrier:   4.6, // two: the second sweep waits for 4.0 to 4.5 us
			Start:     11,  // older: results/h200x2/2026-11-22, the first level beside its parts
			Bins:      13,  // older: the same
			// older: levels that find next to nothing; of over 10 M edges on four GPUs (commit 9f75035), 31 to 52 ps a pair
			TakeIn:     Cost{Floor: 5, Each: 43},
			Whole:      4,   // two: levels before the last, 13.6 to 16 us beside one GPU's 10.6
			WholeStart: 4.5, // older: results/h200x2/2026-11-22
			WholeEach:  9.8, // two: scale 26, where nearly all frontiers are replicated
		},
		Network: NDR400(),
		GPU: GPU{
			MemoryGB: 149, // 139 GiB, as the driver tells
			CacheMB:  32,  // assumed, and so are the two rates below
			Cached:   150,
			Uncached: 40,
		},
		Steps: Costs{
			Early:       Cost{Floor: 10.6},
			Push:        Cost{Floor: 12, Each: 7.5}, // one: by segments from scale 24 on
			FirstSweep:  Cost{Floor: 7, Each: 7.4},  // one
			SecondSweep: Cost{Floor: 8, Each: 1.32}, // one
			ThirdLevel:  Cost{Floor: 10.8, Each: 0.1},
			LaterLevels: Cost{Floor: 9, Each: 0.02},  // both alone: older floors, which nothing new has measured
			LabelOrder:  Cost{Floor: 4, Each: 0.325}, // one: with the levels beside it
			Rest:        Cost{Floor: 13, Each: 0.13}, // one
			Shared:      13.8,                        // two: scales 27 and 28, by bitmap
			Pairs:       15,                          // older: a plain push
		},
		Beside: Beside{ // one; the two kinds of levels and the relabelling together, scales 22 to 29: 4% off at most
			ThirdLevel:  Cost{Floor: 17, Each: 0.08},
			LaterLevels: Cost{Floor: 5, Each: 0.012},
			Delay:       10,
			Least:       3, // older: scale 22, where nothing is left
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
	const hint = "\"g500 model --print-machine\" shows them all"
	if err := tomlfile.Decode(path, string(text), &p, hint); err != nil {
		return p, fmt.Errorf("model: %w", err)
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
		{"host.peer_gbs", p.Host.PeerGBs}, {"host.staged_gbs", p.Host.StagedGBs},
		{"network.gbs", p.Network.GBs}, {"gpu.memory_gb", p.GPU.MemoryGB},
		{"gpu.cache_mb", p.GPU.CacheMB}, {"gpu.cached_rate", p.GPU.Cached}, {"gpu.uncached_rate", p.GPU.Uncached},
	} {
		if !(rate.value > 0) {
			return fmt.Errorf("model: %s is %v; it must be above 0", rate.name, rate.value)
		}
	}
	times := []float64{p.Host.Barrier, p.Host.Start, p.Host.Bins, p.Host.TakeIn.Floor, p.Host.TakeIn.Each,
		p.Host.Whole, p.Host.WholeStart, p.Host.WholeEach, p.Network.Latency, p.Network.Overhead, p.Network.Drive,
		p.Steps.Shared, p.Steps.Pairs, p.Beside.Delay, p.Beside.Least}
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
