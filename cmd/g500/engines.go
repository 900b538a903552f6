package main

import (
	"fmt"
	"strings"

	"g500/bench"
	"g500/bfs"
)

// engines are the searches to choose from, the default first.
var engines = []struct {
	name string
	kit  func(threads int) bench.Kit
}{
	{"hybrid", func(threads int) bench.Kit { return bench.CPU("hybrid", bfs.NewHybrid(threads), threads) }},
	{"topdown", func(threads int) bench.Kit { return bench.CPU("topdown", bfs.NewTopDown, threads) }},
}

func engineNames() string {
	var names []string
	for _, e := range engines {
		names = append(names, e.name)
	}
	return strings.Join(names, " or ")
}

// kitFor finds an engine by its name; "auto" is the first.
func kitFor(name string, threads int) (bench.Kit, error) {
	for _, e := range engines {
		if name == e.name || name == "auto" {
			return e.kit(threads), nil
		}
	}
	return bench.Kit{}, misuseError{fmt.Errorf("there is no engine %q; choose auto, %s", name, engineNames())}
}
