// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"cmp"
	"slices"

	"g500/internal/lists"
	"g500/record"
)

// Report has the figures of all graphs in base units: seconds, bytes, edges per second.
type Report struct {
	Machines  []string       `json:"machines"`
	Seed      uint64         `json:"seed,omitempty"` // of the sources
	Validated bool           `json:"validated"`
	Traced    bool           `json:"traced"` // levels of first searches were wanted
	Graphs    []GraphFigures `json:"graphs"`
}

// GraphFigures has the figures of all strategies on one graph.
type GraphFigures struct {
	Graph     string    `json:"graph"`
	Vertices  int64     `json:"vertices"`
	Edges     int64     `json:"directed_edges"`
	Symmetric bool      `json:"symmetric"`
	Sources   []uint32  `json:"sources,omitempty"`
	Rows      []Row     `json:"strategies"`
	LeftOut   []LeftOut `json:"left_out,omitempty"`

	Took      []Took  `json:"took,omitempty"`       // time of all rounds
	OtherLoad float64 `json:"other_load,omitempty"` // share of the cores that other programs used meanwhile
	OtherGPU  float64 `json:"other_gpu,omitempty"`  // share of time in which they used the GPU before
}

// Row returns the row of a strategy, nil for none and without figures.
func (f *GraphFigures) Row(strategy string) *Row {
	if f == nil {
		return nil
	}
	return lists.Find(f.Rows, func(r Row) bool { return r.Strategy.Name == strategy })
}

// Took is the time of all rounds of strategies that take turns.
type Took struct {
	Engine  string  `json:"engine"` // "" for strategies of papers and algorithms
	Seconds float64 `json:"seconds"`
}

// LeftOut is a strategy that no machine ran.
type LeftOut struct {
	Strategy string `json:"strategy"`
	Reason   string `json:"reason"`
}

// Row has the figures of one strategy on one graph. The pointers are nil if a result was wrong or a queue was full.
type Row struct {
	Strategy Strategy `json:"strategy"`
	Machine  string   `json:"machine"`
	Fault    string   `json:"fault,omitempty"`      // of the first wrong result
	Full     bool     `json:"queue_full,omitempty"` // duplicates filled a queue

	OnlyTimes bool `json:"only_times,omitempty"` // of another program: results were not validated

	Seconds  *record.Summary `json:"seconds"`
	Directed *record.Rates   `json:"directed_edges_per_second"` // edges that leave reached vertices, as in the papers
	TEPS     *record.Rates   `json:"teps"`                      // as in Graph500; nil for directed graphs
	Ratio    float64         `json:"ratio_to_first"`            // rate divided by the rate of the first row

	*Work             // nil if the machine does not count
	Searches []Search `json:"searches,omitempty"`
	Levels   []Level  `json:"levels,omitempty"` // of the first search
	Shares   []Share  `json:"shares,omitempty"` // of the first search of a partitioned graph

	Coloring *Coloring `json:"coloring,omitempty"` // nil for searches
}

// GPUs returns the number of GPUs that have shares of a partitioned graph.
func (r *Row) GPUs() int {
	return len(lists.Distinct(lists.Of(r.Shares, func(s Share) int { return s.GPU })))
}

// Work has the operations of all searches of a row, and their memory.
type Work struct {
	Launches       float64 `json:"launches"`                    // per search
	InspectedShare float64 `json:"inspected_per_directed_edge"` // 1: each edge once
	RepeatedShare  float64 `json:"repeated_per_vertex"`         // repeated expansions per reached vertex
	QueueBytes     int64   `json:"queue_bytes"`
	Children       float64 `json:"children,omitempty"`                 // kernels launched by threads, per search
	HitShare       float64 `json:"cache_hits_per_inspected,omitempty"` // of inspected edges
}

// Coloring has the figures of an algorithm of package lab/color: means over all runs, and each run.
type Coloring struct {
	Colors    float64       `json:"colors"`
	Rounds    float64       `json:"rounds,omitempty"` // 0 for algorithms without rounds
	Conflicts float64       `json:"conflicts"`        // vertices that lost their colour again
	Runs      []ColoringRun `json:"runs,omitempty"`
}

// ColoringRun is one colouring.
type ColoringRun struct {
	Seconds   float64 `json:"seconds"`
	Colors    int     `json:"colors"`
	Rounds    int     `json:"rounds,omitempty"`
	Conflicts int64   `json:"conflicts"`
}

// Search is one search.
type Search struct {
	Source        uint32 `json:"source"`
	Reached       int64  `json:"reached"`
	DirectedEdges int64  `json:"directed_edges"`  // that leave reached vertices
	Edges         int64  `json:"edges,omitempty"` // undirected, without self-loops; 0 for directed graphs
	Levels        int    `json:"levels"`
	Measures
}

// compare sets the ratios of all rows to the first row with a rate.
func (f *GraphFigures) compare() {
	first := 0.0
	for i := range f.Rows {
		if rates := f.Rows[i].Directed; rates != nil {
			first = cmp.Or(first, rates.HarmonicMean)
			f.Rows[i].Ratio = rates.HarmonicMean / first
		}
	}
}

// Wrong reports whether a result was wrong.
func (r *Report) Wrong() bool {
	return slices.ContainsFunc(r.Graphs, func(g GraphFigures) bool {
		return slices.ContainsFunc(g.Rows, func(row Row) bool { return row.Fault != "" })
	})
}
