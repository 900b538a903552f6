package formats

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// writer writes a graph line by line. It keeps the first error of the file.
type writer struct {
	*bufio.Writer
	line []byte
}

func (w *writer) put(n int64) { w.line = append(strconv.AppendInt(w.line, n, 10), ' ') }

func (w *writer) putWeight(x float32) {
	w.line = append(strconv.AppendFloat(w.line, float64(x), 'g', -1, 32), ' ')
}

// putWhole writes a weight for a format whose weights are whole numbers, which it was held to.
func (w *writer) putWhole(x float32) {
	w.line = append(strconv.AppendFloat(w.line, float64(x), 'f', -1, 32), ' ')
}

// end ends the line, without the space behind the last number.
func (w *writer) end() error {
	_, err := w.Write(append(bytes.TrimSuffix(w.line, []byte{' '}), '\n'))
	w.line = w.line[:0]
	return err
}

// writers are what writes each format. refuses says what the format cannot hold, before anything is written.
var writers = map[string]struct {
	refuses func(g *Graph) error
	write   func(w *writer, g *Graph) error
}{
	"mtx":   {func(*Graph) error { return nil }, writeMtx},
	"gr":    {func(g *Graph) error { return wholeWeights(g, math.Inf(-1)) }, writeGr},
	"metis": {refusedByMetis, writeMetis},
	"snap":  {func(*Graph) error { return nil }, writeSNAP},
}

// Write writes the graph as text in the format that the path names by its end, compressed if that is .gz. name is what
// the graph is called in a comment. The path itself is not touched: CheckWrite tells before whether it will do.
func Write(to io.Writer, path, name string, g *Graph) (err error) {
	f, err := written(path)
	if err != nil {
		return err
	}
	if strings.HasSuffix(path, ".gz") {
		packed := gzip.NewWriter(to)
		defer func() { err = errors.Join(err, packed.Close()) }()
		to = packed
	}
	w := &writer{Writer: bufio.NewWriterSize(to, blockBytes)}
	if f.name == "mtx" {
		fmt.Fprintf(w, "%%%%MatrixMarket matrix coordinate %s %s\n", mtxField(g), mtxSymmetry(g))
	}
	fmt.Fprintf(w, "%c %s, written by g500\n", f.marks[0], name)
	return errors.Join(writers[f.name].write(w, g), w.Flush())
}

// CheckPath says whether the name of a file to be written tells its format.
func CheckPath(path string) error {
	_, err := written(path)
	return err
}

// CheckWrite says whether the format of a path can hold a graph.
func CheckWrite(path string, g *Graph) error {
	f, err := written(path)
	if err != nil {
		return err
	}
	return writers[f.name].refuses(g)
}

// wholeWeights refuses weights that are no whole numbers, or below low.
func wholeWeights(g *Graph, low float64) error {
	for _, w := range g.Weights {
		if x := float64(w); x != math.Trunc(x) || x < low {
			return fmt.Errorf("the graph has an edge of weight %g, and weights in this format are whole numbers, "+
				"from 1 on in METIS: write a file of another format, or give weights=none", w)
		}
	}
	return nil
}

// eachEdge calls body for each edge once, with its place among the entries.
func (g *Graph) eachEdge(body func(u, v int, at int64) error) error {
	for u := range g.Vertices() {
		for at := g.firstForward(u); at < g.Offsets[u+1]; at++ {
			if err := body(u, int(g.Neighbours[at]), at); err != nil {
				return err
			}
		}
	}
	return nil
}
