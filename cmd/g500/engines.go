package main

import (
	"fmt"
	"slices"
	"strings"

	"g500/bench"
	"g500/bfs"
	"g500/comm"
	"g500/record"
	"g500/sssp"
)

// engine is a search to choose.
type engine struct {
	name    string
	backend func(t comm.Transport, cfg record.Config, threads int) (bench.Backend, error)
	ways    bool // it has ways to exchange, and transports, to choose from
}

// gpuEngine is the engine that only a program with GPUs has, and that "auto" prefers.
const gpuEngine = "gpu"

// cpuEngine is the fast engine of every program.
const cpuEngine = "cpu"

// topDownEngine is the reference implementation.
const topDownEngine = "topdown"

// engines are the engines of this program. Each has a search for either kernel.
var engines = slices.Concat(gpuEngines, []engine{
	{name: cpuEngine, backend: onCPU(hybridBackend)},
	{name: topDownEngine, backend: onCPU(plainBackend)},
})

// hybridBackend has the fast searches on CPUs.
func hybridBackend(threads int) bench.Backend {
	return bench.CPU(cpuEngine, bfs.NewHybrid(threads), sssp.NewSearch(threads), threads)
}

// plainBackend has the reference implementations of both searches.
func plainBackend(threads int) bench.Backend {
	return bench.CPU(topDownEngine, bfs.NewTopDown, sssp.NewBellmanFord, threads)
}

// onCPU returns a backend that times the steps of searches if the run has a trace.
func onCPU(backend func(threads int) bench.Backend) func(comm.Transport, record.Config, int) (bench.Backend, error) {
	return func(_ comm.Transport, cfg record.Config, threads int) (bench.Backend, error) {
		if cfg.Search.Trace {
			return backend(threads).TimingSteps(), nil
		}
		return backend(threads), nil
	}
}

func engineNames() string {
	var names []string
	for _, e := range engines {
		names = append(names, e.name)
	}
	return strings.Join(names, " or ")
}

// engineNamed finds an engine of this program.
func engineNamed(name string) (engine, error) {
	i := slices.IndexFunc(engines, func(e engine) bool { return e.name == name })
	if i < 0 {
		return engine{}, misuseError{fmt.Errorf("there is no engine %q; choose auto, gpu, cpu or topdown", name)}
	}
	return engines[i], nil
}

// chooseEngine finds the engine that a name means, the same on all ranks. noGPU says why this process is no GPU
// program; nil where it is. Ranks may differ in that: "auto" is then the CPU's engine for all of them, and the note
// says why. It is collective.
func chooseEngine(t comm.Transport, name string, noGPU error) (e engine, note string, err error) {
	if name == gpuEngine {
		if err := comm.Agree(t, noGPU); err != nil {
			return engine{}, "", err
		}
	}
	if name != "auto" {
		if e, err = engineNamed(name); err != nil {
			return e, "", onAllRanks(err)
		}
		return e, "", nil
	}
	reason := ""
	if noGPU != nil {
		reason = noGPU.Error()
	}
	reasons, err := comm.AllGatherTexts(t, reason)
	if err != nil {
		return engine{}, "", err
	}
	without := slices.DeleteFunc(reasons, func(reason string) bool { return reason == "" })
	if len(without) == 0 {
		e, err = engineNamed(gpuEngine)
		return e, "", err
	}
	e, err = engineNamed(cpuEngine)
	if len(without) < t.Size() {
		note = fmt.Sprintf("%d of %d ranks go without a GPU, so that all search with engine %s (%s)",
			len(without), t.Size(), e.name, without[0])
	}
	return e, note, err
}

// backendFor makes the backend of the engine that the configuration names, with notes on the choice. It is collective.
func backendFor(t comm.Transport, cfg record.Config, threads int, noGPU error) (backend bench.Backend,
	notes []string, err error) {
	e, note, err := chooseEngine(t, cfg.Search.Engine, noGPU)
	if err != nil {
		return backend, nil, err
	}
	if err := checkWays(cfg, e); err != nil {
		return backend, nil, onAllRanks(err)
	}
	if err := checkResultBits(cfg, e); err != nil {
		return backend, nil, onAllRanks(err)
	}
	if note != "" {
		notes = append(notes, note)
	}
	if cfg.Policy != bfs.DefaultPolicy() && e.name != gpuEngine {
		notes = append(notes, fmt.Sprintf("the policy is of engine %s: engine %s does not use it", gpuEngine, e.name))
	}
	backend, err = e.backend(t, cfg, threads)
	return backend, notes, err
}

// onAllRanks marks an error that every rank has alike, so that only one tells it.
func onAllRanks(err error) error { return &comm.RankError{Rank: 0, Err: err} }

// checkResultBits refuses short results of an engine that has none.
func checkResultBits(cfg record.Config, e engine) error {
	if bits := cfg.Search.ResultBits; bits != record.DefaultConfig().Search.ResultBits && e.name != gpuEngine {
		return misuseError{fmt.Errorf("--result-bits %d is for engine %s, and results of engine %s have 64 bits a parent: "+
			"leave it out, or use --engine %s", bits, gpuEngine, e.name, gpuEngine)}
	}
	return nil
}

// checkWays refuses to choose for an engine that has no choice.
func checkWays(cfg record.Config, e engine) error {
	for _, flag := range []struct{ name, value, says string }{
		{"--exchange", cfg.Search.Exchange, "how GPUs reach each other"},
		{"--gpu-transport", cfg.Machine.GPUTransport, "how GPUs reach each other"},
		{"--edge-memory", cfg.Machine.EdgeMemory, "where edge tuples lie on GPUs"},
	} {
		if flag.value != "auto" && !e.ways {
			return misuseError{fmt.Errorf("%s %s says %s, and engine %s uses none; leave it out, "+
				"or use --engine gpu", flag.name, flag.value, flag.says, e.name)}
		}
	}
	return nil
}
