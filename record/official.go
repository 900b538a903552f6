// SPDX-License-Identifier: Apache-2.0

package record

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
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

func (r *Run) writeBlock(w io.Writer, f form) error {
	if status, _ := r.verdict(); status == Invalid || status == Incomplete {
		return fmt.Errorf("record: no result block is written, the run is %s", r.Verdict())
	}
	kernels := r.document().Kernels
	if f.skipped {
		none := new(Summary)
		kernels = slices.Insert(kernels, 0,
			KernelDocument{KernelRun{Kernel: BFS}, Statistics{none, none, new(Rates), none, nil}})
	}
	last := len(kernels) - 1
	var b block
	b.graph(r)
	b.line("NBFS:", strconv.Itoa(r.Kernels[0].Keys))
	b.line("graph_generation:", cFloat(r.GenerationSeconds, 6))
	b.line("num_mpi_processes:", strconv.Itoa(r.Ranks))
	b.line("construction_time:", cFloat(r.ConstructionSeconds(), 6))
	for _, k := range kernels {
		if f.spec {
			b.line(f.prefix(k.Kernel)+"construction_time:", cFloat(k.ConstructionSeconds, 6))
		}
	}
	for _, k := range kernels {
		b.summary(f.prefix(k.Kernel), "time", *k.Statistics.Seconds, 6)
	}
	for i, k := range kernels {
		switch edges := k.Statistics.Edges; {
		case edges == nil:
		case f.spec:
			b.summary(f.prefix(k.Kernel), "nedge", *edges, 11)
		case i == last: // one group for both kernels
			b.summary("", "nedge", *edges, 11)
		}
	}
	for _, kernel := range []Kernel{BFS, SSSP} {
		i := slices.IndexFunc(kernels, func(k KernelDocument) bool { return k.Kernel == kernel })
		if kernels[last].Statistics.TEPS == nil { // of no kernel
			break
		} else if i >= 0 {
			b.rates(f, kernel, *kernels[i].Statistics.TEPS)
		} else if f.spec {
			b.rates(f, kernel, Rates{})
		}
	}
	for _, k := range kernels {
		b.summary(f.prefix(k.Kernel), "validate", *cmp.Or(k.Statistics.ValidateSeconds, &notValidated), 6)
	}
	for _, k := range r.Kernels {
		if k.Prune != "" {
			b.line(f.prefix(k.Kernel)+"prune:", k.Prune)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// block builds the output block.
type block struct{ strings.Builder }

// line pads the key, with its colon, to column 32.
func (b *block) line(key, value string) { fmt.Fprintf(b, "%-32s%s\n", key, value) }

// graph writes scale and edge factor of the official graph, or the name and the size of another one. It keeps directed
// graphs apart, because their TEPS count arcs.
func (b *block) graph(r *Run) {
	if r.Graph == nil {
		b.line("SCALE:", strconv.Itoa(r.Scale))
		b.line("edgefactor:", strconv.FormatInt(r.EdgeFactor, 10))
		return
	}
	why, edges := "not the official graph", "edges:"
	if r.Graph.Directed {
		why, edges = "directed graph, not the official one", "directed edges:"
	}
	b.line("no Graph500 result:", why)
	b.line("graph:", r.Graph.Spec)
	b.line("vertices:", strconv.FormatInt(r.Graph.Vertices, 10))
	b.line(edges, strconv.FormatInt(r.Graph.Edges, 10))
}

// summary writes the seven lines of one quantity. digits is the number of significant digits.
func (b *block) summary(prefix, quantity string, s Summary, digits int) {
	b.quartiles(prefix, quantity, [5]float64{s.Min, s.FirstQuartile, s.Median, s.ThirdQuartile, s.Max}, digits)
	b.line(prefix+"mean_"+quantity+":", cFloat(s.Mean, digits))
	b.line(prefix+"stddev_"+quantity+":", cFloat(s.Stddev, digits))
}

func (b *block) rates(f form, k Kernel, t Rates) {
	b.quartiles(f.prefix(k), "TEPS", [5]float64{t.Min, t.FirstQuartile, t.Median, t.ThirdQuartile, t.Max}, 6)
	mean := "harmonic_mean_TEPS:     !"
	if f.spec {
		mean = "harmonic_mean_TEPS:"
	}
	b.line(f.prefix(k)+mean, cFloat(t.HarmonicMean, 6))
	b.line(f.prefix(k)+"harmonic_stddev_TEPS:", cFloat(t.HarmonicStddev, 6))
}

func (b *block) quartiles(prefix, quantity string, values [5]float64, digits int) {
	for i, name := range [5]string{"min", "firstquartile", "median", "thirdquartile", "max"} {
		b.line(prefix+name+"_"+quantity+":", cFloat(values[i], digits))
	}
}

// cFloat formats x as C does by %.<digits>g. strconv agrees with C, unlike fmt, in the digits of the exponent, trailing
// zeros and the choice of the exponent form. It differs in infinity only.
func cFloat(x float64, digits int) string {
	return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(x, 'g', digits, 64), "+"))
}
