// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"io"
	"maps"
	"math"
	"slices"

	"g500/analysis/scale"
	"g500/internal/lists"
	"g500/internal/output"
	"g500/record"
)

var csvHeader = []string{
	"folder", "study", "machine", "engine", "kernel", "prune", "variant", "result_bits", "transport", "nodes", "threads",
	"program", "started", "scale", "edgefactor", "ranks", "status", "reason", "searches",
	"harmonic_mean_teps", "standard_error_teps", "min_teps", "firstquartile_teps", "median_teps", "thirdquartile_teps",
	"max_teps",
	"min_seconds", "firstquartile_seconds", "median_seconds", "thirdquartile_seconds", "max_seconds",
	"graph_generation_seconds", "construction_seconds", "median_validate_seconds",
	"units", "unit", "teps_per_gpu", "teps_per_core", "teps_per_node", "joules_per_search",
	"teps_per_watt", "point_runs", "point_teps",
	"strong_speedup", "strong_efficiency", "strong_efficiency_low", "strong_efficiency_high", "strong_baseline",
	"weak_speedup", "weak_efficiency", "weak_efficiency_low", "weak_efficiency_high", "weak_baseline",
}

// WriteCSV writes one row per run, in base units. Cells are empty if the figure is undefined for the run. Only the
// typical run of each point has the number of the point's runs and the median of their rates.
func (s *Set) WriteCSV(w io.Writer) error {
	return output.CSV(w, append([][]string{csvHeader}, lists.Of(s.Runs, s.row)...))
}

// row returns the cells of a run in the columns of csvHeader.
func (s *Set) row(r *Run) []string {
	e := r.Environment
	row := output.Cells(r.Folder, r.Kind.Study, r.Kind.Machine, r.Kind.Engine, r.Kernel.Abbreviation(), r.Kind.Prune,
		r.Kind.Settings(), r.ResultBits, e.Transport, r.Nodes, e.Threads, e.Program, e.Started, r.Scale, r.EdgeFactor,
		r.Ranks, r.Status, r.Reason, len(r.Searches))
	rates, times, validation := make([]string, 7), make([]string, 5), ""
	if t := r.TEPS; t != nil {
		rates = output.Cells(t.HarmonicMean, t.HarmonicStddev, t.Min, t.FirstQuartile, t.Median, t.ThirdQuartile, t.Max)
		validation = output.Number(r.ValidateSeconds.Median)
	}
	if t := r.Seconds; t != nil {
		times = output.Cells(t.Min, t.FirstQuartile, t.Median, t.ThirdQuartile, t.Max)
	}
	row = slices.Concat(row, rates, times, output.Cells(r.GenerationSeconds, r.KernelRun.ConstructionSeconds, validation))
	perWatt := math.NaN()
	if r.Power != nil && r.Power.Refused == "" {
		perWatt = r.Power.TEPSPerWatt
	}
	row = append(row, output.Cells(r.Units, r.Kind.Unit(), r.Per.GPU, r.Per.Core, r.Per.Node, r.Per.Joules, perWatt)...)
	return slices.Concat(row, s.pointCells(r), s.scalingCells(r, scale.Strong), s.scalingCells(r, scale.Weak))
}

// pointCells returns the number of runs and the median rate of the point whose typical run this is.
func (s *Set) pointCells(r *Run) []string {
	for i := range s.Points {
		for p := &s.Points[i]; p != nil; p = p.Before {
			if p.Typical == r {
				return output.Cells(len(p.Runs), p.TEPS.Median)
			}
		}
	}
	return make([]string, 2)
}

// scalingCells returns the speed-up and the efficiency of the run's point in its series of one scaling, with the name
// of the baseline. All are empty for a run of another program than the point's.
func (s *Set) scalingCells(r *Run, scaling string) []string {
	for _, series := range s.Series {
		if p := series.pointOf(r); series.Scaling == scaling && p != nil {
			e := p.Efficiency
			return output.Cells(p.Speedup.Value, e.Value, e.Low, e.High, series.BaselineName())
		}
	}
	return make([]string, 5)
}

// Everything returns CSV files with every figure of every run, by their names: a row per run and kernel, per search,
// and per step of a traced search.
func (s *Set) Everything() map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		"all-runs.csv": s.writeAllRuns, "all-searches.csv": s.writeAllSearches, "all-steps.csv": s.writeAllSteps,
	}
}

// writeAllRuns writes the rows of WriteCSV, each followed by the other members of the run's JSON in alphabetical order:
// a member with the name of a column has that column's value, and readers of tables need one column per name.
func (s *Set) writeAllRuns(w io.Writer) error {
	of, paths := make([]map[string]string, len(s.Runs)), map[string]bool{}
	for i, run := range s.Runs {
		members, err := run.Members(run.Kernel)
		if err != nil {
			return err
		}
		for path := range members {
			paths[path] = true
		}
		of[i] = members
	}
	for _, column := range csvHeader {
		delete(paths, column)
	}
	columns := slices.Sorted(maps.Keys(paths))
	rows := [][]string{slices.Concat(csvHeader, columns)}
	for i, run := range s.Runs {
		row := s.row(run)
		for _, path := range columns {
			row = append(row, of[i][path])
		}
		rows = append(rows, row)
	}
	return output.CSV(w, rows)
}

func (s *Set) writeAllSearches(w io.Writer) error {
	rows := [][]string{slices.Concat([]string{"folder", "kernel", "prune"}, record.SearchColumns)}
	for _, run := range s.Runs {
		name := []string{run.Folder, string(run.Kernel), run.Pruning()}
		for _, search := range run.Searches {
			rows = append(rows, slices.Concat(name, search.Cells(run.Status == record.Valid)))
		}
	}
	return output.CSV(w, rows)
}

func (s *Set) writeAllSteps(w io.Writer) error {
	rows := [][]string{{"folder", "kernel", "prune", "key", "number", "step", "variant", "frontier", "edges", "seconds",
		"ranks"}}
	for _, run := range s.Runs {
		for _, search := range run.Searches {
			for i, step := range search.Trace {
				var ranks []byte
				if step.Ranks != nil {
					var err error
					if ranks, err = output.JSONLine(step.Ranks); err != nil {
						return err
					}
				}
				rows = append(rows, output.Cells(run.Folder, run.Kernel, run.Pruning(), search.Key, i, step.Step, step.Variant,
					step.Frontier, step.Edges, step.Seconds, string(ranks)))
			}
		}
	}
	return output.CSV(w, rows)
}

// ScalingFormat counts incompatible changes of the JSON.
const ScalingFormat = 1

// WriteScaling writes the series of the set as JSON, with rates in TEPS.
func (s *Set) WriteScaling(w io.Writer) error { return output.Document(w, ScalingFormat, s.scaling()) }

// Scaling is the series of a set of runs.
type Scaling struct {
	Confidence float64      `json:"confidence"` // of each interval, as in 0.95
	Runs       int          `json:"runs"`
	Valid      int          `json:"valid_runs"`
	Series     []SeriesJSON `json:"series"`
	Left       []string     `json:"in_no_series"` // one sentence for each group of runs that no series has
	Unread     []string     `json:"unread"`       // one sentence for each run that cannot be read
}

// SeriesJSON is one kind of runs over sizes.
type SeriesJSON struct {
	Kernel   string      `json:"kernel"`  // BFS or SSSP
	Kind     string      `json:"kind"`    // machine, engine, settings
	Scaling  string      `json:"scaling"` // strong or weak
	Scale    int         `json:"scale"`   // of the graph; in weak scaling, of one unit's part
	Unit     string      `json:"unit"`    // rank, GPU, node or core
	Baseline string      `json:"baseline"`
	Points   []PointJSON `json:"points"`
	Lost     []Lost      `json:"lost"` // planned sizes without a valid run
}

// PointJSON is the valid runs of one size.
type PointJSON struct {
	Units        int      `json:"units"`
	Ranks        int      `json:"ranks"`
	Scale        int      `json:"scale"`
	Program      string   `json:"program"`
	Runs         int      `json:"runs"`
	Searches     int      `json:"searches"` // of all runs
	TEPS         Spread   `json:"teps"`     // of the runs' harmonic means
	Speedup      Estimate `json:"speedup"`
	Efficiency   Estimate `json:"efficiency"` // 1 if each unit is as fast as one of the baseline
	PerGPU       float64  `json:"teps_per_gpu"`
	PerCore      float64  `json:"teps_per_core"` // that computes
	PerNode      float64  `json:"teps_per_node"`
	Joules       float64  `json:"joules_per_search"` // null unless the runs measured it
	Construction Spread   `json:"construction_seconds"`
	Validation   Spread   `json:"validate_seconds"` // of the runs' median searches
}

// scaling returns the series of the set. Lists are not nil.
func (s *Set) scaling() Scaling {
	all, valid := s.Count()
	out := Scaling{Confidence: Confidence, Runs: all, Valid: valid, Series: []SeriesJSON{},
		Left: append([]string{}, lists.Of(s.OutsideScaling(), Left.String)...), Unread: append([]string{}, s.Unread...)}
	for _, series := range s.Series {
		one := SeriesJSON{Kernel: series.Kind.Kernel.Abbreviation(), Kind: series.Kind.String(), Scaling: series.Scaling,
			Scale: series.Scale, Unit: series.Kind.Unit(), Baseline: series.BaselineName(), Points: []PointJSON{},
			Lost: append([]Lost{}, series.Lost...)}
		for _, p := range series.Points {
			per := p.Per()
			one.Points = append(one.Points, PointJSON{p.Units, p.Ranks, p.Scale, p.Program.String(), len(p.Runs), p.Searches,
				p.TEPS, p.Speedup, p.Efficiency, per.GPU, per.Core, per.Node, per.Joules, p.Construction, p.Validation})
		}
		out.Series = append(out.Series, one)
	}
	return out
}
