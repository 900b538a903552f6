package main

import (
	"cmp"
	"fmt"
	"slices"

	"g500/bench"
	"g500/configs"
	"g500/gpu"
	"g500/internal/machine"
	"g500/record"
)

// preset is a preset with what a run of it asks of a machine.
type preset struct {
	configs.Preset
	cfg record.Config
}

// presets are all that there are, by name.
func presets() (all []preset) {
	for _, p := range configs.All() {
		cfg, err := record.ParseConfig(p.Name+".toml", p.Text)
		if err != nil {
			panic(err) // of our own files
		}
		all = append(all, preset{p, cfg})
	}
	return all
}

// loadConfig reads a configuration file or, if there is no such file, the preset of that name.
func loadConfig(name string) (record.Config, error) {
	text, err := configs.Text(name, name)
	if err != nil {
		return record.DefaultConfig(), fmt.Errorf("cannot read the configuration: %w", err)
	}
	return record.ParseConfig(name, text)
}

func (p preset) onGPUs() bool { return p.cfg.Search.Engine == gpuEngine }

// memory is what a run needs on each rank, or, without GPUs, on one host.
func (p preset) memory() int64 {
	if p.onGPUs() {
		return gpu.Memory(p.cfg.Params(), p.cfg.Machine.Ranks, p.cfg.Search.Validate)[0].Total()
	}
	return bench.NewPlan(p.cfg.Params(), 1, p.cfg.Search.Validate).Total()
}

// coreSeconds is the time of a run without GPUs on one core: that of results/epyc-2core, scale 24, for each tuple.
// There the clock showed 140 s on two cores; smaller graphs take half of it.
func (p preset) coreSeconds() float64 {
	const measured = 2 * 140
	return measured * float64(p.cfg.Params().Edges()) / (16 << 24)
}

// command starts the preset.
func (p preset) command() string {
	start := ""
	if p.onGPUs() && p.cfg.Machine.Ranks > 1 {
		start = fmt.Sprintf("mpirun -n %d --bind-to none ", p.cfg.Machine.Ranks)
	}
	return start + "g500 run --config " + p.Name
}

// offer is what a machine has for a run.
type offer struct {
	gpus   []int64 // memory of each, in bytes
	memory int64   // of the host, that can be taken now, in bytes
	cores  int
}

func thisMachine() offer {
	return offer{gpuMemories(), machine.ProcessMemory(), machine.Cores()}
}

// longest is the time that a proposed run may take.
const longest = 3600.0 // seconds

// propose chooses, of the presets that fit a machine, the one for most of its GPUs, or, where none of these fits, the
// one with the largest graph that is searched within an hour.
func propose(o offer) preset {
	fitting := slices.DeleteFunc(presets(), func(p preset) bool { return !o.fits(p) })
	return slices.MaxFunc(fitting, func(a, b preset) int {
		return cmp.Or(cmp.Compare(a.gpus(), b.gpus()), cmp.Compare(a.cfg.Graph.Scale, b.cfg.Graph.Scale))
	})
}

// gpus is how many GPUs a preset is for.
func (p preset) gpus() int {
	if p.onGPUs() {
		return p.cfg.Machine.Ranks
	}
	return 0
}

// fits reports whether a preset runs on one host that offers this. The smallest preset always does: something must be
// tried.
func (o offer) fits(p preset) bool {
	if p.onGPUs() {
		return p.gpus() <= len(o.gpus) && p.memory() <= slices.Min(o.gpus)
	}
	return p.Name == "tiny" || p.memory() <= o.memory && p.coreSeconds()/float64(o.cores) <= longest
}
