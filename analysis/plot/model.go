package plot

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"g500/analysis/model"
	"g500/record"
)

// OfModel draws a table of the model: TEPS of a GPU with each exchange scheme, and the time of a search by part with
// the best one. Their titles say that they are modelled.
func OfModel(s *model.Scaling) []*Picture {
	if len(s.Rows) < 2 {
		return nil
	}
	return []*Picture{ratesOfModel(s), partsOfModel(s)}
}

// machineOfModel names the assumptions.
func machineOfModel(s *model.Scaling) string {
	n := s.Profile.Network
	text := fmt.Sprintf("Modelled, not measured: nodes of %d H200s, network %s with %g GB/s a GPU and %g us (assumed). ",
		s.Profile.Node.Ranks, n.Name, n.GBs, n.Latency)
	var refused []string
	for _, r := range s.Rows {
		if len(r.Limits) > 0 {
			refused = append(refused, fmt.Sprint(r.Ranks))
		}
	}
	if len(refused) > 0 {
		text += fmt.Sprintf("Beyond the program's limits, and therefore hypothetical: %s GPUs. ", strings.Join(refused, ", "))
	}
	return text
}

// ratesOfModel draws TEPS of a GPU over ranks, one line per scheme except the slowest, bins.
func ratesOfModel(s *model.Scaling) *Picture {
	p := newPicture("model-rates", "Modelled: TEPS of a GPU by exchange", "GPUs", "TEPS a GPU")
	p.Caption = machineOfModel(s) + "Both axes are logarithmic."
	p.grid(false)
	var ranks []int
	for i, scheme := range []model.Scheme{model.Bitmap, model.Gaps, model.Queries, model.Hubs, model.Grid} {
		var points plotter.XYs
		for _, r := range s.Rows {
			points = append(points, plotter.XY{X: float64(r.Ranks), Y: r.Of(scheme).TEPS / float64(r.Ranks)})
		}
		p.line(i, nameOfScheme(scheme), points, nil)
	}
	for i, r := range s.Rows {
		if (len(s.Rows)-1-i)%2 == 0 {
			ranks = append(ranks, r.Ranks)
		}
	}
	logarithmic(&p.plot.Y, dense)
	counts(&p.plot.X, ranks)
	p.plot.X.Scale = plot.LogScale{}
	p.plot.X.Min /= 1.15
	p.plot.X.Max *= 1.15
	return p
}

func nameOfScheme(f model.Scheme) string {
	return map[model.Scheme]string{
		model.Bitmap:  "bitmap: all words, two-level",
		model.Gaps:    "gaps: new bits, two-level",
		model.Queries: "queries: replicated hub bitmap, and queries for the rest",
		model.Hubs:    "hubs: their bits, and pairs for the rest, two-level",
		model.Grid:    "grid: blocks of a 2-D partition",
	}[f]
}

// partsOfModel draws the time of a search by part, one bar per number of ranks, with the best scheme.
func partsOfModel(s *model.Scaling) *Picture {
	p := newPicture("model-parts", "Modelled: time of a search by part", "time of a search", "")
	p.Caption = machineOfModel(s) + "The best exchange scheme for each number of GPUs."
	p.grid(true)
	below := make(plotter.Values, len(s.Rows))
	for _, part := range []struct {
		name string
		tone tone
		of   func(model.Summary) float64
	}{
		{"computing", computingTone, func(c model.Summary) float64 { return c.Compute }},
		{"exchange inside a node", exchangingTone, func(c model.Summary) float64 { return c.Inside }},
		{"exchange between nodes", restTone, func(c model.Summary) float64 { return c.Between }},
		{"waiting in barriers", waitingTone, func(c model.Summary) float64 { return c.Wait }},
	} {
		var lengths plotter.Values
		for _, r := range s.Rows {
			lengths = append(lengths, part.of(r.Of(r.Best)))
		}
		p.stack(part.name, part.tone, lengths, below)
	}
	p.plot.Add(totals(below))
	var names []string
	for _, r := range s.Rows {
		names = append(names, fmt.Sprintf("%d, scale %d, %s: %s", r.Ranks, r.Scale, r.Best,
			record.FormatTEPS(r.Of(r.Best).TEPS)))
	}
	fromZero(&p.plot.X, "s", withNumbers)
	p.rows(names, barRow)
	return p
}
