package compare

import (
	"fmt"
	"io"
	"slices"

	"g500/analysis/collect"
	"g500/internal/output"
	"g500/record"
)

// WriteText writes a text table, and the notes.
func (c *Comparison) WriteText(w io.Writer) error {
	t := output.Table{
		Title: "Harmonic mean of B over the harmonic mean of A",
		Note: fmt.Sprintf("The interval has a confidence of %.4g%%; n counts runs and searches, and values of the "+
			"interval.\n%s", 100*c.Confidence, c.Rule()),
		Words: 2,
		Head: []string{"A's machine, engine", "kernel", "scale", "ranks", "A", "n", "B", "n", "difference", "interval", "by",
			"n", "verdict"},
	}
	for _, p := range c.Points {
		t.Row(p.A.Kind, p.Kernel, p.Scale, p.Ranks, record.FormatTEPS(p.A.TEPS), p.A.n(), record.FormatTEPS(p.B.TEPS),
			p.B.n(), signed(p.Percent), p.Interval(signed), p.Method, p.N, p.Says)
	}
	if _, err := fmt.Fprint(w, t.Text()); err != nil {
		return err
	}
	for _, sentence := range slices.Concat(c.OnlyA, c.OnlyB) {
		fmt.Fprintf(w, "not compared: %s\n", sentence)
	}
	for _, sentence := range c.Notes {
		fmt.Fprintf(w, "note: %s\n", sentence)
	}
	return nil
}

func signed(percent float64) string { return fmt.Sprintf("%+.1f%%", percent) }

// Interval formats the interval by a function for each bound.
func (p Point) Interval(format func(percent float64) string) string {
	switch {
	case p.Low == nil:
		return "none"
	case p.Says == Ambiguous && collect.TooWide(100+*p.Low, 100+*p.High):
		return p.Method.TooFew()
	}
	return format(*p.Low) + " to " + format(*p.High)
}

func (s Side) n() string { return fmt.Sprintf("%d, %d", s.Runs, s.Searches) }

// Format counts incompatible changes of the JSON.
const Format = 1

// WriteJSON writes the comparison, with rates in TEPS.
func (c *Comparison) WriteJSON(w io.Writer) error { return output.Document(w, Format, c) }

// WriteCSV writes one row per point, with rates in TEPS. Bounds are empty without an interval.
func (c *Comparison) WriteCSV(w io.Writer) error {
	rows := [][]string{{"kernel", "scale", "edgefactor", "ranks", "a", "a_runs", "a_searches", "a_harmonic_mean_teps",
		"b", "b_runs", "b_searches", "b_harmonic_mean_teps",
		"difference_percent", "confidence", "low_percent", "high_percent", "method", "verdict",
		"n", "same_percent"}}
	for _, p := range c.Points {
		rows = append(rows, output.Cells(p.Kernel, p.Scale, p.EdgeFactor, p.Ranks,
			p.A.Kind, p.A.Runs, p.A.Searches, p.A.TEPS, p.B.Kind, p.B.Runs, p.B.Searches, p.B.TEPS,
			p.Percent, c.Confidence, p.Low, p.High, p.Method, p.Says, p.N, c.Same))
	}
	return output.CSV(w, rows)
}
