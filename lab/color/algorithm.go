package color

import (
	"fmt"
	"slices"
	"strings"

	"g500/lab"
)

// Kernel is what a GPU does; the names are those of cuda/color/color.h.
type Kernel int

// The kernels. None is of what only cores do.
const (
	None Kernel = iota
	Data
	Topology
	JonesPlassmann
	MultiHash
	LogDegreeFirst
)

// Optimisations are those of the speculative algorithms, in the order of the paper.
var Optimisations = []string{"resolve", "coarsen", "bitset", "fuse", "ldg", "balance"}

// Algorithm is a row of the table.
type Algorithm struct {
	lab.Strategy
	Greedy        bool // no colour is beyond the largest degree and one
	Deterministic bool // the colours are the same in each run, on any machine of a kind

	Kernel        Kernel
	Optimisations []string // of the kernel
	Rounds        int      // of a speculative one, after which a core resolves what is left; 0 for all
	onCores       func(c *coloring)
}

const (
	chen        = "Chen et al., Concurrency and Computation 2016"
	hasenplaugh = "Hasenplaugh, Kaler, Schardl, Leiserson, SPAA 2014"

	gmRounds = 3 // of 3-step GM; the paper says that there are several
)

// Table is the algorithms, without optimisations but for opt, which has all.
func Table() []Algorithm {
	return []Algorithm{
		{Strategy: from("serial", chen, "algorithm 1"), Greedy: true, Deterministic: true, onCores: serial},
		{Strategy: from("parallel", chen, "algorithm 2"), Greedy: true, onCores: speculative},
		{Strategy: from("gm3", chen, "section 2.3"), Greedy: true, Kernel: Data, Rounds: gmRounds, onCores: threeSteps},
		{Strategy: from("multihash", chen, "section 2.3"), Deterministic: true, Kernel: MultiHash},
		{Strategy: from("jp", chen, "algorithm 3"), Deterministic: true, Kernel: JonesPlassmann, onCores: jonesPlassmann},
		{Strategy: from("topology", chen, "algorithm 6"), Greedy: true, Kernel: Topology},
		{Strategy: from("data", chen, "algorithm 7"), Greedy: true, Kernel: Data},
		{Strategy: from(together, chen, "section 3"), Greedy: true, Kernel: Data, Optimisations: Optimisations},
		{Strategy: from("llf", hasenplaugh, "section 4"), Greedy: true, Deterministic: true, Kernel: LogDegreeFirst},
	}
}

// What names stand for that are none: data with the optimisations that are asked for, together and one by one.
const (
	together = "opt"
	alone    = "alone"
)

func from(name, paper, section string) lab.Strategy {
	return lab.Strategy{Name: name, Paper: paper, Section: section}
}

// Names are the names of the table, and what else may be chosen.
func Names() (names []string) {
	for _, a := range Table() {
		names = append(names, a.Name)
	}
	return append(names, alone)
}

// Choose finds algorithms by a list with commas of names, or "all". An algorithm may have optimisations behind it, as
// in data+bitset+fuse; opt is data with all of optimisations, a list of the same form, and alone is data with each of
// them by itself.
func Choose(list, optimisations string) (chosen []Algorithm, err error) {
	if list == "all" {
		list = strings.Join(Names(), ",")
	}
	if optimisations == "all" {
		optimisations = strings.Join(Optimisations, ",")
	}
	parts := strings.Split(optimisations, ",")
	for _, name := range strings.Split(list, ",") {
		names := []string{name}
		if name == alone {
			names = nil
			for _, part := range parts {
				names = append(names, "data+"+part)
			}
		}
		for _, name := range names {
			a, err := find(name)
			if err != nil {
				return nil, err
			}
			if name == together {
				if a, err = find("data+" + strings.Join(parts, "+")); err != nil {
					return nil, err
				}
				a.Name = together
			}
			chosen = append(chosen, a)
		}
	}
	return chosen, nil
}

// NeedsGPU reports whether an algorithm runs on a GPU only.
func (a Algorithm) NeedsGPU() bool { return a.onCores == nil }

// find finds an algorithm by its name, with optimisations.
func find(name string) (Algorithm, error) {
	parts := strings.Split(name, "+")
	table := Table()
	i := slices.IndexFunc(table, func(a Algorithm) bool { return a.Name == parts[0] })
	if i < 0 {
		return Algorithm{}, fmt.Errorf("there is no algorithm %q: choose all, or of %s", name, strings.Join(Names(), ", "))
	}
	a := table[i]
	for _, part := range parts[1:] {
		if !slices.Contains(Optimisations, part) || a.Kernel != Data && a.Kernel != Topology || a.Rounds > 0 {
			return a, fmt.Errorf("%q is no optimisation of %s: data and topology have %s", part, a.Name,
				strings.Join(Optimisations, ", "))
		}
		if a.Kernel == Topology && part == "fuse" {
			return a, fmt.Errorf("topology+fuse: it has no fused kernel: choose data+fuse")
		}
	}
	if len(parts) > 1 {
		a.Name, a.Optimisations = name, parts[1:]
	}
	return a, nil
}
