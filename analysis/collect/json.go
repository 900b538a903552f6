// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"io"

	"g500/internal/output"
)

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
	out := Scaling{Confidence: Confidence, Runs: all, Valid: valid, Series: []SeriesJSON{}, Left: []string{},
		Unread: append([]string{}, s.Unread...)}
	for _, left := range s.OutsideScaling() {
		out.Left = append(out.Left, left.String())
	}
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
