// SPDX-License-Identifier: Apache-2.0

package study

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"g500/lab"
)

//go:embed published.csv
var publishedText string

// PublishedValue is a value that a paper prints, read by hand: a row of published.csv, which explains the members.
type PublishedValue struct {
	study, Place, Machine, Graph, Of, Over, Figure string
	Value                                          float64
}

// publishedValues are all rows of published.csv.
var publishedValues = sync.OnceValue(func() (all []PublishedValue) {
	r := csv.NewReader(strings.NewReader(publishedText))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	for _, c := range rows[1:] {
		value, err := strconv.ParseFloat(c[7], 64)
		if err != nil {
			panic(err)
		}
		all = append(all, PublishedValue{c[0], c[1], c[2], c[3], c[4], c[5], c[6], value})
	}
	return all
})

// Published returns the values of a study's paper, in the order of the paper.
func Published(study string) []PublishedValue {
	return slices.DeleteFunc(slices.Clone(publishedValues()), func(v PublishedValue) bool { return v.study != study })
}

// Name returns the strategies of the value.
func (v PublishedValue) Name() string { return ratio(v.Of, v.Over) }

// Unit returns the name of the figure.
func (v PublishedValue) Unit() string {
	switch {
	case v.Figure != "rate":
		return v.Figure
	case v.Over == "":
		return rates
	}
	return "speed-up"
}

// Measured returns our figures for a published value: one per graph of the study that is the paper's graph or replaces
// it (stands_for), on which the strategies have a figure.
func (r *Result) Measured(v PublishedValue) (all []Measured) {
	for i, g := range r.Graphs {
		of := r.Study.Graphs[i]
		name, stands, _ := strings.Cut(of.Stands, ",")
		if name != v.Graph && of.Name != fileNameOf(v.Graph) {
			continue
		}
		m := Measured{Graph: v.Graph}
		if stands != "" {
			m.Graph = fmt.Sprintf("%s (here %s)", v.Graph, of.Name)
		}
		m.Figure = v.figureOf(g, v.Of)
		if v.Over != "" {
			m.Figure /= v.figureOf(g, v.Over)
		}
		if m.Figure > 0 && !math.IsInf(m.Figure, 1) {
			all = append(all, m)
		}
	}
	return all
}

// fileNameOf returns the name that studies give the file of a paper's graph.
func fileNameOf(graph string) string {
	return strings.ToLower(strings.NewReplacer(".", "-", "_", "-").Replace(graph))
}

// figureOf returns the mean figure of a strategy on a graph, 0 for none, or if several shares were on one GPU.
func (v PublishedValue) figureOf(g lab.GraphFigures, strategy string) float64 {
	switch row := g.Row(strategy); {
	case row == nil, len(row.Shares) > row.GPUs():
	case v.Figure == "rate" && row.Directed != nil:
		return row.Directed.HarmonicMean
	case v.Figure == "inspected" && row.Work != nil:
		return row.InspectedShare
	}
	return 0
}
