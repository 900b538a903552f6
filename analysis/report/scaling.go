// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"g500/analysis/collect"
	"g500/analysis/model"
	"g500/analysis/scale"
)

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
	series = slices.DeleteFunc(slices.Clone(series), func(s collect.Series) bool {
		return s.Kind.Machine != of.Machine || s.Kind.Kernel != of.Kernel || s.Kind.Prune != of.Prune ||
			s.Kind.Unusual() != of.Unusual() || s.Scaling != scaling || len(s.Points) < 2
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
