package model

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"

	"g500/internal/tomlfile"
)

// Profile is a machine with one GPU per rank and equally many on each node. Names of settings end with their unit.
type Profile struct {
	Node     Node     `toml:"host" json:"host"`
	Network  Network  `toml:"network" json:"network"`
	GPU      GPU      `toml:"gpu" json:"gpu"`
	Steps    Costs    `toml:"steps" json:"steps"`
	Parallel Parallel `toml:"beside" json:"beside"`
}

// Node describes the GPUs of one node.
type Node struct {
	Ranks     int     `toml:"ranks" json:"ranks"`
	PeerGBs   float64 `toml:"peer_gbs" json:"peer_gbs"`     // of a GPU's writes to all its peers together
	StagedGBs float64 `toml:"staged_gbs" json:"staged_gbs"` // of a GPU's reads from host memory

	Barrier float64 `toml:"barrier_us" json:"barrier_us"`
	Start   float64 `toml:"start_us" json:"start_us"` // until all ranks have begun a search
	Bins    float64 `toml:"bins_us" json:"bins_us"`   // of a top-down level that sends any pairs
	Receive Cost    `toml:"take_in" json:"take_in"`   // of a level that receives pairs, and of each pair

	Replicated      float64 `toml:"whole_us" json:"whole_us"`             // of a replicated frontier, more than on one GPU
	ReplicatedStart float64 `toml:"whole_start_us" json:"whole_start_us"` // in addition, of the first such level
	ReplicatedEach  float64 `toml:"whole_each_ps" json:"whole_each_ps"`   // of each edge of a replicated frontier
}

// Network joins the nodes.
type Network struct {
	Name     string  `toml:"name" json:"name"`
	GBs      float64 `toml:"gbs" json:"gbs"`                 // of a rank, each way
	Latency  float64 `toml:"latency_us" json:"latency_us"`   // of a message, end to end
	Overhead float64 `toml:"overhead_us" json:"overhead_us"` // of each of many messages in flight
	Drive    float64 `toml:"drive_us" json:"drive_us"`       // of a level that the host launches and waits for
}

// GPU is the memory of a GPU, and its random bit reads in 10^9 per second.
type GPU struct {
	MemoryGB float64 `toml:"memory_gb" json:"memory_gb"`
	CacheMB  float64 `toml:"cache_mb" json:"cache_mb"` // size of the largest bitmap that is read at the cached rate
	Cached   float64 `toml:"cached_rate" json:"cached_rate"`
	Uncached float64 `toml:"uncached_rate" json:"uncached_rate"`
}

// Cost is the time of a step on one GPU: a floor in microseconds, and picoseconds per unit of work.
type Cost struct {
	Floor float64 `toml:"floor_us" json:"floor_us"`
	Each  float64 `toml:"each_ps" json:"each_ps"`
}

// Costs are the costs of the steps (steps.go), in their order.
type Costs struct {
	Early       Cost    `toml:"early_top_down" json:"early_top_down"`
	Push        Cost    `toml:"last_top_down" json:"last_top_down"`
	FirstSweep  Cost    `toml:"first_bottom_up" json:"first_bottom_up"`
	SecondSweep Cost    `toml:"second_bottom_up" json:"second_bottom_up"`
	ThirdLevel  Cost    `toml:"third_bottom_up" json:"third_bottom_up"`
	LaterLevels Cost    `toml:"later_bottom_up" json:"later_bottom_up"`
	LabelOrder  Cost    `toml:"label_order" json:"label_order"`
	Rest        Cost    `toml:"rest" json:"rest"`
	Shared      float64 `toml:"shared_push_ps" json:"shared_push_ps"` // of each edge of a rank's part of a frontier
	Pairs       float64 `toml:"pairs_edge_ps" json:"pairs_edge_ps"`   // of each edge that is visited to fill bins
}

// Parallel is the cost of steps that run in parallel on one node: later levels, and writing the result.
type Parallel struct {
	ThirdLevel  Cost    `toml:"third_bottom_up" json:"third_bottom_up"` // per non-leaf vertex
	LaterLevels Cost    `toml:"later_bottom_up" json:"later_bottom_up"` // per non-leaf vertex
	Delay       float64 `toml:"delay_us" json:"delay_us"`               // of writing the result
	Least       float64 `toml:"least_us" json:"least_us"`               // of its rest after the later levels
}

func (c Costs) list() [stepCount]Cost {
	return [...]Cost{c.Early, c.Push, c.FirstSweep, c.SecondSweep, c.ThirdLevel, c.LaterLevels, c.LabelOrder, c.Rest}
}

// H200 returns nodes of four NVIDIA H200s with NVLink and a 400 Gb/s network port each. Sources: "assumed", no stored
// run; "one", a straight line through the mean steps on one GPU at scales 22 to 29 with 64-bit results
// (results/h200/2026-11-24 of commit b010cc5, scale 29 of results/h200/2026-11-23-segments); "two", the same on two
// GPUs at scales 26 to 28 (results/h200x2/2026-11-23 of commit 71f6063, without segmented pushes); "older", programs
// that also searched leaves, on two and four GPUs. g500 model --compare shows the errors.
func H200() Profile {
	return Profile{
		Node: Node{
			Ranks:     4,
			PeerGBs:   339, // assumed; g500 net measured 330 of one pair at a time, in pieces of 8 MiB
			StagedGBs: 55,  // assumed: PCIe 5.0 x16 has 63 on the line
			Barrier:   4.6, // two: the second sweep waits 4.0 to 4.5 us
			Start:     11,  // older: results/h200x2/2026-11-22, the first level
			Bins:      13,  // older: the same
			// older: levels that find nearly no vertex; with over 10 M edges on four GPUs (commit 9f75035), 31 to 52 ps a pair
			Receive:         Cost{Floor: 5, Each: 43},
			Replicated:      4,   // two: levels before the last, 13.6 to 16 us compared with one GPU's 10.6
			ReplicatedStart: 4.5, // older: results/h200x2/2026-11-22
			ReplicatedEach:  9.8, // two: scale 26, where nearly all frontiers are replicated
		},
		Network: NDR400(),
		GPU: GPU{
			MemoryGB: 149, // 139 GiB, as the driver reports
			CacheMB:  32,  // assumed, like the two rates
			Cached:   150,
			Uncached: 40,
		},
		Steps: Costs{
			Early:       Cost{Floor: 10.6},
			Push:        Cost{Floor: 12, Each: 7.5}, // one: by segments from scale 24 on
			FirstSweep:  Cost{Floor: 7, Each: 7.4},  // one
			SecondSweep: Cost{Floor: 8, Each: 1.32}, // one
			ThirdLevel:  Cost{Floor: 10.8, Each: 0.1},
			LaterLevels: Cost{Floor: 9, Each: 0.02},  // both alone: floors are older
			LabelOrder:  Cost{Floor: 4, Each: 0.325}, // one: with the levels in parallel
			Rest:        Cost{Floor: 13, Each: 0.13}, // one
			Shared:      13.8,                        // two: scales 27 and 28, by bitmap
			Pairs:       15,                          // older: a plain push
		},
		Parallel: Parallel{ // one: levels and result together, scales 22 to 29: at most 4% off
			ThirdLevel:  Cost{Floor: 17, Each: 0.08},
			LaterLevels: Cost{Floor: 5, Each: 0.012},
			Delay:       10,
			Least:       3, // older: scale 22, where no rest is left
		},
	}
}

// LoadProfile reads a machine file; settings that it omits are those of H200. It refuses unknown settings.
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

// WriteTOML writes the profile as a machine file.
func (p Profile) WriteTOML(w io.Writer) error {
	enc := toml.NewEncoder(w)
	enc.Indent = ""
	return enc.Encode(p)
}

// Check returns an error that names the first setting out of range: times must be 0 or more, rates and sizes above 0.
func (p Profile) Check() error {
	if p.Node.Ranks < 1 {
		return fmt.Errorf("model: a node has at least 1 rank, not %d", p.Node.Ranks)
	}
	return checkNumbers(reflect.ValueOf(p), "")
}

func checkNumbers(v reflect.Value, path string) error {
	for i := range v.NumField() {
		field, name := v.Field(i), path+v.Type().Field(i).Tag.Get("toml")
		switch isTime := strings.HasSuffix(name, "_us") || strings.HasSuffix(name, "_ps"); field.Kind() {
		case reflect.Struct:
			if err := checkNumbers(field, name+"."); err != nil {
				return err
			}
		case reflect.Float64:
			if x := field.Float(); isTime && !(x >= 0) {
				return fmt.Errorf("model: %s is %v; it must be 0 or more", name, x)
			} else if !isTime && !(x > 0) {
				return fmt.Errorf("model: %s is %v; it must be above 0", name, x)
			}
		}
	}
	return nil
}
