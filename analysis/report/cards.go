// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"slices"

	"g500/analysis/collect"
	"g500/analysis/scale"
	"g500/analysis/submission"
	"g500/internal/lists"
	"g500/internal/output"
	"g500/record"
)

// Section is one kernel: its best results, and its scaling.
type Section struct {
	ID, Title string
	Cards     []Card
	Scaling   []output.Table // speed-up and efficiency of its series
}

// Card is the best valid result of one machine and kernel.
type Card struct {
	Machine string
	Colour  int    // index of the machine's colour
	Rate    string // in GTEPS
	Size    string // scale and units
	Spread  string
	Pruned  string    // the best rate with pruning, "" for none
	Scales  [2]string // the efficiency at the largest size in weak and strong scaling, "" without a series
	Date    string
	Commit  string
	Folder  string // of the typical run
}

// sectionsOf returns the kernels of the points, breadth-first search first, with a card per machine.
func sectionsOf(set *collect.Set, on machines) (sections []Section) {
	for _, kernel := range record.Kernels(record.Both) {
		title := fmt.Sprintf("%s (%s)", collect.Capital(kernel.Title()), kernel.Abbreviation())
		s := Section{ID: string(kernel), Title: title}
		for i, machine := range on.full {
			of := lists.Where(set.Points, func(p collect.Point) bool {
				return p.Kind.Kernel == kernel && p.Kind.Machine == machine
			})
			if len(of) > 0 {
				card, kind := cardOf(on.names[i], i, of)
				for j, scaling := range []string{scale.Weak, scale.Strong} {
					card.Scales[j] = efficiencyOf(set.Series, kind, scaling)
				}
				s.Cards = append(s.Cards, card)
			}
		}
		series := lists.Where(set.Series, func(of collect.Series) bool { return of.Kind.Kernel == kernel })
		s.Scaling = lists.Of(series, collect.Series.EfficiencyTable)
		if len(s.Cards) > 0 {
			sections = append(sections, s)
		}
	}
	return sections
}

// cardOf returns the card of a machine and kernel, and the kind of its point. Points that break fewer rules of
// submissions precede others.
func cardOf(machine string, colour int, points []collect.Point) (Card, collect.Kind) {
	best := slices.MaxFunc(points, func(a, b collect.Point) int {
		return cmp.Or(broken(b)-broken(a), cmp.Compare(a.TEPS.Median, b.TEPS.Median))
	})
	run := best.Typical
	c := Card{
		Machine: machine, Colour: colour, Rate: collect.GTEPS(best.TEPS.Median), Spread: spreadOf(best),
		Size: fmt.Sprintf("scale %d, %s", best.Scale, unitsOf(best)),
		Date: collect.Date(run.Day), Commit: best.Program.Label(), Folder: run.Folder,
	}
	if different := best.Kind.Unusual(); different != "" {
		c.Size += ", " + different
	}
	if best.Kind.Kernel == record.SSSP && best.Kind.Prune == "" {
		c.Pruned = pruned(points)
	}
	return c, best.Kind
}

// unitsOf describes the ranks of a point. If it used a part of its nodes' cores, it says so: 2 threads, 2 of 32 cores.
func unitsOf(p collect.Point) string {
	threads, cores := p.Ranks*p.Kind.Threads, p.Typical.Cores()
	if threads == 0 || threads >= cores {
		return p.Kind.Units(p.Ranks)
	}
	return fmt.Sprintf("%s, %d of %d cores", p.Kind.Units(p.Ranks), threads, cores)
}

// pruned describes the best point with pruning, "" if there is none.
func pruned(points []collect.Point) string {
	best := collect.Point{}
	for _, p := range points {
		if p.Kind.Prune != "" && p.TEPS.Median > best.TEPS.Median {
			best = p
		}
	}
	if best.Runs == nil {
		return ""
	}
	return fmt.Sprintf("pruned by a %s: %s", best.Kind.Prune, collect.GTEPS(best.TEPS.Median))
}

// broken counts the rules of submissions that the kernel of the point's typical run breaks.
func broken(p collect.Point) int {
	run := *p.Typical.Run
	run.Kernels = []record.KernelRun{p.Typical.KernelRun}
	return len(submission.Broken(submission.Of(run, "").Check()))
}

// spreadOf describes how much a point varies: between its runs or, for one run, between its searches.
func spreadOf(p collect.Point) string {
	if len(p.Runs) > 1 {
		return fmt.Sprintf("%d runs, %s to %s", len(p.Runs), collect.GTEPS(p.TEPS.Min), collect.GTEPS(p.TEPS.Max))
	}
	t := p.Typical.TEPS
	return fmt.Sprintf("1 run, n = %d searches, ±%.1f%%", p.Searches, 100*t.HarmonicStddev/t.HarmonicMean)
}
