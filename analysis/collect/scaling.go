// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"g500/analysis/scale"
	"g500/internal/output"
)

// ScalingTables returns two tables for each series: its efficiency, and its figures per unit. Tables of studies have 80
// columns, except for long reasons of lost sizes.
func (s *Set) ScalingTables() (tables []output.Table) {
	for _, series := range s.Series {
		tables = append(tables, series.EfficiencyTable(), series.unitTable())
	}
	return tables
}

// sizeHead returns the heads of the columns of a size.
func (s Series) sizeHead() []string {
	if s.Scaling == scale.Strong {
		return []string{s.Kind.Unit() + "s"}
	}
	return []string{s.Kind.Unit() + "s", "scale"}
}

// size returns the cells of a size.
func (s Series) size(units, scale int) []any { return []any{units, scale}[:len(s.sizeHead())] }

// title names the series with its kind, without a study that has the name of its scaling.
func (s Series) title() string {
	if s.Kind.Study == s.Scaling {
		s.Kind.Study = ""
	}
	return Capital(s.String()) + ": " + s.Kind.String()
}

// EfficiencyTable has a row for each point, with its speed-up and efficiency, and for each lost size.
func (s Series) EfficiencyTable() output.Table {
	head := append(s.sizeHead(), "runs", "GTEPS", "spread", "speed-up", "efficiency", "95% interval")
	t := output.Table{Title: s.title(), Note: s.note()}
	mixed := len(s.Programs()) > 1
	if mixed {
		t.Words, head = 1, append([]string{"program"}, head...)
	}
	t.Head = head
	lost := s.Lost
	for _, p := range s.Points {
		for len(lost) > 0 && lost[0].Units < p.Units {
			t.Row(s.lostRow(lost[0])...)
			lost = lost[1:]
		}
		runs, spread := fmt.Sprint(len(p.Runs)), ""
		if len(p.Runs) < s.Repeats {
			runs += fmt.Sprintf(" of %d", s.Repeats)
		}
		if len(p.Runs) > 1 {
			spread = Percent((p.TEPS.Max - p.TEPS.Min) / p.TEPS.Median)
		}
		row := append(s.size(p.Units, p.Scale), runs, GTEPS(p.TEPS.Median), spread, Digits(p.Speedup.Value),
			Percent(p.Efficiency.Value), p.Efficiency.Interval())
		if mixed {
			row = append([]any{p.Program}, row...)
		}
		t.Row(row...)
	}
	for _, l := range lost {
		t.Row(s.lostRow(l)...)
	}
	return t
}

// lostRow returns the cells of a lost size: a sentence over the columns of figures has the reason.
func (s Series) lostRow(l Lost) []any {
	return append(s.size(l.Units, l.Scale), fmt.Sprintf("0 of %d", s.Repeats), l.Why)
}

// note names the baseline and limits of the intervals.
func (s Series) note() string {
	note := fmt.Sprintf("Efficiency is TEPS per %s divided by the baseline's, %s.", s.Kind.Unit(), s.baselineName(inGTEPS))
	if slices.ContainsFunc(s.Points, func(p Point) bool { return len(p.Runs) > 1 }) {
		note += " GTEPS is the median of the runs, and spread their range in percent of it."
	}
	if n := len(s.Programs()); n > 1 {
		note += fmt.Sprintf(" The points are of %d versions of the program, which may cause part of a difference.", n)
	}
	note += s.OneRun()
	if slices.ContainsFunc(s.Points, func(p Point) bool { return p.Efficiency.Interval() == ByRuns.TooFew() }) {
		note += " More repeats narrow an interval of too few runs."
	}
	return note
}

// OneRun returns the sentence, after a blank, that intervals lack the variation between runs; "" if all points have
// several runs.
func (s Series) OneRun() string {
	if slices.ContainsFunc(s.Points, func(p Point) bool { return len(p.Runs) < 2 }) {
		return " The interval of a point with one run, or whose baseline has one, lacks the variation between runs."
	}
	return ""
}

// unitTable has a row for each point: rates per unit, kernel 1, validation, and energy if the runs measured it. Columns
// without any figure are left out.
func (s Series) unitTable() output.Table {
	t := output.Table{Title: s.title() + ", per unit"}
	figures := []struct {
		head, means string
		text        func(Point) string
	}{
		{"per GPU", "GTEPS per GPU", func(p Point) string { return gtepsOrNone(p.Per().GPU) }},
		{"per core", "GTEPS per core that computes", func(p Point) string { return gtepsOrNone(p.Per().Core) }},
		{"per node", "GTEPS per node", func(p Point) string { return gtepsOrNone(p.Per().Node) }},
		{"kernel 1", "time of kernel 1", func(p Point) string { return secondsOrNone(p.Construction.Median) }},
		{"validation", "time of a search's validation", func(p Point) string { return secondsOrNone(p.Validation.Median) }},
		{"joules", "energy of a search", func(p Point) string { return digitsOrNone(p.Per().Joules) }},
	}
	var columns []string
	t.Head, t.Rows = s.sizeHead(), make([][]string, len(s.Points))
	for i, p := range s.Points {
		t.Rows[i] = output.Cells(s.size(p.Units, p.Scale)...)
	}
	for _, f := range figures {
		cells := make([]string, len(s.Points))
		for i, p := range s.Points {
			cells[i] = f.text(p)
		}
		if cmp.Or(cells...) == "" {
			continue
		}
		t.Head, columns = append(t.Head, f.head), append(columns, f.means)
		for i := range t.Rows {
			t.Rows[i] = append(t.Rows[i], cells[i])
		}
	}
	t.Note = "Medians of the runs: " + strings.Join(columns, ", ") + "."
	return t
}

func gtepsOrNone(teps float64) string { return digitsOrNone(teps / 1e9) }

// digitsOrNone is Digits, and "" for NaN.
func digitsOrNone(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return Digits(x)
}
