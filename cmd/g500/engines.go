package main

import (
	"fmt"
	"slices"
	"strings"

	"g500/bench"
	"g500/bfs"
	"g500/comm"
)

// engine is a search to choose.
type engine struct {
	name string
	kit  func(t comm.Transport, threads int) (bench.Kit, error)
	solo bool // one rank only
}

// engines are the searches of this build, the default first.
var engines = slices.Concat(gpuEngines, []engine{
	{"hybrid", onCPU("hybrid", bfs.NewHybrid), false},
	{"topdown", onCPU("topdown", func(int) bfs.New { return bfs.NewTopDown }), false},
})

// onCPU makes the kit of an engine that needs no GPU.
func onCPU(name string, kernel1 func(workers int) bfs.New) func(comm.Transport, int) (bench.Kit, error) {
	return func(_ comm.Transport, threads int) (bench.Kit, error) {
		return bench.CPU(name, kernel1(threads), threads), nil
	}
}

func engineNames() string {
	var names []string
	for _, e := range engines {
		names = append(names, e.name)
	}
	return strings.Join(names, " or ")
}

// kitFor finds an engine by its name; "auto" is the first that works on as many ranks as there are.
func kitFor(name string, t comm.Transport, threads int) (bench.Kit, error) {
	for _, e := range engines {
		if name == e.name || name == "auto" && (!e.solo || t.Size() == 1) {
			return e.kit(t, threads)
		}
	}
	return bench.Kit{}, misuseError{fmt.Errorf("there is no engine %q; choose auto, %s", name, engineNames())}
}
