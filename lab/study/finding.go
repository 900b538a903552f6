// SPDX-License-Identifier: Apache-2.0

package study

import (
	"cmp"
	"errors"
	"fmt"
	"math"
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

// findAll compares the pairs of identical programs and all claims with the figures of the graphs that were measured.
func (s Study) findAll(graphs []lab.GraphFigures) (pairs, all []Finding) {
	pairs, differ := s.pairs(graphs)
	for _, c := range s.Claims {
		all = append(all, s.find(c, graphs, differ))
	}
	return pairs, all
}

// find compares a claim with the figures of the graphs that were measured. differ names identical
// programs that differ, "" for none.
func (s Study) find(c Claim, graphs []lab.GraphFigures, differ string) Finding {
	f := Finding{Claim: c, Within: cmp.Or(c.Factor, s.Factor)}
	for _, set := range s.sets(c, len(graphs)) {
		m := Measured{Graph: set.name, Verdict: None}
		var err error
		m.Interval, err = s.measured(c, set, graphs)
		var overflow full
		switch {
		case errors.As(err, &overflow) && overflow.strategy == c.Of && c.AtMost > 0 && c.limitsDuplicates():
			m.Verdict, m.Reason = NotReproduced, err.Error()
		case err != nil:
			m.Reason = err.Error()
		default:
			if m.Reason = s.obstacle(c, set, graphs, m.N); m.Reason == "" && c.Figure == rate {
				m.Reason = differ
			}
			if m.Reason == "" {
				with := s.widened(m.Interval, c, set, graphs)
				if m.Verdict, m.Reason = c.verdict(with, f.Within); with != m.Interval {
					m.Reason = strings.TrimPrefix(fmt.Sprintf("%s; with the error of identical programs %s to %s", m.Reason,
						short(with.Low), short(with.High)), "; ")
				}
			}
		}
		f.Measured = append(f.Measured, m)
	}
	f.Sentence = f.sentence()
	return f
}

// limitsDuplicates reports whether the figure of the claim counts duplicates.
func (c Claim) limitsDuplicates() bool {
	return slices.Contains([]string{"inspected", "repeated", "missed"}, c.Figure)
}

// obstacle returns the reason why figures on some graphs have no verdict, "" if they can have one.
func (s Study) obstacle(c Claim, set graphSet, graphs []lab.GraphFigures, n int) string {
	if s.Size == Small {
		return "the graphs are small"
	}
	isMeasured := func(name string) bool { return slices.Contains(s.graphNames()[:len(graphs)], name) }
	if missing := len(slices.DeleteFunc(slices.Clone(c.Graphs), isMeasured)); c.Mean && missing > 0 {
		return fmt.Sprintf("the mean lacks %d of its %d graphs", missing, len(c.Graphs))
	}
	for _, i := range set.graphs {
		if unmet := c.unmet(graphs[i]); unmet != "" {
			return unmet
		}
	}
	if n < leastRounds {
		return fmt.Sprintf("n is below %d", leastRounds)
	}
	for _, i := range set.graphs {
		switch {
		case c.Figure != rate:
		case s.pairOn(graphs[i], "") == nil:
			return fmt.Sprintf("no identical programs ran %d times on %s", leastRounds, s.Graphs[i].Name)
		case graphs[i].OtherLoad > s.OtherLoad:
			return fmt.Sprintf("other programs used %.0f%% of the cores on %s", 100*graphs[i].OtherLoad, s.Graphs[i].Name)
		case graphs[i].OtherGPU > s.OtherLoad:
			return fmt.Sprintf("other programs used the GPU for %.0f%% of the time before %s", 100*graphs[i].OtherGPU,
				s.Graphs[i].Name)
		}
	}
	return ""
}

// pairs compares identical programs on each graph that has them, and names those that differ, "" for none.
func (s Study) pairs(graphs []lab.GraphFigures) (all []Finding, differ string) {
	for _, c := range s.pairClaims() {
		f := Finding{Claim: c, Within: same}
		for i, g := range graphs {
			logs, err := c.of(g)
			if err != nil {
				continue
			}
			m := Measured{Graph: s.Graphs[i].Name, Interval: sample{logs}.interval()}
			if m.Verdict, m.Reason = m.ofPair(s.Narrow); m.Verdict == Different {
				differ = fmt.Sprintf("identical programs differ: %s of %s", m.text(), c.Of)
			}
			f.Measured = append(f.Measured, m)
		}
		f.Sentence = f.sentence()
		all = append(all, f)
	}
	return all, differ
}

// pairClaims returns the claim of each pair that its programs are equally fast.
func (s Study) pairClaims() (all []Claim) {
	for _, name := range s.Pairs {
		all = append(all, Claim{Says: "Identical programs are equally fast.", Place: "this study", Figure: rate,
			Of: lab.Again(name), Over: name})
	}
	return all
}

// pairOn returns the narrowest interval of identical programs on a machine, or on others if none ran there; nil if all
// have too few runs on the graph.
func (s Study) pairOn(g lab.GraphFigures, machine string) (narrowest *Interval) {
	there := false // the narrowest one ran on that machine
	for _, c := range s.pairClaims() {
		logs, err := c.of(g)
		if err != nil {
			continue
		}
		i, on := sample{logs}.interval(), g.Row(c.Over).Machine == machine
		better := narrowest == nil || on && !there || on == there && i.High/i.Low < narrowest.High/narrowest.Low
		if i.N >= leastRounds && better {
			narrowest, there = &i, on
		}
	}
	return narrowest
}

// widened returns the interval of a claim, for rates with the interval of identical programs as an additional error if
// these are not shown to be equal, on each machine and graph of the claim. Each graph must have a pair.
func (s Study) widened(i Interval, c Claim, set graphSet, graphs []lab.GraphFigures) Interval {
	if c.Figure != rate {
		return i
	}
	for _, of := range set.graphs {
		g, share := graphs[of], 1/float64(len(set.graphs))
		for _, machine := range slices.Compact([]string{g.Row(c.Of).Machine, g.Row(c.Over).Machine}) {
			pair := s.pairOn(g, machine)
			if v, _ := pair.ofPair(s.Narrow); v == TooWide {
				i.Low *= math.Pow(min(pair.Low, 1), share)
				i.High *= math.Pow(max(pair.High, 1), share)
			}
		}
	}
	return i
}

// narrow reports whether the intervals of all claims on a graph, and of its pairs, are narrow enough.
func (s Study) narrow(of Graph, g lab.GraphFigures) bool {
	for _, c := range slices.Concat(s.pairClaims(), s.Claims) {
		if logs, err := c.of(g); err == nil && c.isOn(of) {
			if i := (sample{logs}).interval(); i.High > s.Narrow*i.Low {
				return false
			}
		}
	}
	return true
}

// graphSet is a set of graphs, as indices in the study, on which a figure gets one verdict.
type graphSet struct {
	name   string
	graphs []int
}

// sets returns the graphs of a claim among the first n: each by itself or, for a mean, the graphs of each family
// together. A family without a graph has an empty set.
func (s Study) sets(c Claim, n int) (sets []graphSet) {
	families := c.Families
	if len(families) == 0 {
		families = []string{""}
	}
	for _, family := range families {
		var of []int
		for i, g := range s.Graphs[:n] {
			if c.isOn(g) && (family == "" || g.Family == family) {
				of = append(of, i)
			}
		}
		switch {
		case family != "" && len(of) == 0:
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

// measured returns the figure of a claim on a set of graphs, or the reason why there is none.
func (s Study) measured(c Claim, set graphSet, graphs []lab.GraphFigures) (Interval, error) {
	if len(set.graphs) == 0 {
		return Interval{}, errors.New("not measured")
	}
	var all sample
	for _, i := range set.graphs {
		logs, err := c.of(graphs[i])
		if err != nil && len(set.graphs) > 1 {
			err = fmt.Errorf("on %s %w", s.Graphs[i].Name, err)
		}
		if err != nil {
			return Interval{}, err
		}
		all = append(all, logs)
	}
	return all.interval(), nil
}
