// SPDX-License-Identifier: Apache-2.0

package color

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"g500/internal/lists"
	"g500/lab"
)

// Optimisations lists the optimisations of the speculative algorithms, in the order of the paper.
var Optimisations = []string{"resolve", "coarsen", "bitset", "fuse", "ldg", "balance"}

// Variants lists other changes of the speculative algorithms, which are not part of opt: coarsening of one of the two
// kernels (figure 5), and colours that are kept after a lost conflict (section 3.1, "Color Clearing").
var Variants = []string{"coarsen-fit", "coarsen-resolve", keep}

const keep = "keep"

// Algorithm is a row of the table.
type Algorithm struct {
	lab.Strategy
	Greedy        bool // no colour exceeds the largest degree plus one
	Deterministic bool // all runs on machines of one kind find the same colours

	Kernel        string            // on GPUs: data, topology, jp, multihash, csrcolor or llf; "" for none
	Optimisations []string          // of the kernel, and variants
	Rounds        int               // after which one core colours the remaining vertices; 0 for no limit
	onCores       func(c *coloring) // nil if the algorithm needs a GPU
}

const (
	chen        = "Chen et al., Concurrency and Computation 2016"
	naumov      = "Naumov, Castonguay, Cohen, NVIDIA, 2015"
	hasenplaugh = "Hasenplaugh, Kaler, Schardl, Leiserson, SPAA 2014"

	gmRounds = 3 // of 3-step GM; the paper has "several"
)

// Table returns the algorithms. Only opt has optimisations.
func Table() []Algorithm {
	return []Algorithm{
		{Strategy: from("serial", chen, "algorithm 1"), Greedy: true, Deterministic: true, onCores: serial},
		{Strategy: from("parallel", chen, "algorithm 2"), Greedy: true, onCores: speculative},
		{Strategy: from("gm3", chen, "section 2.3"), Greedy: true, Kernel: "data", Rounds: gmRounds, onCores: threeSteps},
		{Strategy: from("multihash", chen, "section 2.3"), Deterministic: true, Kernel: "multihash"},
		{Strategy: from("csrcolor", naumov, "cuSPARSE"), Kernel: "csrcolor"},
		{Strategy: from("jp", chen, "algorithm 3"), Deterministic: true, Kernel: "jp", onCores: jonesPlassmann},
		{Strategy: from("topology", chen, "algorithm 6"), Greedy: true, Kernel: "topology"},
		{Strategy: from("data", chen, "algorithm 7"), Greedy: true, Kernel: "data"},
		{Strategy: from(together, chen, "section 3"), Greedy: true, Kernel: "data", Optimisations: Optimisations},
		{Strategy: from("llf", hasenplaugh, "section 4"), Greedy: true, Deterministic: true, Kernel: "llf"},
	}
}

// Names for data with all selected optimisations, and with each of them by itself.
const (
	together = "opt"
	alone    = "alone"
)

// differences are the mechanisms of algorithms and optimisations that differ from their papers.
var differences = map[string]string{
	"serial":   "cores of this machine instead of CUSP's program",
	"parallel": "threads of Go instead of OpenMP",
	"gm3":      "three rounds before the core; the paper has several, and no partition of the graph is made",
	"llf":      "degrees are rounded to an eighth, and least possible colours are published (Alabandi et al., 2020)",
	"balance":  "columns are always read by __ldg",
	"fuse":     "the barrier of a cooperative launch instead of the one by Xiao and Feng",
}

// lacks has the reasons why topology lacks optimisations.
var lacks = map[string]string{keep: "it finds open vertices by their missing colour", "fuse": "it has no fused kernel"}

func from(name, paper, section string) lab.Strategy {
	return lab.Strategy{Name: name, Paper: paper, Section: section, Differs: differ(name)}
}

// differ returns the differences of an algorithm and its optimisations.
func differ(parts ...string) string {
	var all []string
	for _, part := range parts {
		if text := differences[part]; text != "" {
			all = append(all, text)
		}
	}
	return cmp.Or(strings.Join(all, "; "), lab.AsPublished)
}

// Names returns the names that Choose accepts.
func Names() []string { return append(namesOf(Table()), alone) }

func namesOf(all []Algorithm) []string {
	return lists.Of(all, func(a Algorithm) string { return a.Name })
}

// Choose returns the algorithms of a comma-separated list, or of "all". Optimisations and variants can be appended to a
// name, as in data+bitset+fuse. The second list, or "all", selects the optimisations of opt and alone.
func Choose(list, optimisations string) (chosen []Algorithm, err error) {
	if list == "all" {
		list = strings.Join(Names(), ",")
	}
	if optimisations == "all" {
		optimisations = strings.Join(Optimisations, ",")
	}
	several := map[string][]string{together: {"data+" + strings.ReplaceAll(optimisations, ",", "+")},
		alone: strings.Split("data+"+strings.ReplaceAll(optimisations, ",", ",data+"), ",")}
	for _, name := range strings.Split(list, ",") {
		names, known := several[name]
		if !known {
			names = []string{name}
		}
		for _, full := range names {
			a, err := find(full)
			if err != nil {
				return nil, err
			}
			if name == together {
				a.Name = name
			}
			chosen = append(chosen, a)
		}
	}
	return chosen, nil
}

// NeedsGPU reports whether an algorithm runs on a GPU only.
func (a Algorithm) NeedsGPU() bool { return a.onCores == nil }

// find returns the algorithm of a name with optimisations.
func find(name string) (Algorithm, error) {
	parts := strings.Split(name, "+")
	table := Table()
	i := slices.IndexFunc(table, func(a Algorithm) bool { return a.Name == parts[0] })
	if i < 0 {
		return Algorithm{}, fmt.Errorf("there is no algorithm %q: choose all, or some of %s", name,
			strings.Join(Names(), ", "))
	}
	a := table[i]
	for _, part := range parts[1:] {
		known := slices.Concat(Optimisations, Variants)
		if !slices.Contains(known, part) || a.Kernel != "data" && a.Kernel != "topology" || a.Rounds > 0 {
			return a, fmt.Errorf("%q is no optimisation of %s: data and topology have %s", part, a.Name,
				strings.Join(known, ", "))
		}
		if why := lacks[part]; a.Kernel == "topology" && why != "" {
			return a, fmt.Errorf("topology+%s: %s: choose data+%[1]s", part, why)
		}
	}
	if len(parts) > 1 {
		a.Name, a.Optimisations, a.Differs = name, parts[1:], differ(parts...)
	}
	return a, nil
}
