// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"g500/analysis/collect"
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
		i := slices.IndexFunc(all, func(v Version) bool { return v.program == program })
		if i < 0 {
			const unknown = "an unknown program"
			i, all = len(all), append(all, Version{program: program, Name: cmp.Or(program.String(), unknown),
				Commit: cmp.Or(program.Label(), unknown)})
		}
		v := &all[i]
		v.First, v.Last = min(cmp.Or(v.First, r.Day), r.Day), max(v.Last, r.Day)
		if !counted[r.Run] {
			counted[r.Run], v.Runs = true, v.Runs+1
		}
	}
	return all
}
