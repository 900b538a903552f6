// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"slices"

	"g500/analysis/scale"
	"g500/record"
)

// Lost is a size of a study's plan without a valid run.
type Lost struct {
	Units  int    `json:"units"`
	Scale  int    `json:"scale"`
	Failed int    `json:"failed_runs"` // runs that are not valid
	Why    string `json:"reason"`      // why the first of them is not valid; NotRun if there is none
}

// NotRun is the reason of a size that has no run at all.
const NotRun = "not run yet"

// plan adds the plan of the series' study.
func (s *Set) plan(series *Series) {
	study, planned := s.studies[series.Kind.Study]
	if !planned || series.Kind.Study == "" {
		return
	}
	series.Repeats = study.Repeats
	for _, p := range study.Plan() {
		common, _ := seriesScale(series.Scaling, Point{Scale: p.Scale, Units: p.Units})
		if p.Repeat > 1 || common != series.Scale || !mayHave(p, series.Kind.Kernel) {
			continue
		}
		if lost := s.lost(p, series.Kind); lost != nil {
			series.Lost = append(series.Lost, *lost)
		}
	}
	slices.SortFunc(series.Lost, func(a, b Lost) int { return a.Units - b.Units })
}

// mayHave reports whether a planned run has a kernel. The configuration chooses it if the plan does not.
func mayHave(p scale.Planned, kernel record.Kernel) bool {
	return p.Kernel == "" || slices.Contains(record.Kernels(p.Kernel), kernel)
}

// lost returns the size of a planned run if it has no valid run of the kind's study and kernel, nil otherwise.
func (s *Set) lost(p scale.Planned, of Kind) *Lost {
	l := Lost{Units: p.Units, Scale: p.Scale, Why: NotRun}
	for _, r := range s.Runs {
		switch {
		case r.Kind.Study != of.Study || r.Scale != p.Scale || r.Units != p.Units:
		case r.TEPS == nil && (p.Kernel == "" || r.Kernel == of.Kernel):
			if l.Failed++; l.Failed == 1 {
				l.Why = r.Verdict()
			}
		case r.TEPS != nil && r.Kernel == of.Kernel:
			return nil
		}
	}
	return &l
}
