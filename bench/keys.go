// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/internal/infile"
	"g500/kronecker"
	"g500/record"
	"g500/settings"
)

// keyBatch is the number of candidates that the ranks check in one reduction.
const keyBatch = 256

// sampleKeys draws up to want search keys as the Graph500 reference code does: from the generator's random numbers,
// without repeated vertices and vertices without an edge to another one. If the candidates run out, the list is shorter
// than want, as the specification requires (section "Sampling 64 Search Keys"); the reference code then takes improper
// keys.
func sampleKeys(t comm.Transport, p kronecker.Params, e engine.Engine, want int) ([]graph.Global, error) {
	var keys []graph.Global
	seen := map[graph.Global]bool{}
	for first := int64(0); first < int64(p.Vertices()) && len(keys) < want; first += keyBatch {
		batch := make([]graph.Global, min(keyBatch, int64(p.Vertices())-first))
		for i := range batch {
			batch[i] = p.KeyCandidate(first + int64(i))
		}
		proper, err := connected(t, e, batch)
		if err != nil {
			return nil, err
		}
		for i, v := range batch {
			if proper[i] && !seen[v] && len(keys) < want {
				seen[v] = true
				keys = append(keys, v)
			}
		}
	}
	return keys, nil
}

// missed returns an error that names a vertex with an edge, nil if there is none. It is collective.
func missed(t comm.Transport, e engine.Engine) error {
	layout := e.Layout()
	lowest := layout.Vertices()
	for v := range layout.Count(t.Rank()) {
		if e.HasEdge(graph.Local(v)) {
			lowest = min(lowest, layout.Global(t.Rank(), graph.Local(v)))
		}
	}
	first, err := comm.Reduce(t, int64(lowest), comm.Min)
	if err != nil || first == int64(layout.Vertices()) {
		return err
	}
	return fmt.Errorf("no search key was drawn that has an edge to another vertex, because few vertices have one: "+
		"name roots in a file (--roots), such as vertex %d", first)
}

// connected reports for each vertex whether it has an edge to another vertex. It is collective.
func connected(t comm.Transport, e engine.Engine, vertices []graph.Global) ([]bool, error) {
	layout := e.Layout()
	flags := make([]bool, len(vertices))
	for i, v := range vertices {
		flags[i] = v < layout.Vertices() && layout.Owner(v) == t.Rank() && e.HasEdge(layout.Local(v))
	}
	return anyRank(t, flags...)
}

// anyRank returns flags with each flag set that is set on some rank. It is collective.
func anyRank(t comm.Transport, flags ...bool) ([]bool, error) {
	counts := make([]int64, len(flags))
	for i, flag := range flags {
		if flag {
			counts[i] = 1
		}
	}
	err := t.AllReduce(counts, comm.Max)
	for i, n := range counts {
		flags[i] = n > 0
	}
	return flags, err
}

// roots are the search keys from the user's file. It has one label per line from 0 on, with blank lines and comments
// after # or %; or it is a Matrix Market array of one column with labels from 1 on, the form of the GAP benchmark's
// sources.
type roots struct {
	file     string
	kind     string // of the numbers in the file
	vertices int64  // number of vertices
	labels   []graph.Global
	lineOf   map[graph.Global]int // of the file, from 1
	first    int64                // the lowest label in the file: 1 in an array
	size     int                  // number of labels that the file announces: 0 if it does not, -1 if the next line does
}

// mostRootsBytes is the maximum length of a file of roots.
const mostRootsBytes = 16 << 20

// readRoots reads the file of roots on rank 0, which sends it to the others. It is collective.
func (b *benchmark) readRoots(ctx context.Context) (r roots, err error) {
	if b.cfg.Search.Roots == "" {
		return r, nil
	}
	text, err := comm.OfFirst(b.t, func() (string, error) { return b.rootsText(ctx) })
	if err != nil {
		return r, err
	}
	r, err = parseRoots(b.cfg, b.made.Vertices, text)
	err = b.unlikeEarlier(record.RootsUse, b.cfg.Search.Roots, err)
	if err == nil && r.first == 1 {
		b.note("the roots in %s are numbered from 1, as Matrix Market numbers rows", r.file)
	}
	return r, comm.Agree(b.t, err)
}

// rootsText reads the file of roots.
func (b *benchmark) rootsText(ctx context.Context) (string, error) {
	file, err := infile.Open(ctx, b.cfg.Search.Roots)
	if err != nil {
		return "", fmt.Errorf("roots: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(file, mostRootsBytes+1))
	if err == nil && len(text) > mostRootsBytes {
		err = fmt.Errorf("%s is longer than any file of roots: name one with one label per line", b.cfg.Search.Roots)
	}
	b.parts = append(b.parts, inputPart{record.RootsUse, b.cfg.Search.Roots, file.Fingerprint, file.Pipe})
	return string(text), errors.Join(err, file.Close())
}

// withEdges returns an error for a root without an edge to another vertex. It is collective.
func (r roots) withEdges(t comm.Transport, e engine.Engine) error {
	proper, err := connected(t, e, r.labels)
	if err != nil {
		return err
	}
	for i, v := range r.labels {
		if !proper[i] {
			return comm.Agree(t, fmt.Errorf("%s:%d: vertex %d has no edge to another vertex: choose a root that has one",
				r.file, r.lineOf[v], v))
		}
	}
	return nil
}

// sameRoots returns an error if the searches of an earlier run have other roots than the keys.
func sameRoots(searches []record.Search, keys []graph.Global) error {
	for _, s := range searches {
		if s.Key < 0 || len(keys) == 0 {
			continue // the verdict names the fault
		}
		if root := keys[s.Key%len(keys)]; graph.Global(s.Root) != root {
			return fmt.Errorf("search key %d of the run to resume has root %d, and this run has root %d: "+
				"restore scale and seeds in run.json or the file of roots, or start a new run", s.Key, s.Root, root)
		}
	}
	return nil
}

// parseRoots parses a list of roots of a graph with this number of vertices, 0 for the official graph. An error in a
// line is an error of the list.
func parseRoots(c record.Config, vertices int64, text string) (roots, error) {
	p := roots{file: c.Search.Roots, kind: numbering(c), vertices: vertices, lineOf: map[graph.Global]int{}}
	if vertices == 0 {
		p.vertices = int64(c.Params().Vertices())
	}
	if strings.ContainsRune(text, 0) {
		return p, fmt.Errorf("%s is binary: write one label per line", p.file)
	}
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		if err := p.line(strings.TrimSpace(line), i+1); err != nil {
			return p, fmt.Errorf("%s:%d: %w", p.file, i+1, err)
		}
	}
	switch n := len(p.labels); {
	case n == 0:
		return p, fmt.Errorf("%s has no roots: write one label per line", p.file)
	case p.size > 0 && p.size != n:
		return p, fmt.Errorf("%s announces %d roots, but has %d: it is cut off or damaged", p.file, p.size, n)
	}
	return p, nil
}

// line parses a line. number counts from 1.
func (p *roots) line(line string, number int) error {
	switch {
	case number == 1 && strings.HasPrefix(strings.ToLower(line), "%%matrixmarket"):
		return p.banner(strings.Fields(strings.ToLower(line)))
	case line == "", strings.HasPrefix(line, "#"), strings.HasPrefix(line, "%"):
		return nil
	case p.size < 0:
		return p.sizes(line)
	}
	label, err := p.label(line)
	if err != nil {
		return err
	}
	if before := p.lineOf[label]; before > 0 {
		return fmt.Errorf("root %s is in line %d already: remove one of the two", line, before)
	}
	if len(p.labels) == settings.MaxKeys {
		return fmt.Errorf("%d roots are the most: remove this line and those after it", settings.MaxKeys)
	}
	p.labels, p.lineOf[label] = append(p.labels, label), number
	return nil
}

// banner parses the first line of a Matrix Market file.
func (p *roots) banner(words []string) error {
	if len(words) != 5 || words[2] != "array" || words[3] != "integer" && words[3] != "real" || words[4] != "general" {
		return errors.New("a Matrix Market file of roots is an array of one column (%%MatrixMarket matrix array integer " +
			"general): write it so, or one label per line")
	}
	p.first, p.size = 1, -1
	return nil
}

// numbering names the numbers of the vertices for a sentence.
func numbering(c record.Config) string {
	if c.Graph.Spec != "" {
		return "vertices"
	}
	return fmt.Sprintf("labels of scale %d", c.Graph.Scale)
}

// sizes parses the line with the numbers of rows and columns of an array.
func (p *roots) sizes(line string) error {
	rows, columns := 0, 0
	if n, err := fmt.Sscanf(line+" end", "%d %d end", &rows, &columns); n != 2 || err != nil || min(rows, columns) != 1 {
		return fmt.Errorf("%q is no size of an array of one column or row, such as 64 1", clip(line))
	}
	p.size = rows * columns
	return nil
}

// label parses a label, which may have a decimal point in an array.
func (p *roots) label(line string) (graph.Global, error) {
	n, err := strconv.ParseInt(line, 10, 64)
	if err != nil && p.first == 1 {
		if x, failed := strconv.ParseFloat(line, 64); failed == nil && x == float64(int64(x)) {
			n, err = int64(x), nil
		}
	}
	outside := errors.Is(err, strconv.ErrRange)
	if err != nil && !outside {
		return 0, fmt.Errorf("%q is no label: write one whole number per line", clip(line))
	}
	if outside || n < p.first || n-p.first >= p.vertices {
		return 0, fmt.Errorf("%s is no vertex: %s go from %d to %d", clip(line), p.kind, p.first,
			p.vertices-1+p.first)
	}
	return graph.Global(n - p.first), nil
}

// clip shortens a line for an error.
func clip(line string) string { return line[:min(len(line), 40)] }
