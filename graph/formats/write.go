// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
)

// lineWriter writes a graph line by line. Flush returns the first error.
type lineWriter struct {
	*bufio.Writer
	line []byte
}

func (w *lineWriter) put(n int64) { w.line = append(strconv.AppendInt(w.line, n, 10), ' ') }

// putWeight writes a weight, if the graph has weights, in the shortest form ('g') or as an integer ('f').
func (w *lineWriter) putWeight(g *Graph, at int64, form byte) {
	if g.Weights != nil {
		w.line = append(strconv.AppendFloat(w.line, float64(g.Weights[at]), form, -1, 32), ' ')
	}
}

// end ends the line, without the space after the last number.
func (w *lineWriter) end() error {
	_, err := w.Write(append(bytes.TrimSuffix(w.line, []byte{' '}), '\n'))
	w.line = w.line[:0]
	return err
}

// Writer writes graphs in one format.
type Writer struct {
	format
	packed bool // by gzip
}

// WriterOf returns the writer for the extension of a path, which may also end with .gz, and an error for others.
func WriterOf(path string) (Writer, error) {
	name, packed := strings.CutSuffix(path, ".gz")
	for _, f := range formats() {
		if strings.ToLower(filepath.Ext(name)) == f.extensions[0] {
			return Writer{f, packed}, nil
		}
	}
	return Writer{}, fmt.Errorf("the name of %s does not name a format: let it end with one of %s, also compressed as .gz",
		path, Endings(true))
}

// Check returns an error if the format cannot store a graph.
func (f Writer) Check(g *Graph) error {
	if f.limits == nil {
		return nil
	}
	return f.limits(g)
}

// Write writes a graph that Check accepts. A comment has its name.
func (f Writer) Write(to io.Writer, name string, g *Graph) (err error) {
	if f.packed {
		packed := gzip.NewWriter(to)
		defer func() { err = errors.Join(err, packed.Close()) }()
		to = packed
	}
	w := &lineWriter{Writer: bufio.NewWriterSize(to, blockBytes)}
	comment := fmt.Sprintf("%c %s, written by g500\n", f.marks[0], name)
	return errors.Join(f.write(w, comment, g), w.Flush())
}

// metisLimits refuses directed graphs, self-loops, and weights other than 1, 2, 3 ...
func metisLimits(g *Graph) error {
	switch {
	case g.Directed:
		return errors.New("the graph is directed, and graphs in METIS' format are not: write a file of another format")
	case g.loops > 0:
		return errors.New("the graph has self-loops, and graphs in METIS' format have none: give loops=drop")
	}
	return weightsFrom(1, g)
}

// integerWeights refuses weights that are not integers.
func integerWeights(g *Graph) error { return weightsFrom(math.Inf(-1), g) }

// weightsFrom refuses weights that are not integers, or below low.
func weightsFrom(low float64, g *Graph) error {
	for _, w := range g.Weights {
		if x := float64(w); x != math.Trunc(x) || x < low {
			return fmt.Errorf("the graph has an edge of weight %g, and weights in this format are whole numbers, "+
				"from 1 on in METIS: write a file of another format, or give weights=none", w)
		}
	}
	return nil
}

// writeMtx writes a matrix with one entry per edge; for an undirected graph, the lower triangle.
func writeMtx(w *lineWriter, comment string, g *Graph) error {
	field, symmetry := "pattern", "symmetric"
	if g.Weights != nil {
		field = "real"
	}
	if g.Directed {
		symmetry = "general"
	}
	fmt.Fprintf(w, "%%%%MatrixMarket matrix coordinate %s %s\n%s%d %[4]d %d\n", field, symmetry, comment,
		g.Vertices(), g.Edges())
	return g.eachEdge(func(u, v int, at int64) error {
		if !g.Directed {
			u, v = v, u
		}
		w.put(int64(u) + 1)
		w.put(int64(v) + 1)
		w.putWeight(g, at, 'g')
		return w.end()
	})
}

// writeGr writes one arc per entry, so both directions of an undirected edge. Without weights each has weight 1.
func writeGr(w *lineWriter, comment string, g *Graph) error {
	fmt.Fprintf(w, "%sp sp %d %d\n", comment, g.Vertices(), g.Entries())
	for u := range g.Vertices() {
		for at := g.Offsets[u]; at < g.Offsets[u+1]; at++ {
			w.line = append(w.line, "a "...)
			w.put(int64(u) + 1)
			w.put(int64(g.Neighbours[at]) + 1)
			if g.Weights == nil {
				w.put(1)
			}
			w.putWeight(g, at, 'f')
			if err := w.end(); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeMetis writes one line per vertex.
func writeMetis(w *lineWriter, comment string, g *Graph) error {
	flags := ""
	if g.Weights != nil {
		flags = " 001"
	}
	fmt.Fprintf(w, "%s%d %d%s\n", comment, g.Vertices(), g.Edges(), flags)
	for u := range g.Vertices() {
		for at := g.Offsets[u]; at < g.Offsets[u+1]; at++ {
			w.put(int64(g.Neighbours[at]) + 1)
			w.putWeight(g, at, 'f')
		}
		if err := w.end(); err != nil {
			return err
		}
	}
	return nil
}

// writeSNAP writes one line per edge. The comments give readers the direction of edges, the number of vertices,
// including isolated ones, and the name of the column of weights.
func writeSNAP(w *lineWriter, comment string, g *Graph) error {
	if g.Directed {
		fmt.Fprintln(w, "# Directed graph")
	}
	fmt.Fprintf(w, "%s# Nodes: %d Edges: %d\n", comment, g.Vertices(), g.Edges())
	if g.Weights != nil {
		fmt.Fprintln(w, "# src dst weight")
	}
	return g.eachEdge(func(u, v int, at int64) error {
		w.put(int64(u))
		w.put(int64(v))
		w.putWeight(g, at, 'g')
		return w.end()
	})
}
