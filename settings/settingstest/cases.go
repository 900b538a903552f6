// SPDX-License-Identifier: Apache-2.0

// Package settingstest has a case for each setting of package settings, for tests.
package settingstest

import (
	"testing"

	"github.com/BurntSushi/toml"

	"g500/settings"
)

// Case is a value that a setting can have and that is not its default, and one that it cannot have, as in files.
type Case struct {
	Other, Wrong string
	Want         string // end of the error for Wrong: the values that the setting can have
}

const (
	text    = "text in quotes"
	yesOrNo = "true or false"
)

// Cases are the cases by key.
var Cases = map[string]Case{
	"graph.scale":           {"scale = 20", "scale = 48", "from 1 to 47"},
	"graph.edgefactor":      {"edgefactor = 8", "edgefactor = 0", "from 1 to 1024"},
	"graph.seeds":           {"seeds = [2, 4]", "seeds = [2, -3]", "two whole numbers from 0 to 2^64-1"},
	"graph.edges":           {`edges = "list"`, "edges = 3", text},
	"graph.format":          {`format = "u64"`, `format = "csv"`, "packed or u64"},
	"graph.spec":            {`spec = "road:9x9"`, "spec = 3", text},
	"search.engine":         {`engine = "topdown"`, `engine = "warp"`, "auto, gpu, cpu or topdown"},
	"search.kernel":         {`kernel = "sssp"`, `kernel = "dfs"`, "bfs, sssp or both"},
	"search.keys":           {"keys = 8", "keys = 0", "from 1 to 65536"},
	"search.validate":       {"validate = false", "validate = 0", yesOrNo},
	"search.trace":          {"trace = true", "trace = 1", yesOrNo},
	"search.kernel_times":   {"kernel_times = true", "kernel_times = 1", yesOrNo},
	"search.exchange":       {`exchange = "bins"`, `exchange = "bits"`, "auto, bitmap or bins"},
	"search.result_bits":    {"result_bits = 32", "result_bits = 48", "64 or 32"},
	"search.ids64":          {"ids64 = true", "ids64 = 64", yesOrNo},
	"search.prune":          {`prune = "hub"`, `prune = "leaf"`, "none or hub"},
	"search.roots":          {`roots = "list"`, "roots = 3", text},
	"search.min_time":       {`min_time = "90s"`, `min_time = "2000h"`, "from 0s to 1000h0m0s"},
	"search.power":          {"power = true", "power = 1", yesOrNo},
	"search.power_seconds":  {"power_seconds = 20", "power_seconds = 0", "from 1 to 65536"},
	"policy":                {"alpha = 30", "alpha = -1", "from 0 to 1048576"},
	"machine.transport":     {`transport = "mpi"`, `transport = "pigeon"`, "auto, loopback"},
	"machine.ranks":         {"ranks = 2", "ranks = 0", "from 1 to 65536"},
	"machine.emulate_nodes": {"emulate_nodes = 2", "emulate_nodes = -1", "from 0 to 65536"},
	"machine.threads":       {"threads = 2", "threads = 1025", "from 0 to 1024"},
	"machine.gpu_transport": {`gpu_transport = "peer+nccl"`, `gpu_transport = "nvlink"`,
		"auto, peer, mpi, staged, nccl, peer+mpi, peer+staged or peer+nccl"},
	"machine.edge_memory": {`edge_memory = "host"`, `edge_memory = "disk"`, "auto, device, host or generated"},
	"machine.graph_form":  {`graph_form = "packed"`, `graph_form = "zip"`, "auto, plain or packed"},
	"output.dir":          {`dir = "out"`, "dir = 3", text},
	"output.trees":        {"trees = true", "trees = 1", yesOrNo},
	"output.names":        {`names = "spec"`, `names = "all"`, "official or spec"},
}

// File returns a configuration file with one line, a value of the setting.
func File(s settings.Setting, line string) string { return "[" + s.Table() + "]\n" + line + "\n" }

// Changed returns a configuration with another value of the setting, in place of the default.
func Changed(t testing.TB, s settings.Setting, c settings.Config) settings.Config {
	t.Helper()
	if _, err := toml.Decode(File(s, Cases[s.Key].Other), &c); err != nil || s.IsDefault(&c) {
		t.Fatalf("%s has no case with another value: %v", s.Key, err)
	}
	return c
}
