// SPDX-License-Identifier: Apache-2.0

package color

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"g500/internal/tomlfile"
	"g500/lab"
)

// Optimisations lists the optimisations of the speculative algorithms, in the order of the paper.
var Optimisations = []string{"resolve", "coarsen", "bitset", "fuse", "ldg", "balance"}

// Variants lists other changes of the speculative algorithms, which are not part of opt: coarsening of one of the two
// kernels (figure 5), and colours that are kept after a lost conflict (section 3.1, "Color Clearing").
var Variants = []string{"coarsen-fit", "coarsen-resolve", keep}

const keep = "keep"

//go:embed algorithms.toml
var tableText string

// Table returns the algorithms of algorithms.toml, which explains their settings. Only opt has optimisations.
var Table = sync.OnceValue(func() (all lab.Strategies) {
	var table struct {
		Algorithm []struct {
			lab.Strategy
			With map[string]string
		}
	}
	if err := tomlfile.Decode("lab/color/algorithms.toml", tableText, &table, ""); err != nil {
		panic(err) // the table is part of the program, and a test reads it
	}
	for _, a := range table.Algorithm {
		for key, value := range a.With {
			a.Strategy = a.Strategy.With(key, value)
		}
		a.Differs = cmp.Or(a.Differs, lab.AsPublished)
		all = append(all, a.Strategy)
	}
	return all
})

// Names for data with all selected optimisations, and with each of them by itself.
const (
	together = "opt"
	alone    = "alone"
)

// differences are the mechanisms of optimisations that differ from the paper.
var differences = map[string]string{
	"balance": "columns are always read by __ldg",
	"fuse":    "the barrier of a cooperative launch instead of the one by Xiao and Feng",
}

// lacks has the reasons why topology lacks optimisations.
var lacks = map[string]string{keep: "it finds open vertices by their missing colour", "fuse": "it has no fused kernel"}

// Names returns the names that Choose accepts.
func Names() []string { return append(Table().Names(), alone) }

// Choose returns the algorithms of a comma-separated list, or of "all". Optimisations and variants can be appended to a
// name, as in data+bitset+fuse. The second list, or "all", selects the optimisations of opt and alone.
func Choose(list, optimisations string) (chosen []lab.Strategy, err error) {
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

// find returns the algorithm of a name with optimisations.
func find(name string) (lab.Strategy, error) {
	parts := strings.Split(name, "+")
	i := slices.Index(Table().Names(), parts[0])
	if i < 0 {
		return lab.Strategy{}, fmt.Errorf("there is no algorithm %q: choose all, or some of %s", name,
			strings.Join(Names(), ", "))
	}
	a := Table()[i]
	if len(parts) == 1 {
		return a, nil
	}
	var differs []string
	known := slices.Concat(Optimisations, Variants)
	for _, part := range parts[1:] {
		if !slices.Contains(known, part) || a.Name != "data" && a.Name != "topology" {
			return a, fmt.Errorf("%q is no optimisation of %s: data and topology have %s", part, a.Name,
				strings.Join(known, ", "))
		}
		if why := lacks[part]; a.Name == "topology" && why != "" {
			return a, fmt.Errorf("topology+%s: %s: choose data+%[1]s", part, why)
		}
		if text := differences[part]; text != "" {
			differs = append(differs, text)
		}
	}
	a.Name, a.Differs = name, cmp.Or(strings.Join(differs, "; "), lab.AsPublished)
	return a.With("kernel", name), nil
}
