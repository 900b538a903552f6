// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"math"

	"g500/analysis/collect"
	"g500/internal/output"
	"g500/record"
)

// trusted is the largest relative error of the predictions that ComparedWith shows.
const trusted = 0.2

// ComparedWith returns a table of predicted and measured searches of a series of breadth-first searches on peer GPUs,
// and for its lost sizes. The predictions rest on the set's traced runs of one GPU and of two. They must be within 20%
// of every other point, and there must be one: otherwise the table has no rows, and the sentence has the reason.
// Without such runs both are empty.
func ComparedWith(set *collect.Set, s collect.Series) (t output.Table, why string) {
	m, err := New(set)
	if err != nil || m.peers == nil || s.Kind.Kernel != record.BFS || s.Kind.Settings() != "" {
		return t, ""
	}
	t = output.Table{Title: collect.Capital(s.String()) + ": predicted from traced runs of one and two GPUs",
		Note: "Times of a search. Predictions are within 20% of each point that they do not rest on.",
		Head: []string{"GPUs", "scale", "measured", "predicted", "off", "GTEPS, predicted"}}
	tested := 0
	for _, p := range s.Points {
		steps := stepsOf(p.Typical)
		if steps != nil && steps.far {
			return output.Table{}, ""
		}
		predicted, err := m.Predict(p.Ranks, float64(p.Scale), nil)
		if err != nil {
			return output.Table{}, ""
		}
		mean := p.Typical.Seconds.Mean
		off := predicted.Sum().Seconds()/mean - 1
		if !m.restsOn(p) {
			tested++
			if math.Abs(off) > trusted {
				return output.Table{}, fmt.Sprintf("no predictions: the model is off by %s at %v", collect.Percent(off), p)
			}
		}
		t.Row(p.Ranks, p.Scale, record.FormatSeconds(mean), record.FormatSeconds(predicted.Sum().Seconds()),
			collect.Percent(off), collect.GTEPS(predicted.TEPS()))
	}
	if tested == 0 {
		return output.Table{}, "no predictions: they need a point that the model does not rest on, to test it"
	}
	for _, l := range s.Lost {
		if predicted, err := m.Predict(l.Units, float64(l.Scale), nil); err == nil && s.Kind.Unit() == "GPU" {
			t.Row(l.Units, l.Scale, "", record.FormatSeconds(predicted.Sum().Seconds()), "", collect.GTEPS(predicted.TEPS()))
		}
	}
	return t, ""
}

// restsOn reports whether the model has runs of a point.
func (m *Model) restsOn(p collect.Point) bool {
	for _, s := range append(m.one[:len(m.one):len(m.one)], m.peers) {
		if s.run.Ranks == p.Ranks && s.run.Scale == p.Scale {
			return true
		}
	}
	return false
}
