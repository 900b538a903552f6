package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// key is a setting of strategies, with words as values, or with numbers from least to most.
type key struct {
	name        string
	words       []string
	least, most int
	power       bool // numbers must be powers of two
}

func words(name, values string) key { return key{name: name, words: strings.Fields(values)} }

// mostNumber is the largest number of most keys.
const mostNumber = 1 << 30

// keys are the keys of strategies that consist of parts. cuda/lab/strategy.cu has the same; a test compares them.
var keys = []key{
	words("shape", "expand-contract contract-expand two-phase hybrid device-search deferred-classes immediate-classes "+
		"topology status-queue partitioned isolated"),
	words("gather", "serial warp block scan group warp-scan direct"),
	words("lookup", "label mask swap mask-alone"),
	words("cull", "none warp history both"),
	words("loop", "host device tail-launch"),
	words("direction", "top-down alpha gamma"),
	words("output", "distance parent"),
	words("isolate", "gather lookup separate fused"),
	words("status", "words bytes"),
	words("grouping", "fixed degree frontier"),
	words("switching", "blocked interleaved"),
	words("classes", "fused concurrent"),
	words("refilling", "filter rescan"),
	words("long_rows", "compete list"),
	words("supports", "set table"),
	words("walk", "pieces links"),
	{name: "group", least: 1, most: 32, power: true},
	{name: "warp_from", most: mostNumber},
	{name: "block_from", most: mostNumber},
	{name: "grid_from", most: mostNumber},
	{name: "bin_from", most: mostNumber / 4, power: true},
	{name: "child_from", most: mostNumber},
	{name: "history", least: 32, most: 4096, power: true},
	{name: "gpus", least: 1, most: 8},
	{name: "tiles", least: 1, most: mostNumber},
	{name: "blocks", most: mostNumber},
	{name: "fused_below", most: mostNumber},
	{name: "drop_degree", most: 1},
	{name: "alpha", least: 1, most: mostNumber},
	{name: "gamma", most: 100},
	{name: "hub_cache", most: 4096, power: true},
	{name: "hub_degree", most: mostNumber},
	{name: "vertex_capacity", least: 100, most: 10000},
	{name: "edge_capacity", least: 100, most: 10000},
}

// engineKeys are the keys of the engines of this project.
var engineKeys = []key{
	words(engineKey, "gpu cpu topdown"),
	words("output", "distance parent"),
	words(countKey, keptEdges),
}

// check returns an error if the strategy has no key of this name, or the key not this value.
func (s Strategy) check(name, value string) error {
	known := keys
	if s.Of(engineKey) != "" {
		known = engineKeys
	}
	i := slices.IndexFunc(known, func(k key) bool { return k.name == name })
	if i < 0 {
		var names []string
		for _, k := range known {
			names = append(names, k.name)
		}
		return fmt.Errorf("strategy %s has no key %q: choose one of %s", s.Name, name, strings.Join(names, ", "))
	}
	if wrong := known[i].check(value); wrong != "" {
		return fmt.Errorf("strategy %s: %s=%s: choose %s", s.Name, name, value, wrong)
	}
	return nil
}

// check returns the possible values, "" if the value is one of them.
func (k key) check(value string) string {
	if k.words != nil {
		if slices.Contains(k.words, value) {
			return ""
		}
		return strings.Join(k.words, ", ")
	}
	x, err := strconv.ParseUint(value, 10, 32)
	if err == nil && int(x) >= k.least && int(x) <= k.most && !(k.power && x&(x-1) != 0) {
		return ""
	}
	if k.power {
		return fmt.Sprintf("a power of two from %d to %d", k.least, k.most)
	}
	return fmt.Sprintf("a number from %d to %d", k.least, k.most)
}
