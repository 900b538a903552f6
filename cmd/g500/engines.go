// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	"g500/bench"
	"g500/bfs"
	"g500/cmd/cli"
	"g500/comm"
	"g500/internal/lists"
	"g500/internal/output"
	"g500/record"
	"g500/settings"
	"g500/sssp"
)

// engineChoice is a value of --engine.
type engineChoice struct {
	name    string
	backend func(t comm.Transport, cfg record.Config, threads int) (bench.Backend, error)
}

// engines are the engines of this program. Each has a search for both kernels.
var engines = slices.Concat(gpuEngines, []engineChoice{
	{name: settings.CPU, backend: onCPU(cpuBackend)},
	{name: settings.TopDown, backend: onCPU(func(threads int) bench.Backend {
		return bench.CPU(settings.TopDown, bfs.NewTopDown, sssp.NewBellmanFord, threads)
	})},
})

func cpuBackend(threads int) bench.Backend {
	return bench.CPU(settings.CPU, bfs.NewHybrid(threads), sssp.NewSearch(threads), threads)
}

// onCPU returns a function that makes a backend, which times the steps of searches if the run has a trace.
func onCPU(backend func(threads int) bench.Backend) func(comm.Transport, record.Config, int) (bench.Backend, error) {
	return func(_ comm.Transport, cfg record.Config, threads int) (bench.Backend, error) {
		if cfg.Search.Trace {
			return backend(threads).TimingSteps(), nil
		}
		return backend(threads), nil
	}
}

func engineNames() string {
	return strings.Join(lists.Of(engines, func(e engineChoice) string { return e.name }), " or ")
}

// engineNamed returns the engine of that name, which this program must have.
func engineNamed(name string) engineChoice {
	return *lists.Find(engines, func(e engineChoice) bool { return e.name == name })
}

// chooseEngine returns the same engine on all ranks. noGPU is the reason why this process cannot use a GPU, nil if it
// can. If it is not nil on some ranks, "auto" is the CPU engine on all, and the note has the reason. It is collective.
func chooseEngine(t comm.Transport, name string, noGPU error) (chosen, note string, err error) {
	switch name {
	case "auto":
	case settings.GPU:
		return name, "", comm.Agree(t, noGPU)
	default:
		return name, "", nil
	}
	reason := ""
	if noGPU != nil {
		reason = noGPU.Error()
	}
	reasons, err := comm.Gathered(t, reason)
	if err != nil {
		return "", "", err
	}
	without := slices.DeleteFunc(reasons, func(reason string) bool { return reason == "" })
	if len(without) == 0 {
		return settings.GPU, "", nil
	}
	if len(without) < t.Size() {
		note = fmt.Sprintf("%d of %d ranks have no GPU, so that all search with engine %s (%s)",
			len(without), t.Size(), settings.CPU, without[0])
	}
	return settings.CPU, note, nil
}

// backendFor returns the backend of the engine that the configuration names, and notes on the choice. It is collective.
func backendFor(t comm.Transport, j *job, threads int, noGPU error) (backend bench.Backend, notes []string, err error) {
	engine, note, err := chooseEngine(t, j.cfg.Search.Engine, noGPU)
	if err != nil {
		return backend, nil, err
	}
	if notes, err = j.lacking(engine); err != nil {
		return backend, nil, onAllRanks(err)
	}
	if note != "" {
		notes = append(notes, note)
	}
	backend, err = engineNamed(engine).backend(t, j.cfg, threads)
	return backend, notes, err
}

// onAllRanks marks an error that every rank has, so that only rank 0 prints it.
func onAllRanks(err error) error { return &comm.RankError{Err: err, All: true} }

// lacking refuses settings that the engine does not have, and returns notes on those that a file may have nevertheless.
func (j *job) lacking(engine string) (notes []string, err error) {
	for _, s := range j.cfg.Lacking(engine) {
		fault := fmt.Sprintf("--%s=%s is for engine %s, and this run has engine %s", s.Flag, s.Text(&j.cfg),
			output.List(s.Engines, "or"), engine)
		if !s.MayIdle || j.flags != nil && j.flags.Changed(s.Flag) {
			return nil, cli.Misuse(fmt.Errorf("%s: leave it out, or use --engine %s", fault, s.Engines[0]))
		}
		notes = append(notes, fault+", which ignores it")
	}
	return notes, nil
}
