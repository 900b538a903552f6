// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"g500/analysis/collect"
	"g500/analysis/model"
	"g500/analysis/scale"
	"g500/internal/lists"
	"g500/record"
)

// Data is the runs of a set as the page's script reads them. Rates are in GTEPS, times in seconds.
type Data struct {
	Machines list[string]  `json:"machines"`
	Programs list[Version] `json:"programs"`
	Runs     list[row]     `json:"runs"`
	Traces   list[trace]   `json:"traces"`
	Series   list[scaling] `json:"series"`
	Study    bool          `json:"study"` // all runs are of studies, whose axis is the number of units
}

// list is a slice that JSON has as an array also if it is nil, because scripts cannot iterate over null.
type list[T any] []T

// MarshalJSON writes the array.
func (l list[T]) MarshalJSON() ([]byte, error) { return json.Marshal(append([]T{}, l...)) }

// Version is a version of the program, with the dates of its first and last run.
type Version struct {
	program record.Program

	Name   string `json:"name"`
	Commit string `json:"commit"` // or the name, if it has none
	First  string `json:"first"`
	Last   string `json:"-"`
	Runs   int    `json:"runs"`
}

// row is one run of a kernel as the script reads it.
type row struct {
	Folder  string `json:"folder"`
	Machine int    `json:"machine"` // index
	Program int    `json:"program"` // index
	Newest  bool   `json:"newest"`  // no later version of the program has repeated the run
	Kernel  string `json:"kernel"`  // BFS or SSSP
	Prune   string `json:"prune,omitempty"`
	Units   string `json:"units"`             // ranks, with threads on CPUs
	Threads int    `json:"threads,omitempty"` // of all ranks, on CPUs
	Setting string `json:"setting,omitempty"`
	Bits    int    `json:"bits"`
	Scale   int    `json:"scale"`
	Ranks   int    `json:"ranks"`
	Count   int    `json:"count"` // of the units of a series
	Date    string `json:"date"`

	Searches   int        `json:"n"`
	Rate       float64    `json:"rate"`  // harmonic mean
	Error      float64    `json:"error"` // standard error of the rate
	Median     float64    `json:"median"`
	Quartiles  [2]float64 `json:"quartiles"` // of the time of a search
	Kernel1    float64    `json:"kernel1"`
	Validation float64    `json:"validation"`
	Share      float64    `json:"share"`           // GTEPS per GPU or, on CPUs, per core that computes
	Node       float64    `json:"node"`            // GTEPS per node
	Joules     float64    `json:"joules"`          // of a search, 0 if unknown
	Trace      *int       `json:"trace,omitempty"` // index
}

// dataOf returns the valid runs of a set, and their traces.
func dataOf(set *collect.Set, on machines) *Data {
	d := &Data{Machines: on.names, Programs: versionsOf(set)}
	newest := map[*collect.Run]bool{}
	for _, p := range set.Points {
		for _, r := range p.Runs {
			newest[r] = true
		}
	}
	at := map[*collect.Run]int{}
	d.Study = len(set.Points) > 0
	for _, r := range set.Runs {
		if r.TEPS == nil {
			continue
		}
		d.Study = d.Study && r.Kind.Study != ""
		at[r] = len(d.Runs)
		one := d.row(r)
		one.Machine, one.Newest = on.index(r.Kind), newest[r]
		if t, traced := traceOf(r); traced {
			number := len(d.Traces)
			one.Trace, d.Traces = &number, append(d.Traces, t)
		}
		d.Runs = append(d.Runs, one)
	}
	d.Series = scalingsOf(set, on, at)
	return d
}

func (d *Data) row(r *collect.Run) row {
	narrow := r.Kind
	narrow.Bits = 0 // which Bits has
	share := r.Per.GPU
	if r.Kind.Threads > 0 {
		share = r.Per.Core
	}
	return row{
		Share: known(share / giga), Node: known(r.Per.Node / giga), Joules: known(r.Per.Joules), Count: r.Units,
		Folder: r.Folder, Kernel: r.Kernel.Abbreviation(),
		Program: slices.IndexFunc(d.Programs, func(v Version) bool { return v.program == r.Environment.Program }),
		Prune:   r.Kind.Prune, Units: r.Kind.Units(r.Ranks), Setting: narrow.Unusual(), Bits: r.ResultBits,
		Threads: r.Ranks * r.Kind.Threads,
		Scale:   r.Scale, Ranks: r.Ranks, Date: r.Day, Searches: len(r.Searches),
		Rate: known(r.TEPS.HarmonicMean / giga), Error: known(r.TEPS.HarmonicStddev / giga),
		Median:    known(r.Seconds.Median),
		Quartiles: [2]float64{known(r.Seconds.FirstQuartile), known(r.Seconds.ThirdQuartile)},
		Kernel1:   known(r.KernelRun.ConstructionSeconds), Validation: known(r.ValidateSeconds.Median),
	}
}

const giga = 1e9

// known returns a figure, and 0 for an unknown one, NaN. It does not round: the script does, once, as the tables do.
func known(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}

// versionsOf returns the versions of the program that made the runs, in the order of their first use.
func versionsOf(set *collect.Set) (all []Version) {
	counted := map[*record.Run]bool{} // a run of two kernels counts once
	for _, r := range slices.SortedStableFunc(slices.Values(set.Runs),
		func(a, b *collect.Run) int { return a.Began.Compare(b.Began) }) {
		program := r.Environment.Program
		const unknown = "an unknown program"
		v := lists.At(&all, func(v Version) bool { return v.program == program }, Version{program: program,
			Name: cmp.Or(program.String(), unknown), Commit: cmp.Or(program.Label(), unknown)})
		v.First, v.Last = min(cmp.Or(v.First, r.Day), r.Day), max(v.Last, r.Day)
		if !counted[r.Run] {
			counted[r.Run], v.Runs = true, v.Runs+1
		}
	}
	return all
}

// scaling is a series of points over its units, as the script draws it.
type scaling struct {
	Kernel  string             `json:"kernel"`  // BFS or SSSP
	Machine int                `json:"machine"` // index
	Label   string             `json:"label"`
	Unit    string             `json:"unit"` // rank, GPU, node or core
	Points  list[scalingPoint] `json:"points"`
	Lost    list[string]       `json:"lost"`   // planned sizes without a valid run, with the reason
	OneRun  string             `json:"oneRun"` // that intervals lack the variation between runs, "" if they do not
}

// scalingPoint is a point of a series.
type scalingPoint struct {
	Units      int        `json:"units"`
	Ideal      float64    `json:"ideal"`      // GTEPS, if each unit were as fast as one of the baseline
	Predicted  float64    `json:"predicted"`  // GTEPS, by package model; 0 without a prediction
	Efficiency [3]float64 `json:"efficiency"` // in percent, with the bounds of its interval; these are 0 without one
	Runs       list[int]  `json:"runs"`       // indices
}

// scalingsOf returns the series of a set. at has the index of each run.
func scalingsOf(set *collect.Set, on machines, at map[*collect.Run]int) (all []scaling) {
	for _, s := range set.Series {
		one := scaling{Kernel: s.Kind.Kernel.Abbreviation(), Machine: on.index(s.Kind), Unit: s.Kind.Unit(),
			Label: on.labelOf(s), OneRun: s.OneRun()}
		predictions, _ := model.PredictionsOf(set, s)
		for i, p := range s.Points {
			e := p.Efficiency
			point := scalingPoint{Units: p.Units, Ideal: known(s.Ideal(p.Units) / giga)}
			if len(predictions) > 0 { // first for the points, in their order
				point.Predicted = known(predictions[i].TEPS() / giga)
			}
			point.Efficiency[0] = known(100 * e.Value)
			if e.Low != nil {
				point.Efficiency[1], point.Efficiency[2] = known(100**e.Low), known(100**e.High)
			}
			for _, r := range p.Runs {
				point.Runs = append(point.Runs, at[r])
			}
			one.Points = append(one.Points, point)
		}
		for _, l := range s.Lost {
			one.Lost = append(one.Lost, fmt.Sprintf("%s at scale %d: %s", collect.Count(l.Units, one.Unit), l.Scale, l.Why))
		}
		all = append(all, one)
	}
	return all
}

// labelOf names a series next to its line: the machine if there are several, the scale, and what is unusual.
func (m machines) labelOf(s collect.Series) string {
	parts := []string{fmt.Sprintf("scale %d", s.Scale)}
	if s.Scaling == scale.Weak {
		parts[0] += " per " + s.Kind.Unit()
	}
	if len(m.names) > 1 {
		parts = slices.Insert(parts, 0, m.names[m.index(s.Kind)])
	}
	if s.Kind.Prune != "" {
		parts = append(parts, "pruned")
	}
	if unusual := s.Kind.Unusual(); unusual != "" {
		parts = append(parts, unusual)
	}
	return strings.Join(parts, ", ")
}

// efficiencyOf describes the efficiency at the largest size of a machine's series of a kernel and a scaling, with its
// interval; "" without a series. Of series of one size the one with the highest rate counts.
func efficiencyOf(series []collect.Series, of collect.Kind, scaling string) string {
	last := func(s collect.Series) collect.Point { return s.Points[len(s.Points)-1] }
	series = lists.Where(series, func(s collect.Series) bool {
		return s.Kind.Machine == of.Machine && s.Kind.Kernel == of.Kernel && s.Kind.Prune == of.Prune &&
			s.Kind.Unusual() == of.Unusual() && s.Scaling == scaling && len(s.Points) > 1
	})
	if len(series) == 0 {
		return ""
	}
	s := slices.MaxFunc(series, func(a, b collect.Series) int {
		p, q := last(a), last(b)
		return cmp.Or(p.Units-q.Units, cmp.Compare(p.TEPS.Median, q.TEPS.Median))
	})
	p, unit, interval := last(s), s.Kind.Unit(), last(s).Efficiency.Interval()
	if min(len(p.Runs), len(s.Baseline().Runs)) < 2 {
		interval += " from one run per size"
	}
	return fmt.Sprintf("%s scaling: efficiency %s on %s, scale %d (95%% interval: %s), relative to %s", scaling,
		collect.Percent(p.Efficiency.Value), collect.Count(p.Units, unit), p.Scale, interval,
		collect.Count(s.Baseline().Units, unit))
}

// trace is the levels of one run: of the mean search, and of single searches.
type trace struct {
	Views list[view] `json:"views"`
}

// view is one search by step. Times are in microseconds.
type view struct {
	Name    string     `json:"name"`
	Seconds float64    `json:"us"`
	Steps   list[step] `json:"steps"`
}

// step is one step of a search.
type step struct {
	Name     string       `json:"name"`
	Variant  string       `json:"variant,omitempty"`
	Frontier float64      `json:"frontier,omitempty"`
	Seconds  float64      `json:"us"`
	Searches int          `json:"n"`               // that have the step
	Last     *[2]int      `json:"last,omitempty"`  // the rank that is last in more than half, and in how many
	Ranks    [][4]float64 `json:"ranks,omitempty"` // see shownRanks; nil on one rank
}

// traceOf returns the trace of a run; false without one.
func traceOf(r *collect.Run) (t trace, traced bool) {
	searches := r.Traced()
	if len(searches) == 0 {
		return t, false
	}
	slices.SortFunc(searches, func(a, b record.Search) int { return cmp.Compare(a.Seconds, b.Seconds) })
	t.Views = append(t.Views, viewOf(fmt.Sprintf("mean of %d searches", len(searches)), r.Kernel, searches...))
	median, slowest := searches[(len(searches)-1)/2], searches[len(searches)-1]
	if len(searches) > 2 {
		t.Views = append(t.Views, viewOf(fmt.Sprintf("median search (key %d)", median.Key), r.Kernel, median))
	}
	if len(searches) > 1 {
		t.Views = append(t.Views, viewOf(fmt.Sprintf("slowest search (key %d)", slowest.Key), r.Kernel, slowest))
	}
	return t, true
}

// viewOf returns the mean of searches.
func viewOf(name string, kernel record.Kernel, searches ...record.Search) view {
	total := lists.Sum(searches, func(s record.Search) float64 { return s.Seconds })
	v := view{Name: name, Seconds: micro(total / float64(len(searches)))}
	for _, l := range record.MeanOf(kernel, searches...) {
		v.Steps = append(v.Steps, step{Name: l.Name, Variant: l.Variant, Frontier: math.Round(l.Frontier.Mean),
			Seconds: micro(l.Seconds), Searches: l.Searches, Last: l.Last, Ranks: shownRanks(l.Ranks)})
	}
	return v
}

// mostRanks is the maximum number of ranks of a step in the page.
const mostRanks = 16

// shownRanks returns the number of each rank and its times of computing, exchanging and waiting. Of many ranks it
// returns some, evenly spread between the one that waits least and the one that waits most.
func shownRanks(means [][3]float64) (shown [][4]float64) {
	var order []int
	for r := range means {
		order = append(order, r)
	}
	if n := len(order); n > mostRanks {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(means[a][2], means[b][2]) })
		for i := range mostRanks {
			order[i] = order[i*(n-1)/(mostRanks-1)]
		}
		order = order[:mostRanks]
	}
	for _, r := range order {
		t := means[r]
		shown = append(shown, [4]float64{float64(r), micro(t[0]), micro(t[1]), micro(t[2])})
	}
	return shown
}

// micro converts seconds to microseconds with two decimals.
func micro(seconds float64) float64 { return math.Round(1e8*seconds) / 100 }
