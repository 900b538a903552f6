package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"g500/graph"
	"g500/policy"
)

// RangeError reports a setting that is out of range.
type RangeError struct {
	Key   string // as in the file: table.name
	Value any
	Want  string // the values that it can have
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s = %v: it must be %s", e.Key, e.Value, e.Want)
}

// The limits of settings without a natural limit.
const (
	maxEdgeFactor = 1 << 10
	MaxKeys       = 1 << 16
	MaxThreads    = 1 << 10 // of a rank
	maxRanks      = 1 << 16
	maxPower      = 1 << 16 // seconds
	maxMinTime    = Duration(1000 * time.Hour)
)

// words are the values of the settings that are words, by key.
var words = map[string][]string{
	"graph.format":          {string(graph.Packed), string(graph.U64)},
	"search.engine":         EngineSettings,
	"search.kernel":         KernelSettings,
	"search.prune":          {NotPruned, hubPruned},
	"search.exchange":       {"auto", "bitmap", "bins"},
	"machine.transport":     {"auto", "loopback", "mpi"},
	"machine.gpu_transport": {"auto", "peer", "mpi", "staged", "nccl", "peer+mpi", "peer+staged", "peer+nccl"},
	"machine.edge_memory":   {"auto", "device", "host"},
	"output.names":          {"official", "spec"},
}

// Words returns the values of a setting that is a word. The key is as in the file: table.name.
func Words(key string) []string { return words[key] }

// Check returns a *RangeError for the first setting that is out of range.
func (c Config) Check() error {
	between := func(key string, value, low, high int64) error {
		if value < low || value > high {
			return &RangeError{key, value, fmt.Sprintf("from %d to %d", low, high)}
		}
		return nil
	}
	oneOf := func(key, value string) error {
		if !slices.Contains(words[key], value) {
			return &RangeError{key, fmt.Sprintf("%q", value), strings.Join(words[key], " or ")}
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
		oneOf("graph.format", c.Graph.Format),
		between("search.keys", int64(c.Search.Keys), 1, MaxKeys),
		oneOf("search.engine", c.Search.Engine),
		oneOf("search.kernel", c.Search.Kernel),
		oneOf("search.prune", c.Search.Prune),
		oneOf("search.exchange", c.Search.Exchange),
		between("search.power_seconds", int64(c.Search.PowerSeconds), 1, maxPower),
		oneOf("machine.transport", c.Machine.Transport),
		between("machine.ranks", int64(c.Machine.Ranks), 1, maxRanks),
		between("machine.emulate_nodes", int64(c.Machine.EmulateNodes), 0, maxRanks),
		between("machine.threads", int64(c.Machine.Threads), 0, MaxThreads),
		oneOf("machine.gpu_transport", c.Machine.GPUTransport),
		oneOf("machine.edge_memory", c.Machine.EdgeMemory),
		oneOf("output.names", c.Output.Names),
	} {
		if err != nil {
			return err
		}
	}
	var out *policy.RangeError
	if errors.As(c.Policy.Check(), &out) {
		return &RangeError{"policy." + out.Key, out.Value, fmt.Sprintf("from %d to %d", out.Low, out.High)}
	}
	if c.Search.Power && !c.Search.Validate {
		return &RangeError{"search.power", true, "false if trees are not validated: there is no rate without"}
	}
	if c.Search.Kernel == string(BFS) && c.Search.Prune == hubPruned {
		return &RangeError{"search.prune", c.Search.Prune, "none if no shortest paths are searched"}
	}
	if c.Output.Trees && c.Output.Dir == "" {
		return &RangeError{"output.trees", true, "false if no folder is named for it (--output DIR)"}
	}
	return nil
}
