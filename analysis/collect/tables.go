// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"g500/analysis/scale"
	"g500/internal/lists"
	"g500/internal/output"
	"g500/record"
)

// SummaryTable has a row for each kind and number of ranks, of the scale with the highest rate.
func (s *Set) SummaryTable() output.Table {
	t := output.Table{
		Title: "Results",
		Note: "For each machine, setting and number of ranks the scale with the highest rate. Rates in GTEPS are harmonic " +
			"means over the searches of a run; times of a search and its validation are its medians. With several " +
			"runs each figure is their median.",
		Head: []string{"machine, engine", "ranks", "scale", "GTEPS", "median time", "kernel 1", "validation",
			"runs", "program"},
		Words: 1,
	}
	var best []Point
	for _, p := range s.Points {
		of := lists.At(&best, func(q Point) bool { return q.Kind == p.Kind && q.Ranks == p.Ranks }, p)
		if p.TEPS.Median > of.TEPS.Median {
			*of = p
		}
	}
	slices.SortStableFunc(best, func(a, b Point) int { return cmp.Compare(b.TEPS.Median, a.TEPS.Median) })
	for _, p := range best {
		t.Row(p.Kind, p.Ranks, p.Scale, GTEPS(p.TEPS.Median), record.FormatSeconds(p.Seconds.Median),
			secondsOrNone(p.Construction.Median), secondsOrNone(p.Validation.Median), len(p.Runs), p.Program)
	}
	return t
}

// RunTable has a row for each run.
func (s *Set) RunTable() output.Table {
	t := output.Table{
		Title: "Runs",
		Note: "Times and rates in GTEPS are of single searches, on the slowest rank; kernel 1 is the construction of " +
			"the graph.",
		Head: []string{"run", "machine, engine", "program", "started", "scale", "ranks", "verdict", "n", "GTEPS",
			"standard error", "median time", "quartiles", "kernel 1", "validation, median"},
		Words: 4,
	}
	for _, r := range s.Runs {
		kind := r.Kind
		kind.Study = "." // in the folder's name
		rate, deviation, median, quartiles, validation := "", "", "", "", ""
		if r.TEPS != nil {
			rate, deviation = GTEPS(r.TEPS.HarmonicMean), GTEPS(r.TEPS.HarmonicStddev)
			validation = record.FormatSeconds(r.ValidateSeconds.Median)
		}
		if x := r.Seconds; x != nil {
			median = record.FormatSeconds(x.Median)
			quartiles = record.FormatSeconds(x.FirstQuartile) + ", " + record.FormatSeconds(x.ThirdQuartile)
		}
		t.Row(r.Folder, kind, r.Environment.Program, Date(r.Day), r.Scale, r.Ranks, r.Status, len(r.Searches), rate,
			deviation, median, quartiles, secondsOrNone(r.KernelRun.ConstructionSeconds), validation)
	}
	return t
}

// ShortRunTable has the columns of RunTable that fit into 80.
func (s *Set) ShortRunTable() output.Table {
	all := s.RunTable()
	t := output.Table{Title: all.Title, Note: all.Note, Words: 2, Head: []string{"run", "verdict", "n", "GTEPS",
		"median time", "kernel 1"}, Rows: make([][]string, len(all.Rows))}
	for _, head := range t.Head {
		from := slices.Index(all.Head, head)
		for i, row := range all.Rows {
			t.Rows[i] = append(t.Rows[i], row[from])
		}
	}
	return t
}

// LevelTable lists the time of the mean search by level; false if the point has no trace.
func (p Point) LevelTable() (t output.Table, traced bool) {
	steps := p.Typical.Levels
	if steps == nil {
		return t, false
	}
	rest := steps[len(steps)-1]
	t = output.Table{
		Title: fmt.Sprintf("Time by level: %v, %v", p.Kind, p),
		Note: fmt.Sprintf("Mean of the %d traced searches of %s; computing, exchanging and waiting are means over ranks.",
			rest.Searches, p.Typical.Name()),
		Head: []string{"step", "mostly", "searches", "time", "share", "computing", "exchanging", "waiting",
			"frontier, median", "smallest, largest"},
		Words: 2,
	}
	total := lists.Sum(steps, func(l record.MeanLevel) float64 { return l.Seconds })
	for _, l := range steps {
		median, bounds := "", ""
		if f := l.Frontier; f.Max > 0 {
			median, bounds = vertices(f.Median), vertices(f.Min)+", "+vertices(f.Max)
		}
		t.Row(l.Name, l.Step, l.Searches, record.FormatSeconds(l.Seconds), fmt.Sprintf("%.1f%%", 100*l.Seconds/total),
			secondsOrNone(l.Computing), secondsOrNone(l.Exchanging), secondsOrNone(l.Waiting), median, bounds)
	}
	return t, true
}

// FaultTable lists the runs that are not valid, with the reason; false if all are valid.
func (s *Set) FaultTable() (t output.Table, any bool) {
	t = output.Table{Title: "Runs that do not count", Head: []string{"run", "verdict"}, Words: 2}
	for _, r := range s.stored() {
		if r.Status != record.Valid {
			t.Row(r.Folder, r.Verdict())
		}
	}
	for _, sentence := range s.Unread {
		t.Row("", sentence)
	}
	return t, len(t.Rows) > 0
}

func secondsOrNone(x float64) string {
	if x == 0 {
		return ""
	}
	return record.FormatSeconds(x)
}

func vertices(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Tables returns all tables of the set, in the order of a report.
func (s *Set) Tables() []output.Table {
	tables := append([]output.Table{s.RunTable()}, s.ScalingTables()...)
	for _, p := range s.Points {
		if t, traced := p.LevelTable(); traced {
			tables = append(tables, t)
		}
	}
	return tables
}

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

// OneRun returns the sentence, after a blank, that intervals lack the variation between runs; "" if all have several.
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
		{"per GPU", "GTEPS per GPU", func(p Point) string { return GTEPS(p.Per().GPU) }},
		{"per core", "GTEPS per core that computes", func(p Point) string { return GTEPS(p.Per().Core) }},
		{"per node", "GTEPS per node", func(p Point) string { return GTEPS(p.Per().Node) }},
		{"kernel 1", "time of kernel 1", func(p Point) string { return secondsOrNone(p.Construction.Median) }},
		{"validation", "time of a search's validation", func(p Point) string { return secondsOrNone(p.Validation.Median) }},
		{"joules", "energy of a search", func(p Point) string { return Digits(p.Per().Joules) }},
	}
	var columns []string
	t.Head, t.Rows = s.sizeHead(), make([][]string, len(s.Points))
	for i, p := range s.Points {
		t.Rows[i] = output.Cells(s.size(p.Units, p.Scale)...)
	}
	for _, f := range figures {
		cells := lists.Of(s.Points, f.text)
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
