// SPDX-License-Identifier: Apache-2.0

package study

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"g500/lab"
)

// Finding is a claim with its measured figures.
type Finding struct {
	Claim
	Within   float64    `json:"within"` // the factor
	Measured []Measured `json:"measured"`
	Sentence string     `json:"sentence"` // the verdicts
}

// Measured is a figure on one graph, or the geometric mean over several.
type Measured struct {
	Graph string `json:"graph"` // its name, or "mean of N graphs"
	Interval
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"` // why there is no figure, or no verdict on it
}

// findAll compares all claims with the figures of the graphs that were measured.
func (s Study) findAll(graphs []lab.GraphFigures) (all []Finding) {
	for _, c := range s.Claims {
		all = append(all, s.find(c, graphs))
	}
	return all
}

// find compares a claim with the figures of the graphs that were measured.
func (s Study) find(c Claim, graphs []lab.GraphFigures) Finding {
	f := Finding{Claim: c, Within: cmp.Or(c.Factor, s.Factor)}
	for _, set := range s.sets(c, len(graphs)) {
		m := Measured{Graph: set.name, Verdict: None}
		var err error
		if m.Interval, err = s.measured(c, set, graphs); err == nil {
			m.Verdict = c.verdict(m.Interval, f.Within)
		} else {
			m.Reason = err.Error()
		}
		if errors.Is(err, errTooSmall) {
			m.Verdict = Undecided
		} else if err == nil && m.N < leastSources {
			m.Reason = fmt.Sprintf("n is below %d", leastSources)
		}
		f.Measured = append(f.Measured, m)
	}
	f.Sentence = f.sentence()
	return f
}

// graphSet is a set of graphs, as indices in the study, on which a figure gets one verdict.
type graphSet struct {
	name   string
	graphs []int
}

// sets returns the graphs of a claim among the first n: each by itself or, for a mean, the graphs of each family
// together. A family without a graph in the study has an empty set.
func (s Study) sets(c Claim, n int) (sets []graphSet) {
	families := c.Families
	if len(families) == 0 {
		families = []string{""}
	}
	for _, family := range families {
		var of []int
		for i, g := range s.Graphs[:n] {
			if (family == "" || g.Family == family) && (len(c.Graphs) == 0 || slices.Contains(c.Graphs, g.Name)) {
				of = append(of, i)
			}
		}
		inFamily := func(g Graph) bool { return g.Family == family }
		switch {
		case family != "" && !slices.ContainsFunc(s.Graphs, inFamily):
			sets = append(sets, graphSet{name: family + " graphs"})
		case c.Mean && len(of) > 1:
			sets = append(sets, graphSet{strings.TrimSpace(fmt.Sprintf("mean of %d %s", len(of), family)) + " graphs", of})
		default:
			for _, i := range of {
				sets = append(sets, graphSet{s.Graphs[i].Name, []int{i}})
			}
		}
	}
	return sets
}

var (
	errTooSmall = errors.New("the graph is smaller than the claim requires")
	errNoFamily = errors.New("not in the study")
)

// measured returns the figure of a claim on a set of graphs, or the reason why there is none.
func (s Study) measured(c Claim, set graphSet, graphs []lab.GraphFigures) (Interval, error) {
	if len(set.graphs) == 0 {
		return Interval{}, errNoFamily
	}
	var all sample
	for _, i := range set.graphs {
		one, err := c.of(graphs[i])
		if err != nil && len(set.graphs) > 1 {
			err = fmt.Errorf("on %s %w", s.Graphs[i].Name, err)
		}
		if err != nil {
			return Interval{}, err
		}
		for _, of := range one {
			all = append(all, stratum{of.weight / float64(len(set.graphs)), of.logs})
		}
	}
	return all.interval(), nil
}
