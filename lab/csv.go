// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"g500/internal/output"
)

// The columns of CSV before the figures, then of a search, a level and a colouring. A cell is empty if its figure
// was not counted or does not exist.
const (
	csvRow    = "graph strategy paper section machine "
	csvSearch = csvRow + "source seconds reached directed_edges edges levels expanded_vertices inspected_edges " +
		"repeated_vertices cache_hits children launches queue_bytes before_clock fault"
	csvLevel = csvRow + "source level direction frontier_vertices frontier_edges vertices edges launches seconds"
	csvRun   = csvRow + "run seconds colors rounds conflicts fault"
)

// rows are the rows of a CSV file, with its header.
type rows [][]string

func header(columns string) rows { return rows{strings.Fields(columns)} }

// add adds a row; the last values are filled up to the columns by empty ones, except the fault in the last column.
func (r *rows) add(of []string, fault string, values ...string) {
	row := make([]string, len((*r)[0]))
	copy(row, append(slices.Clone(of), values...))
	row[len(row)-1] = fault
	*r = append(*r, row)
}

// csvCells returns the first cells of a row.
func (f GraphFigures) csvCells(s Strategy, machine string) []string {
	return []string{f.Graph, s.Name, s.Paper, s.Section, machine}
}

// WriteCSV writes a row per search or colouring, and for a strategy without one a row with the reason.
func (r *Report) WriteCSV(w io.Writer) error {
	columns := csvRun
	if slices.ContainsFunc(r.Graphs, func(g GraphFigures) bool { return len(g.Sources) > 0 }) {
		columns = csvSearch
	}
	all := header(columns)
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			of := g.csvCells(row.Strategy, row.Machine)
			fault := row.Fault
			if row.Full {
				fault = "queue full"
			}
			before := len(all)
			for _, s := range row.Searches {
				cells := output.Cells(s.Source, nonzero(s.Seconds), s.Reached, s.DirectedEdges, nonzero(s.Edges), s.Levels)
				if c := s.Counts; c != nil {
					cells = append(cells, output.Cells(c.Vertices, c.Inspected, c.Repeated, c.CacheHits, c.Children, c.Launches,
						c.Queues)...)
				} else {
					cells = append(cells, make([]string, 7)...)
				}
				all.add(of, fault, append(cells, row.Strategy.Before)...)
			}
			if row.Coloring != nil {
				for i, c := range row.Coloring.Runs {
					conflicts := ""
					if c.Rounds > 0 {
						conflicts = fmt.Sprint(c.Conflicts)
					}
					all.add(of, fault, output.Cells(i+1, nonzero(c.Seconds), c.Colors, nonzero(c.Rounds), conflicts)...)
				}
			}
			if len(all) == before {
				all.add(of, fault)
			}
		}
		for _, l := range g.LeftOut {
			all.add([]string{g.Graph, l.Strategy}, "left out: "+l.Reason)
		}
	}
	return output.CSV(w, all)
}

// nonzero returns a number, "" for 0: of an absent figure, or the time of a machine that only counts.
func nonzero[N int | int64 | float64](x N) string {
	if x == 0 {
		return ""
	}
	return output.Cells(x)[0]
}

// WriteLevelsCSV writes a row per level of the first search of each strategy that has levels.
func (r *Report) WriteLevelsCSV(w io.Writer) error {
	all := header(csvLevel)
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			for i, l := range row.Levels {
				cells := output.Cells(row.Searches[0].Source, i, l.Direction(), l.FrontierVertices, l.FrontierEdges,
					l.Vertices, l.Edges, nonzero(l.Launches))
				all.add(g.csvCells(row.Strategy, row.Machine), nonzero(l.Seconds), cells...)
			}
		}
	}
	return output.CSV(w, all)
}
