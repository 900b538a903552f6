package collect

import (
	"io"
	"slices"
	"strconv"

	"g500/analysis/scale"
	"g500/internal/output"
	"g500/record"
)

var csvHeader = []string{
	"folder", "study", "machine", "engine", "kernel", "prune", "variant", "result_bits", "transport", "nodes", "threads",
	"program", "started", "scale", "edgefactor", "ranks", "status", "reason", "searches",
	"harmonic_mean_teps", "standard_error_teps", "min_teps", "firstquartile_teps", "median_teps", "thirdquartile_teps",
	"max_teps",
	"min_seconds", "firstquartile_seconds", "median_seconds", "thirdquartile_seconds", "max_seconds",
	"graph_generation_seconds", "construction_seconds", "median_validate_seconds",
	"strong_efficiency", "strong_baseline", "weak_efficiency", "weak_baseline",
}

// WriteCSV writes one row per run, in base units. Cells are empty if the figure is undefined for the run.
func (s *Set) WriteCSV(w io.Writer) error {
	series := SeriesOf(s.Points())
	rows := [][]string{csvHeader}
	for _, run := range s.Runs {
		rows = append(rows, run.row(series))
	}
	return output.CSV(w, rows)
}

func (r *Run) row(series []Series) []string {
	e := r.Environment
	row := []string{
		r.Folder, r.Kind.Study, r.Kind.Machine, r.Kind.Engine, r.Kernel.Abbreviation(), r.Kind.Prune, r.Kind.Variant,
		strconv.Itoa(r.ResultBits), e.Transport, strconv.Itoa(r.nodes()), strconv.Itoa(e.Threads), e.Program, e.Started,
		strconv.Itoa(r.Scale), strconv.FormatInt(r.EdgeFactor, 10), strconv.Itoa(r.Ranks),
		string(r.Status), r.Reason, strconv.Itoa(len(r.Searches)),
	}
	st := r.Statistics()
	if t := st.TEPS; t != nil {
		row = append(row, cells(t.HarmonicMean, t.HarmonicStddev, t.Min, t.FirstQuartile, t.Median, t.ThirdQuartile,
			t.Max)...)
	} else {
		row = append(row, make([]string, 7)...)
	}
	if t := st.Seconds; t != nil {
		row = append(row, cells(t.Min, t.FirstQuartile, t.Median, t.ThirdQuartile, t.Max)...)
	} else {
		row = append(row, make([]string, 5)...)
	}
	row = append(row, cells(r.GenerationSeconds, r.KernelRun.ConstructionSeconds)...)
	validate := ""
	if st.ValidateSeconds != nil {
		validate = output.Number(st.ValidateSeconds.Median)
	}
	row = append(row, validate)
	for _, scaling := range []string{scale.Strong, scale.Weak} {
		efficiency, baseline := r.efficiency(scaling, series, st.TEPS)
		row = append(row, efficiency, baseline)
	}
	return row
}

// efficiency returns the efficiency of the run in its series of one scaling, and the name of the baseline; "" for a run
// of an older version than its point's, because the baseline is of another program.
func (r *Run) efficiency(scaling string, series []Series, teps *record.Rates) (efficiency, baseline string) {
	for _, s := range series {
		if s.Scaling == scaling && s.isOf(r) && teps != nil {
			return output.Number(s.Efficiency(teps.HarmonicMean, r.Ranks)), s.BaselineName()
		}
	}
	return "", ""
}

// nodes returns the number of nodes of the run's ranks.
func (r *Run) nodes() int {
	return len(slices.Compact(slices.Sorted(slices.Values(r.Environment.Nodes))))
}

// Cores returns the number of cores of the run's nodes, 0 if unknown.
func (r *Run) Cores() int { return r.Environment.Cores * max(r.nodes(), 1) }

func cells(x ...float64) []string {
	row := make([]string, len(x))
	for i := range x {
		row[i] = output.Number(x[i])
	}
	return row
}
