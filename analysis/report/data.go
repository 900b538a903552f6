package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"g500/analysis/collect"
	"g500/record"
)

// Data is the runs of a set as the page's script reads them. Rates are in GTEPS, times in seconds.
type Data struct {
	Machines list[string]  `json:"machines"`
	Programs list[Program] `json:"programs"`
	Runs     list[run]     `json:"runs"`
	Traces   list[trace]   `json:"traces"`
}

// list is a slice that JSON has as an array also if it is nil, because scripts cannot iterate over null.
type list[T any] []T

// MarshalJSON writes the array.
func (l list[T]) MarshalJSON() ([]byte, error) { return json.Marshal(append([]T{}, l...)) }

// Program is a version of the program, with the dates of its first and last run.
type Program struct {
	Name   string `json:"name"`
	Commit string `json:"commit"` // or the name, if it has none
	First  string `json:"first"`
	Last   string `json:"-"`
	Runs   int    `json:"runs"`
}

// run is one kernel of a run.
type run struct {
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
	Date    string `json:"date"`

	Searches   int        `json:"n"`
	Rate       float64    `json:"rate"`  // harmonic mean
	Error      float64    `json:"error"` // standard error of the rate
	Median     float64    `json:"median"`
	Quartiles  [2]float64 `json:"quartiles"` // of the time of a search
	Kernel1    float64    `json:"kernel1"`
	Validation float64    `json:"validation"`
	Trace      *int       `json:"trace,omitempty"` // index
}

// dataOf returns the valid runs of a set, and their traces.
func dataOf(set *collect.Set) *Data {
	points := set.Points()
	machines := machinesOf(points)
	d := &Data{Machines: namesOf(machines), Programs: programsOf(set)}
	newest := map[*collect.Run]bool{}
	for _, p := range points {
		for _, r := range p.Runs {
			newest[r] = true
		}
	}
	for _, r := range set.Runs {
		if r.Statistics().TEPS == nil {
			continue
		}
		one := d.run(r)
		one.Machine, one.Newest = slices.Index(machines, r.Kind.Machine), newest[r]
		if t, traced := traceOf(r); traced {
			at := len(d.Traces)
			one.Trace, d.Traces = &at, append(d.Traces, t)
		}
		d.Runs = append(d.Runs, one)
	}
	return d
}

func (d *Data) run(r *collect.Run) run {
	st := r.Statistics()
	return run{
		Folder: r.Folder, Kernel: r.Kernel.Abbreviation(),
		Program: slices.IndexFunc(d.Programs, func(p Program) bool { return p.Name == programOf(r) }),
		Prune:   r.Kind.Prune, Units: units(r.Kind, r.Ranks), Setting: otherSetting(r), Bits: r.ResultBits,
		Threads: r.Ranks * r.Kind.Threads,
		Scale:   r.Scale, Ranks: r.Ranks, Date: r.Day(), Searches: len(r.Searches),
		Rate: digits(st.TEPS.HarmonicMean / giga), Error: digits(st.TEPS.HarmonicStddev / giga),
		Median:    digits(st.Seconds.Median),
		Quartiles: [2]float64{digits(st.Seconds.FirstQuartile), digits(st.Seconds.ThirdQuartile)},
		Kernel1:   digits(r.KernelRun.ConstructionSeconds), Validation: digits(st.ValidateSeconds.Median),
	}
}

const giga = 1e9

// digits rounds to four digits, which keeps the page small.
func digits(x float64) float64 {
	if x == 0 {
		return 0
	}
	power := math.Pow10(3 - int(math.Floor(math.Log10(math.Abs(x)))))
	return math.Round(x*power) / power
}

// units describes the ranks of a run: GPUs, or ranks with their threads.
func units(k collect.Kind, ranks int) string {
	if k.Threads == 0 {
		return collect.Count(ranks, "GPU")
	}
	threads := collect.Count(k.Threads, "thread")
	if ranks == 1 {
		return threads
	}
	return collect.Count(ranks, "rank") + " of " + threads
}

// setting describes the settings of a kind that are not the defaults, and another edge factor.
func setting(k collect.Kind) string {
	k.Study, k.Machine, k.Engine, k.Kernel, k.Threads = ".", "", "", record.BFS, 0
	return k.String()
}

// otherSetting is setting without the width of the result.
func otherSetting(r *collect.Run) string {
	bits := fmt.Sprintf("%d-bit results", r.ResultBits)
	return strings.Trim(strings.Replace(setting(r.Kind), bits, "", 1), ", ")
}

// programsOf returns the versions of the program that made the runs, the newest last.
func programsOf(set *collect.Set) (all []Program) {
	for _, name := range set.Programs() {
		p := Program{Name: name, Commit: commitOf(name)}
		for _, r := range set.Runs {
			if programOf(r) == name {
				p.First, p.Last, p.Runs = min(cmp.Or(p.First, r.Day()), r.Day()), max(p.Last, r.Day()), p.Runs+1
			}
		}
		all = append(all, p)
	}
	return all
}

func programOf(r *collect.Run) string { return cmp.Or(r.Environment.Program, collect.UnknownProgram) }

var commit = regexp.MustCompile(` \(commit (\S+)\)`)

// commitOf returns the commit in the name of a program, or the version if the commit is unknown.
func commitOf(program string) string {
	if found := commit.FindStringSubmatch(program); found != nil && found[1] != "unknown" {
		return found[1]
	}
	return commit.ReplaceAllString(program, "")
}
