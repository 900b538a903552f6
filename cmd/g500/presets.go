// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"slices"

	"g500/bench"
	"g500/configs"
	"g500/gpu"
	"g500/record"
	"g500/settings"
)

// preset is a preset with the command line that runs it, and its configuration.
type preset struct {
	configs.Preset
	Command string `json:"command"`
	cfg     record.Config
}

// presets returns all presets, sorted by name.
func presets() (all []preset) {
	for _, p := range configs.All() {
		cfg, err := settings.Parse(p.Name+".toml", p.Text)
		if err != nil {
			panic(err) // the files are part of the program
		}
		one := preset{p, "g500 run --config " + p.Name, cfg}
		if one.gpus() > 1 {
			one.Command = fmt.Sprintf("mpirun -n %d --bind-to none %s", cfg.Machine.Ranks, one.Command)
		}
		all = append(all, one)
	}
	return all
}

// loadConfig reads a configuration file or, if there is no such file, the preset of that name.
func loadConfig(name string) (record.Config, error) {
	text, err := configs.Text(name, name)
	if err != nil {
		return settings.Default(), err
	}
	return settings.Parse(name, text)
}

// memory returns the bytes that a run needs on each GPU or, without GPUs, on one node.
func (p preset) memory() int64 {
	if p.gpus() > 0 {
		work := bench.Work{Params: p.cfg.Params(), Ranks: p.cfg.Machine.Ranks, Validated: p.cfg.Search.Validate}
		return gpu.Memory(work)[0].Total()
	}
	return bench.HostMemory(bench.WorkOf(p.cfg, 1)).Total()
}

// coreSeconds estimates the time of a run without GPUs on one core. It is proportional to the edge tuples; the run of
// scale 24 in results/epyc-2core took 140 s on two cores.
func (p preset) coreSeconds() float64 {
	const measured = 2 * 140
	return measured * float64(p.cfg.Params().Edges()) / (16 << 24)
}

// longest is the limit of the time of a proposed run.
const longest = 3600.0 // seconds

// propose returns the preset that fits the node and uses the most GPUs or, without GPUs, has the largest graph.
func propose(h hardware) preset {
	fitting := slices.DeleteFunc(presets(), func(p preset) bool { return !h.fits(p) })
	return slices.MaxFunc(fitting, func(a, b preset) int {
		return cmp.Or(cmp.Compare(a.gpus(), b.gpus()), cmp.Compare(a.cfg.Graph.Scale, b.cfg.Graph.Scale))
	})
}

// gpus returns the number of GPUs that a preset uses.
func (p preset) gpus() int {
	if p.cfg.Search.Engine == settings.GPU {
		return p.cfg.Machine.Ranks
	}
	return 0
}

// fits reports whether a preset runs on this node within an hour. The smallest preset always fits.
func (h hardware) fits(p preset) bool {
	if p.gpus() > 0 {
		return p.gpus() <= len(h.Memories) && p.memory() <= slices.Min(h.Memories)
	}
	return p.Name == "tiny" || p.memory() <= h.available && p.coreSeconds()/float64(h.cores) <= longest
}
