// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"g500/analysis/collect"
	"g500/internal/output"
	"g500/record"
)

// trusted is the largest relative error of PredictionsOf a series.
const trusted = 0.2

// Compared is a point or a lost size of a series with its prediction.
type Compared struct {
	Prediction
	Measured float64 // mean seconds of a search, 0 for a lost size
}

// off returns the relative error of the prediction.
func (c Compared) off() float64 { return c.Sum().Seconds()/c.Measured - 1 }

// PredictionsOf returns the predictions for the points of a series of breadth-first searches on peer GPUs, in their
// order, and for its lost sizes. They rest on the set's traced runs of one GPU and of two. They must be within 20% of
// every other point, and there must be one: otherwise there are none, and the sentence has the reason. Without such
// runs both are empty.
func PredictionsOf(set *collect.Set, s collect.Series) (all []Compared, why string) {
	m, err := New(set)
	if err != nil || m.peers == nil || s.Kind.Kernel != record.BFS || s.Kind.Settings() != "" {
		return nil, ""
	}
	tested := 0
	for _, p := range s.Points {
		own := stepsOf(p.Typical)
		predicted, err := m.Predict(p.Ranks, float64(p.Scale), nil)
		if err != nil || own != nil && own.far {
			return nil, ""
		}
		c := Compared{predicted, p.Typical.Seconds.Mean}
		all = append(all, c)
		of := func(s *steps) bool { return s.run.Ranks == p.Ranks && s.run.Scale == p.Scale }
		if of(m.peers) || slices.ContainsFunc(m.one, of) { // the model rests on the point
			continue
		}
		if tested++; math.Abs(c.off()) > trusted {
			return nil, fmt.Sprintf("no predictions: the model is off by %s at %v", collect.Percent(c.off()), p)
		}
	}
	if tested == 0 {
		return nil, "no predictions: they need a point that the model does not rest on, to test it"
	}
	for _, l := range s.Lost {
		if predicted, err := m.Predict(l.Units, float64(l.Scale), nil); err == nil && s.Kind.Unit() == "GPU" {
			all = append(all, Compared{Prediction: predicted})
		}
	}
	return all, ""
}

// ComparedWith returns a table of PredictionsOf a series.
func ComparedWith(set *collect.Set, s collect.Series) (t output.Table, why string) {
	all, why := PredictionsOf(set, s)
	t = output.Table{Title: collect.Capital(s.String()) + ": predicted from traced runs of one and two GPUs",
		Note: "Times of a search. Predictions are within 20% of each point that they do not rest on.",
		Head: []string{"GPUs", "scale", "measured", "predicted", "off", "GTEPS, predicted"}}
	for _, c := range all {
		measured, off := "", ""
		if c.Measured > 0 {
			measured, off = record.FormatSeconds(c.Measured), collect.Percent(c.off())
		}
		t.Row(c.GPUs, c.Scale, measured, record.FormatSeconds(c.Sum().Seconds()), off, collect.GTEPS(c.TEPS()))
	}
	return t, why
}

// WriteText writes the runs that predictions rest on and a row per prediction, and if detailed a row per step.
func WriteText(w io.Writer, all []Prediction, detailed bool) error {
	t := output.Table{Named: true, Title: "Predicted from " + strings.Join(all[len(all)-1].From, ", "),
		Head: strings.Split("GPUs,scale,step,computes,reports,bits,received,pairs,received,search,TEPS,per GPU,link", ",")}
	for _, p := range all {
		for i, x := range append(p.Terms, p.Sum()) {
			cells := []string{strconv.Itoa(p.GPUs), fmt.Sprintf("%.4g", p.Scale), x.Step, record.FormatSeconds(x.Computes),
				record.FormatSeconds(x.Reports), record.FormatSeconds(x.Bits), record.FormatBytes(x.BytesOfBits),
				record.FormatSeconds(x.Pairs), record.FormatBytes(x.BytesOfPairs)}
			if i == len(p.Terms) {
				cells = append(cells, record.FormatSeconds(x.Seconds()), record.FormatTEPS(p.TEPS()),
					record.FormatTEPS(p.TEPS()/float64(p.GPUs)), p.Link+map[bool]string{true: ", queries"}[p.Query])
			}
			if detailed || i == len(p.Terms) {
				t.Rows = append(t.Rows, cells)
			}
		}
	}
	_, err := io.WriteString(w, t.Text())
	return err
}
