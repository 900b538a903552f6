// SPDX-License-Identifier: Apache-2.0

package submission

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"g500/internal/infile"
	"g500/internal/lists"
	"g500/record"
	"g500/settings"
)

// Output is the output of another program, in a folder: an output block, and verdicts of g500 validate on its results.
type Output struct {
	file     string             // with the block
	figures  map[string]float64 // by the specification's names; edge counts may have no kernel
	kernels  []record.Kernel    // that have times
	verdicts []record.Verdicts  // one for each kernel whose results g500 validate has seen
}

const mostOutputBytes = 16 << 20

// OpenOutput reads the only output block among the files of a folder, under the names of the reference code or of the
// specification, and the verdicts that "g500 validate --json" wrote there.
func OpenOutput(dir string) (o Output, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return o, fmt.Errorf("cannot read the folder: %w", err)
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if !entry.Type().IsRegular() {
			continue
		}
		if text, large := infile.Small(path, "the output", mostOutputBytes); large == nil && filepath.Ext(path) == ".json" {
			err = o.addVerdicts(path, text)
		} else if large == nil {
			err = o.addBlock(path, string(text))
		}
		if err != nil {
			return o, err
		}
	}
	if o.file == "" {
		return o, fmt.Errorf("no file in %s has an output block, with lines SCALE: and NBFS:; put the program's output there",
			dir)
	}
	o.kernels = lists.Where(record.Kernels(record.Both),
		func(k record.Kernel) bool { return o.figures[string(k)+"_max_time"] > 0 })
	return o, nil
}

// addVerdicts takes verdicts of g500 validate, and ignores other JSON.
func (o *Output) addVerdicts(path string, text []byte) error {
	if !bytes.Contains(text, []byte(`"validate_seconds"`)) {
		return nil
	}
	var v struct {
		Format int
		record.Verdicts
	}
	err := infile.DecodeJSON(text, &v)
	if err != nil || v.Format != record.VerdictsFormat || v.Kernel == "" || len(v.Results) == 0 {
		return fmt.Errorf("%s has no verdicts of g500 validate --json: write them anew, or leave it out", path)
	}
	v.Settle() // derived again
	o.verdicts = append(o.verdicts, v.Verdicts)
	return nil
}

// addBlock takes the block of a text, if it has one.
func (o *Output) addBlock(path, text string) error {
	figures := map[string]float64{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		x, err := strconv.ParseFloat(strings.TrimSpace(strings.Replace(value, "!", "", 1)), 64)
		name = strings.Join(strings.Fields(name), "_")
		if _, twice := figures[name]; twice && (name == "SCALE" || name == "NBFS") {
			return fmt.Errorf("%s has two output blocks: leave one", path)
		}
		if err == nil || errors.Is(err, strconv.ErrRange) {
			figures[name] = x
		}
	}
	_, scale := figures["SCALE"]
	_, keys := figures["NBFS"]
	switch {
	case !scale || !keys:
		return nil
	case o.file != "":
		return fmt.Errorf("%s and %s both have an output block: leave one", o.file, path)
	}
	o.file, o.figures = path, figures
	return nil
}

// Check checks all rules, also after one is broken.
func (o Output) Check() []Rule {
	construction := o.figures["construction_time"]
	rules := []Rule{
		{"an output block with every figure", outputting, o.completeFault()},
		{factorRule.name, factorRule.source, o.isFault("edgefactor", settings.OfficialEdgeFactor)},
		{keyCount, sampling, o.isFault("NBFS", settings.OfficialKeys)},
		{"construction timed", outputting,
			faultIf(!(construction > 0) || math.IsInf(construction, 0), "it took %g s", construction)},
		{"minimum, quartiles, mean and maximum in order", outputting, o.each(o.orderFault)},
		{"edge counts within the graph", "Computing TEPS", o.each(o.edgesFault)},
		{"TEPS that follow from times and edge counts", "Computing TEPS", o.each(o.ratesFault)},
		{"every result validated by its program", validation, o.each(func(k record.Kernel) string {
			x, has := o.figures[string(k)+"_min_validate"]
			return faultIf(has && !(x >= 0), "its validation took %g s, so it was skipped", x)
		})},
	}
	for _, v := range o.verdicts {
		run := o.runOf(v)
		of := ", " + v.Kernel.Abbreviation()
		rules = append(rules,
			Rule{"results of the official graph of this scale" + of, "this program, g500 validate", o.graphFault(v)},
			Rule{"results that follow the rules" + of, validation, v.Reason},
			keysRule.on(run, of),
			orderRule.on(run, of),
			Rule{"figures of these results" + of, "this program, g500 validate", o.sameFault(v)})
	}
	return rules
}

// Remarks returns what the rules do not cover.
func (o Output) Remarks() (remarks []string) {
	for _, k := range o.kernels {
		if !slices.ContainsFunc(o.verdicts, func(v record.Verdicts) bool { return v.Kernel == k }) {
			remarks = append(remarks, fmt.Sprintf("results of %s were validated at most by the program itself: g500 validate "+
				"--kernel %s --list FILE --json >DIR/%[2]s.json checks them", k.Title(), k))
		}
	}
	return remarks
}

// each returns the fault of the first kernel that has one.
func (o Output) each(fault func(record.Kernel) string) string {
	for _, k := range o.kernels {
		if text := fault(k); text != "" {
			return k.Title() + ": " + text
		}
	}
	return ""
}

// of returns a figure of a kernel. Under the names of the reference code both kernels share the edge counts.
func (o Output) of(k record.Kernel, figure string) float64 {
	if x, has := o.figures[string(k)+"_"+figure]; has {
		return x
	}
	return o.figures[figure]
}

var quartiles = []string{"min", "firstquartile", "median", "thirdquartile", "max"}

func (o Output) completeFault() string {
	if len(o.kernels) == 0 {
		return o.file + " has no times of bfs or sssp"
	}
	return o.each(func(k record.Kernel) string {
		for _, quantity := range []string{"time", "nedge", "TEPS"} {
			for _, name := range append(slices.Clone(quartiles), "mean", "stddev") {
				if quantity == "TEPS" && (name == "mean" || name == "stddev") {
					name = "harmonic_" + name
				}
				figure := name + "_" + quantity
				_, own := o.figures[string(k)+"_"+figure]
				if _, shared := o.figures[figure]; !own && !shared {
					return fmt.Sprintf("%s has no %s_%s", o.file, k, figure)
				}
			}
		}
		return ""
	})
}

func (o Output) isFault(name string, want float64) string {
	return faultIf(o.figures[name] != want, "it is %g", o.figures[name])
}

func (o Output) orderFault(k record.Kernel) string {
	for _, quantity := range []string{"time", "nedge", "TEPS"} {
		last := math.SmallestNonzeroFloat64
		for _, name := range quartiles {
			x := o.of(k, name+"_"+quantity)
			if !(last <= x) || math.IsInf(x, 0) {
				return fmt.Sprintf("%s_%s is %g, after %g", name, quantity, x, last)
			}
			last = x
		}
		mean := o.of(k, "mean_"+quantity)
		if quantity == "TEPS" {
			mean = o.of(k, "harmonic_mean_TEPS")
		}
		if !(o.of(k, "min_"+quantity) <= mean*rounding && mean <= last*rounding) {
			return fmt.Sprintf("the mean of %s is %g, outside its minimum and maximum", quantity, mean)
		}
	}
	return ""
}

// rounding is the largest ratio of two figures with six digits that are equal.
const rounding = 1 + 2e-5

func (o Output) edgesFault(k record.Kernel) string {
	tuples, most := o.figures["edgefactor"]*math.Exp2(o.figures["SCALE"]), o.of(k, "max_nedge")
	return faultIf(!(most <= tuples), "a search has %.11g edges, and the graph %.11g tuples", most, tuples)
}

// ratesFault requires rates between the smallest and the largest that the edge counts allow for the times.
func (o Output) ratesFault(k record.Kernel) string {
	least, most := o.of(k, "min_nedge"), o.of(k, "max_nedge")
	for rate, time := range map[string]string{"max_TEPS": "min_time", "thirdquartile_TEPS": "firstquartile_time",
		"median_TEPS": "median_time", "firstquartile_TEPS": "thirdquartile_time", "min_TEPS": "max_time",
		"harmonic_mean_TEPS": "mean_time"} {
		x, t := o.of(k, rate), o.of(k, time)
		if !(least/t <= x*rounding && x <= most/t*rounding) {
			return fmt.Sprintf("%s is %g, and %s of %g s with %.11g to %.11g edges gives %g to %g",
				rate, x, time, t, least, most, least/t, most/t)
		}
	}
	return ""
}

// runOf returns a run with the searches of the verdicts.
func (o Output) runOf(v record.Verdicts) Run {
	kernel := record.KernelRun{Kernel: v.Kernel, Keys: len(v.Results)}
	for i, r := range v.Results {
		kernel.Searches = append(kernel.Searches, record.Search{Key: i, Root: r.Root})
	}
	config := settings.Default()
	config.Graph.Scale = v.Graph.Scale
	return Run{Run: &record.Run{Kernels: []record.KernelRun{kernel}}, Config: config}
}

func (o Output) graphFault(v record.Verdicts) string {
	g, official := v.Graph, settings.Default().Graph
	switch {
	case g.Spec != "" || g.Edges != "":
		return "the results were validated against another graph: leave out --graph and --edges"
	case float64(g.Scale) != o.figures["SCALE"] || g.EdgeFactor != official.EdgeFactor || g.Seeds != official.Seeds:
		return fmt.Sprintf("the results were validated against scale %d, edge factor %d, seeds %v",
			g.Scale, g.EdgeFactor, g.Seeds)
	}
	return ""
}

// sameFault compares the block with the statistics of the validated results.
func (o Output) sameFault(v record.Verdicts) string {
	if v.Seconds == nil || v.TEPS == nil {
		return faultIf(v.Reason == "", "the list of results has no times: add the column seconds")
	}
	want := map[string]float64{
		"min_time": v.Seconds.Min, "median_time": v.Seconds.Median, "max_time": v.Seconds.Max,
		"mean_time": v.Seconds.Mean, "harmonic_mean_TEPS": v.TEPS.HarmonicMean,
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if x := o.of(v.Kernel, name); !(x <= want[name]*rounding*rounding && want[name] <= x*rounding*rounding) {
			return fmt.Sprintf("%s is %g, and %g by the results", name, x, want[name])
		}
	}
	return ""
}
