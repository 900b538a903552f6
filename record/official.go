// SPDX-License-Identifier: Apache-2.0

package record

import (
	_ "embed" // official.gotmpl
	"fmt"
	"g500/internal/output"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// form is a form of the output block. The Graph500 reference code writes blanks in its keys and an exclamation mark
// next to the harmonic mean; the specification (section "Output") has underscores.
type form struct {
	spec    bool // also construction times and edge counts by kernel, and rates of kernels that the run does not have
	skipped bool // figures of 0 for a BFS that the run does not have
}

// prefix returns the beginning of a kernel's keys.
func (f form) prefix(k Kernel) string {
	if f.spec {
		return string(k) + "_"
	}
	return fmt.Sprintf("%-5s", k)
}

// notValidated has the statistics of the Graph500 reference code for 64 skipped validations.
var notValidated = Summary{
	NotValidated, NotValidated, NotValidated, NotValidated, NotValidated, NotValidated, 0,
}

// WriteOfficial writes the output block of the Graph500 reference code (end of src/main.c), equal to the last blank,
// for the kernels of the run. Both kernels share one group of edge counts. For an invalid or incomplete run it writes
// nothing and returns an error with the reason. The block of an unvalidated run has no edge counts and no TEPS. For a
// graph other than the official one, lines that describe it replace scale and edge factor. For shortest paths on a
// pruned graph the last line names the pruning.
func (r *Run) WriteOfficial(w io.Writer) error { return r.writeBlock(w, form{}) }

// WriteSpec writes the figures of WriteOfficial under the names of the specification. It adds the construction time of
// each kernel, which the specification allows, and, if there are rates, rates of 0 for a kernel that the run lacks.
func (r *Run) WriteSpec(w io.Writer) error { return r.writeBlock(w, form{spec: true}) }

// WriteWithoutBFS writes the block of WriteOfficial for a run of shortest paths, with figures of 0 for breadth-first
// search, which it skipped.
func (r *Run) WriteWithoutBFS(w io.Writer) error { return r.writeBlock(w, form{skipped: true}) }

//go:embed official.gotmpl
var officialText string

func (r *Run) writeBlock(w io.Writer, f form) error {
	if status, _ := r.verdict(); status == Invalid || status == Incomplete {
		return fmt.Errorf("record: no result block is written, the run is %s", r.Verdict())
	}
	kernels := r.settled().Kernels
	if f.skipped {
		none := new(Summary)
		kernels = slices.Insert(kernels, 0,
			KernelRun{Kernel: BFS, Statistics: Statistics{none, none, new(Rates), none, nil}})
	}
	var rated []KernelRun // the specification's form has rates of 0 for a kernel that the run lacks
	for _, kernel := range Kernels(Both) {
		i := slices.IndexFunc(kernels, func(k KernelRun) bool { return k.Kernel == kernel })
		if i >= 0 {
			rated = append(rated, kernels[i])
		} else if f.spec {
			rated = append(rated, KernelRun{Kernel: kernel, Statistics: Statistics{TEPS: new(Rates)}})
		}
	}
	functions := template.FuncMap{"line": line, "c": cFloat, "prefix": f.prefix, "summary": summaryLines,
		"rates": f.rates, "notValidated": func() *Summary { return &notValidated }}
	return output.FillIn(w, officialText, functions, struct {
		*Run
		Kernels, Rated []KernelRun
		HasRates, Spec bool
		Last           int // number of the last kernel
	}{r, kernels, rated, kernels[len(kernels)-1].Statistics.TEPS != nil, f.spec, len(kernels) - 1})
}

// line pads the key, with its colon, to column 32.
func line(key, value string) string { return fmt.Sprintf("%-32s%s\n", key, value) }

// summaryLines returns the seven lines of one quantity. digits is the number of significant digits.
func summaryLines(prefix, quantity string, s Summary, digits int) string {
	return quartiles(prefix, quantity, [5]float64{s.Min, s.FirstQuartile, s.Median, s.ThirdQuartile, s.Max}, digits) +
		line(prefix+"mean_"+quantity+":", cFloat(s.Mean, digits)) +
		line(prefix+"stddev_"+quantity+":", cFloat(s.Stddev, digits))
}

func (f form) rates(k Kernel, t Rates) string {
	mean := "harmonic_mean_TEPS:     !"
	if f.spec {
		mean = "harmonic_mean_TEPS:"
	}
	return quartiles(f.prefix(k), "TEPS", [5]float64{t.Min, t.FirstQuartile, t.Median, t.ThirdQuartile, t.Max}, 6) +
		line(f.prefix(k)+mean, cFloat(t.HarmonicMean, 6)) +
		line(f.prefix(k)+"harmonic_stddev_TEPS:", cFloat(t.HarmonicStddev, 6))
}

func quartiles(prefix, quantity string, values [5]float64, digits int) (lines string) {
	for i, name := range [5]string{"min", "firstquartile", "median", "thirdquartile", "max"} {
		lines += line(prefix+name+"_"+quantity+":", cFloat(values[i], digits))
	}
	return lines
}

// cFloat formats x as C does by %.<digits>g. strconv agrees with C, unlike fmt, in the digits of the exponent, trailing
// zeros and the choice of the exponent form. It differs in infinity only.
func cFloat(x float64, digits int) string {
	return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(x, 'g', digits, 64), "+"))
}
