package model

import (
	_ "embed"
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
	Parallel Parallel `toml:"parallel" json:"parallel"`
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

//go:embed h200.toml
var h200 string

// H200 returns nodes of four NVIDIA H200s; h200.toml has the sources of the constants.
func H200() Profile {
	p := Profile{Network: Networks()[0]}
	if err := tomlfile.Decode("h200.toml", h200, &p, ""); err != nil {
		panic(err) // a test reads the file
	}
	return p
}

// LoadProfile reads a machine file, with H200 as the defaults. It refuses unknown settings.
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
