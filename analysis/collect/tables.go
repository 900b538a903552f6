package collect

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"g500/internal/output"
	"g500/record"
)

// Table is a table of a report.
type Table struct {
	Title string
	Note  string // sources of the figures, "" for none
	Head  []string
	Rows  [][]string
	Words int // number of columns with words, before those with figures
}

// SummaryTable has a row for each kind and number of ranks, of the scale with the highest rate.
func (s *Set) SummaryTable() Table {
	t := Table{
		Title: "Results",
		Note: "For each machine, setting and number of ranks the scale with the highest rate. Rates in GTEPS are harmonic " +
			"means over the searches of a run, or the median of several runs. Times of a search and its validation are medians.",
		Head: []string{"machine, engine", "ranks", "scale", "GTEPS", "median time", "kernel 1", "validation",
			"runs", "program"},
		Words: 1,
	}
	var best []Point
	for _, p := range s.Points() {
		i := slices.IndexFunc(best, func(q Point) bool { return q.Kind == p.Kind && q.Ranks == p.Ranks })
		if i < 0 {
			best = append(best, p)
		} else if p.TEPS.Median > best[i].TEPS.Median {
			best[i] = p
		}
	}
	slices.SortStableFunc(best, func(a, b Point) int { return cmp.Compare(b.TEPS.Median, a.TEPS.Median) })
	for _, p := range best {
		run := p.Typical()
		t.Rows = append(t.Rows, []string{
			p.Kind.String(), strconv.Itoa(p.Ranks), strconv.Itoa(p.Scale), GTEPS(p.TEPS.Median),
			record.FormatSeconds(run.Statistics().Seconds.Median), secondsOrNone(run.KernelRun.ConstructionSeconds),
			secondsOrNone(run.Statistics().ValidateSeconds.Median), strconv.Itoa(len(p.Runs)), p.Program(),
		})
	}
	return t
}

// RunTable has a row for each run.
func (s *Set) RunTable() Table {
	t := Table{
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
		row := []string{r.Folder, kind.String(), r.Environment.Program, Date(r.Day()), strconv.Itoa(r.Scale),
			strconv.Itoa(r.Ranks), string(r.Status), strconv.Itoa(len(r.Searches))}
		rates, validation := make([]string, 4), ""
		st := r.Statistics()
		if st.TEPS != nil {
			rates[0], rates[1] = GTEPS(st.TEPS.HarmonicMean), GTEPS(st.TEPS.HarmonicStddev)
			validation = record.FormatSeconds(st.ValidateSeconds.Median)
		}
		if x := st.Seconds; x != nil {
			rates[2] = record.FormatSeconds(x.Median)
			rates[3] = record.FormatSeconds(x.FirstQuartile) + ", " + record.FormatSeconds(x.ThirdQuartile)
		}
		t.Rows = append(t.Rows, append(append(row, rates...), secondsOrNone(r.KernelRun.ConstructionSeconds), validation))
	}
	return t
}

// ScalingTables returns a table for each series, with its baseline.
func (s *Set) ScalingTables() (tables []Table) {
	for _, series := range SeriesOf(s.Points()) {
		t := Table{
			Title: capital(series.String()) + ": " + series.Kind.String(),
			Note:  "Efficiency is TEPS per rank divided by the baseline's, " + series.baselineName(inGTEPS) + ".",
			Head: []string{"program", "ranks", "scale", "runs", "n", "GTEPS, median of runs",
				"smallest, largest run", "speed-up", "efficiency"},
			Words: 1,
		}
		if programs := series.Programs(); len(programs) > 1 {
			t.Note += fmt.Sprintf(" The points are of %d versions of the program, which may cause part of a difference.",
				len(programs))
		}
		for _, p := range series.Points {
			spread := ""
			if len(p.Runs) > 1 {
				spread = GTEPS(p.TEPS.Min) + ", " + GTEPS(p.TEPS.Max)
			}
			t.Rows = append(t.Rows, []string{
				p.Program(), strconv.Itoa(p.Ranks), strconv.Itoa(p.Scale), strconv.Itoa(len(p.Runs)), strconv.Itoa(p.Searches()),
				GTEPS(p.TEPS.Median), spread,
				Digits(series.Speedup(p.TEPS.Median)),
				Digits(100*series.Efficiency(p.TEPS.Median, p.Ranks)) + "%",
			})
		}
		tables = append(tables, t)
	}
	return tables
}

// LevelTable lists the time of the mean search by level; false if the point has no trace.
func (p Point) LevelTable() (t Table, traced bool) {
	run := p.Typical()
	steps := run.MeanLevels()
	if steps == nil {
		return t, false
	}
	rest := steps[len(steps)-1]
	t = Table{
		Title: fmt.Sprintf("Time by level: %v, %v", p.Kind, p),
		Note: fmt.Sprintf("Mean of the %d traced searches of run %s; computing, exchanging and waiting are means over ranks.",
			rest.Searches, run.Folder),
		Head: []string{"step", "mostly", "searches", "time", "share", "computing", "exchanging", "waiting",
			"frontier, median", "smallest, largest"},
		Words: 2,
	}
	total := 0.0
	for _, l := range steps {
		total += l.Seconds
	}
	for _, l := range steps {
		row := []string{l.Name, l.Step, strconv.Itoa(l.Searches), record.FormatSeconds(l.Seconds),
			fmt.Sprintf("%.1f%%", 100*l.Seconds/total)}
		for _, part := range []float64{l.Computing, l.Exchanging, l.Waiting} {
			row = append(row, secondsOrNone(part))
		}
		frontier := []string{"", ""}
		if l.Frontier.Max > 0 {
			frontier = []string{vertices(l.Frontier.Median), vertices(l.Frontier.Min) + ", " + vertices(l.Frontier.Max)}
		}
		t.Rows = append(t.Rows, append(row, frontier...))
	}
	return t, true
}

// FaultTable lists the runs that are not valid, with the reason; false if all are valid.
func (s *Set) FaultTable() (t Table, any bool) {
	t = Table{Title: "Runs that do not count", Head: []string{"run", "verdict"}, Words: 2}
	for _, r := range s.stored() {
		if r.Status != record.Valid {
			t.Rows = append(t.Rows, []string{r.Folder, r.Verdict()})
		}
	}
	for _, sentence := range s.Unread {
		t.Rows = append(t.Rows, []string{"", sentence})
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

func capital(s string) string { return string(s[0]-'a'+'A') + s[1:] }

// Tables returns all tables of the set, in the order of a report.
func (s *Set) Tables() []Table {
	tables := append([]Table{s.RunTable()}, s.ScalingTables()...)
	for _, p := range s.Points() {
		if t, traced := p.LevelTable(); traced {
			tables = append(tables, t)
		}
	}
	return tables
}

// Text formats the table for a terminal, with words aligned left and figures aligned right.
func (t Table) Text() string {
	var rows [][]string
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		rows = append(rows, append([]string{""}, row...)) // which indents the row
	}
	return fmt.Sprintf("%s\n%s\n%s", t.Title, t.Note, output.Aligned(rows, t.Words+1))
}
