// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"g500/comm/commtest"
	"g500/internal/expect"
)

func TestReadersNameLineAndColumn(t *testing.T) {
	const mtx, general = "%%MatrixMarket matrix coordinate ", "%%MatrixMarket matrix coordinate pattern general\n"
	for _, c := range []struct{ name, content, want string }{
		{"a.mtx", "1 1 1\n", `:1:1: expected %%matrixmarket or %matrixmarket, found "1"`},
		{"a.mtx", "%%MatrixMarket vector coordinate real general\n", `:1:16: expected matrix, found "vector"`},
		{"a.mtx", mtx + "real\n", ":1:38: expected general or "},
		{"a.mtx", general + "% only this\n", ":3:1: expected the line with the numbers of rows"},
		{"a.mtx", general + "3 x 1\n", `:2:3: expected the number of columns`},
		{"a.mtx", general + "0 0 0\n", `:2:1: expected the number of rows (a whole number from 1 to 4294967295;`},
		{"a.mtx", general + "3 3 1 1\n", `:2:7: expected the end of the line after the number of entries`},
		{"a.mtx", general + "3 3 1\n% c\n1 4\n", `:4:3: expected a column (a whole number from 1 to 3), found "4"`},
		{"a.mtx", general + "3 3 1\n1\n", ":3:2: expected a column"},
		{"a.mtx", general + "3 3 1\n 1 2 0.5\n", `:3:6: expected the end of the line after the row and`},
		{"a.mtx", general + "3 3 2\n1 2\n", ":2:5: the number of entries is 2 here, but the file has 1: it is cut off"},
		{"a.mtx", general + "3 3 1\n1 2\n2 3\n", ":2:5: the number of entries is 1 here, but the file has 2"},
		{"a.mtx", mtx + "real general\n3 3 1\n1 2\n", ":3:4: expected a weight (a number of single precision)"},
		{"a.mtx", mtx + "real general\n3 3 1\n1 2 nan\n", `:3:5: expected a weight`},
		{"a.txt", "0 4294967295\n", `found "4294967295": labels=renumber takes any below 2^64`},
		{"a.gr", "c only\n", ":2:1: expected the line p sp VERTICES ARCS, found the end of the file"},
		{"a.gr", "a 1 2 3\n", `:1:1: expected p, as in p sp VERTICES ARCS, found "a"`},
		{"a.gr", "p sp 3\n", ":1:7: expected the number of arcs"},
		{"a.gr", "p sp 3 1\n\nc x\n1 2 3\n", `:4:1: expected an arc, as a FROM TO WEIGHT, found "1"`},
		{"a.gr", "p sp 3 1\na 1 9 3\n", `:2:5: expected the vertex that the arc enters (a whole number from 1 to 3)`},
		{"a.gr", "p sp 3 1\na 7 1 3\n", `:2:3: expected the vertex that the arc leaves`},
		{"a.graph", "%\n", ":2:1: expected the line VERTICES EDGES, found the end of the file"},
		{"a.graph", "3\n", ":1:2: expected the number of edges"},
		{"a.graph", "3 1 12\n", `:1:5: expected up to three digits 0 or 1`},
		{"a.graph", "3 1 011 0\n", `:1:9: expected the number of weights of a vertex`},
		{"a.graph", "3 1 011 1 1\n", `:1:11: expected the end of the line after`},
		{"a.graph", "2 1\n2\n% c\n4\n", `:4:1: expected a neighbour (a whole number from 1 to 2), found "4"`},
		{"a.graph", "2 1\n2 1\n1\n", ":2:3: vertex 1 is its own neighbour"},
		{"a.graph", "2 1 1\n2\n1 5\n", ":2:2: expected a weight"},
		{"a.graph", "2 1 10\n\n5 1\n", ":2:1: expected a size or weight of the vertex"},
		{"a.graph", "2 1\n2\n1\n\n2\n", ":5:1: the line of vertex 4 is one more than the 2 of the first line"},
		{"a.graph", "3 2\n2 3\n1\n2\n", "but the reverse entry or its weight is missing"},
		{"a.graph", "2 1 1\n2 5\n1 6\n", "but the reverse entry or its weight is missing"},
		{"a.txt", "# x\n0 1\n1 b\n", `:3:3: expected a second label (a whole number from 0`},
		{"a.txt", "a b\n", `:1:1: "a b" is neither an edge, as two whole numbers, nor a line of known column names`},
		{"a.txt", "0 1\n1 2 0.5\n", `:2:5: the number of columns is 3 here and 2 in line 1: write one edge per`},
		{"a.txt", "0 1 4\n1 2 3 0\n", `:2:7: the number of columns is 4 here and 3 in line 1: write one edge per line, also`},
		{"a.csv", "0,1,4,5\n1,2,3\n", `:2:6: the number of columns is 3 here and 4 in line 1`},
		{"a.txt", strings.Repeat("1 2 3\n", 99) + "1 2\n" + strings.Repeat("1 2 3\n", 99), `:100:4: the number of columns`},
		{"a.txt", "5\n0 1\n", ":1:1: the line has one column, and an edge has two labels: put # before a line of counts"},
		{"a.txt", "# src dst weight\n0 1 1\n1 2\n", ":3:4: the number of columns is 2 here and 3 in line 2"},
		{"a.txt", "0 1\n" + strings.Repeat("9", 60) + " 1\n", `found "` + strings.Repeat("9", 40) + `..."`},
		{"a.dat", "0 1\n", "is unknown: let its name end with one of .mtx, .mm (Matrix Market), .gr (DIMACS)"},
	} {
		for _, end := range []string{"", ".gz"} {
			path := stored(t, c.name+end, c.content)
			refused(t, "file:"+path, path, c.want)
		}
	}
}

// A file of another format is named by its first bytes, whatever format= says, or by its name.
func TestForeignFiles(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"a.npy", "\x93NUMPY\x01\x00v", "is an array of NumPy, which the program does not read: save an edge list by "},
		{"a.mat", "MATLAB 5.0 MAT-file\x00", "is a file of MATLAB, which the program does not read: write the matrix"},
		{"a.parquet", "PAR1\x15\x04\x00", "is a table in Parquet format, which the program does not read: write its columns"},
		{"a.RData", "RDX3\nX\n\x00", "is a data file of R, which the program does not read: write the edges as text"},
		{"a.pkl", "\x80\x04\x95\x00", "is a pickle of Python"},
		{"a.mtx", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n", "as by git lfs pull"},
		{"a.h5", "\x89HDF\r\n\x1a\n\x00", "in HDF5 format"}, {"a.feather", "ARROW1\x00\x00", "in Arrow format"},
		{"a.sg", "version https://git-lfs.github.com/spec/v1\n", "as by git lfs pull"},
		{"a.zip", "PK\x05\x06" + strings.Repeat("\x00", 18), "is a zip archive without files"},
	} {
		for _, name := range []string{c.name, "x.txt", "x.unknown"} {
			refused(t, "file:"+stored(t, name, c.content), c.want)
		}
		refused(t, "file:"+stored(t, "x", c.content)+",format=snap", c.want)
	}
	refused(t, "file:"+stored(t, "a.rds.gz", "X\n\x00\x00\x00\x03"), "is a data file of R")
	refused(t, "file:"+stored(t, "a.xlsx", string(zipOf(t, []file{{"xl/workbook.xml", "<?xml"}}))), "save it as CSV")
}

func TestUnreadableFiles(t *testing.T) {
	refused(t, "file:"+filepath.Join(t.TempDir(), "none.mtx"), "no such file")
	refused(t, "file:"+stored(t, "plain.mtx.gz.txt", "x"), ":1:1:")
	refused(t, "file:"+stored(t, "a.v", "1\n2\n"), "a list of vertices, as LDBC has")
	refused(t, "file:"+stored(t, "a", "AdjacencyGraph\n1\n0\n0\n"), "is in Ligra's format, which the program does not")
	refused(t, "file:"+stored(t, "a.wsg", "\x00\x01"), "is a serialized graph of GAP", "-f NAME.wsg -w -e NAME.wel")
	refused(t, "file:"+stored(t, "a.gr", "p sp 9 99\na 1 2 3\n"), "99 here, but the file has only 18 bytes: it is cut")
	refused(t, "file:"+stored(t, "a.txt", "0 1\r1 2\r"), `as by tr '\r' '\n'`)
	refused(t, "file:"+stored(t, "a.mtx", "<!DOCTYPE html>\n<html>"), "HTML, perhaps a page instead of the file")
	refused(t, "file:"+stored(t, "a.co", "p aux sp co 1\n"), "a list of coordinates")
	refused(t, "file:"+t.TempDir()+",format=gr", "is a directory")
	refused(t, "file:/dev/zero", "/dev/zero is a device: name a file or a pipe")
}

// Files of many blocks, with an error in a later block, and with a line longer than a block.
func TestFilesOfManyBlocks(t *testing.T) {
	expect.SkipIf(t, testing.Short(), "the race detector takes minutes for it")
	const n = 300000
	var lines strings.Builder
	lines.WriteString("# Nodes: 5\n")
	for v := range n {
		if v%1000 == 0 {
			lines.WriteString("# a comment\n\n")
		}
		fmt.Fprintf(&lines, "%d %d\n", v, (v*7+1)%n)
	}
	path := stored(t, "long.txt", lines.String())
	one := expect.Value(mustParse(t, "file:"+path).Make(t.Context(), 1, 0))(t)
	many := made(t, "file:"+path)
	expect.That(t, one.Vertices() == n && same(one, many),
		"%d vertices, %d edges, and by several workers %d", one.Vertices(), one.Edges(), many.Edges())
	for v := range n {
		_, found := slices.BinarySearch(one.Row(v), uint32((v*7+1)%n))
		expect.Must(t, found || (v*7+1)%n == v, "edge of %d is missing", v)
	}
	broken := strings.Replace(lines.String(), "\n200000 ", "\nsix 1\n200000 ", 1)
	broken = strings.Replace(broken, "\n280000 ", "\nsix 1\n280000 ", 1)
	at := 1 + strings.Count(broken[:strings.Index(broken, "six")], "\n")
	path = stored(t, "broken.txt", broken)
	for range 5 {
		refused(t, "file:"+path, fmt.Sprintf("%s:%d:1: expected a label", path, at))
	}
	lines.Reset() // METIS: the line of the first vertex is longer than a block
	fmt.Fprintf(&lines, "%d %d\n", n, n-1)
	for v := 2; v <= n; v++ {
		fmt.Fprintf(&lines, "%d ", v)
	}
	lines.WriteString("\n" + strings.Repeat("1\n% a comment\n", n-1))
	g := made(t, "file:"+stored(t, "star.graph", lines.String()))
	expect.Equal(t, []int{g.Degree(0), int(g.Edges())}, []int{n - 1, n - 1}, "a star: degree, edges")
}

// A graph read once from a pipe equals the graph of the file, compressed or not.
func TestGraphsFromPipes(t *testing.T) {
	for _, name := range []string{"c.mtx", "sssp-hang-grid.gr.gz", "c.mtx.bz2", "c.mtx.xz", "c.mtx.zst", "Made.tar.gz",
		"d9-ok.gr", "m-1.graph", "snap-crlf.txt"} {
		path := filepath.Join("testdata/cases", name)
		text := expect.Read(t, path)
		options := ""
		if strings.HasSuffix(name, ".graph") { // the content does not name this format
			options = ",format=metis"
		}
		want, got := made(t, "file:"+path), made(t, "file:"+expect.Pipe(t, text)+options)
		expect.Equal(t, same(got, want), true, name)
		expect.That(t, got.Source.Pipe && !want.Source.Pipe && got.Source.Fingerprint == want.Source.Fingerprint &&
			got.Source.Fingerprint.Bytes == int64(len(text)), "%s: source %+v, want as %+v", name, got.Source, want.Source)
	}
	refused(t, "file:"+expect.Pipe(t, ""), "is empty")
}

// An interruption ends waiting for a pipe.
func TestInterruptedPipe(t *testing.T) {
	path := expect.Pipe(t)
	stop := errors.New("stopped by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	writer := expect.Value(os.OpenFile(path, os.O_RDWR, 0))(t)
	defer writer.Close()
	expect.NoError(t, expect.Err(writer.WriteString(strings.Repeat("0 1\n", 3000))))
	cancel(stop)
	_, err := mustParse(t, "file:"+path+",format=snap").Make(ctx, 1, 0)
	expect.Equal(t, errors.Is(err, stop), true, err)
}

func TestPanicOfAParserIsTheCallers(t *testing.T) {
	p := parsing{task: task{ctx: t.Context(), workers: 2}, header: &header{}, format: format{
		line: func(*header, *block, *chunk) { panic(commtest.ErrPlanted) },
	}}
	p.header.text = &text{in: bufio.NewReader(strings.NewReader(strings.Repeat("0 1\n", blockBytes)))}
	commtest.EndsByPanic(t, "TestPanicOfAParser", func() { _ = p.run() })
}

// A graph that is written and read again is the same, in every format that can store it.
func TestRoundTrips(t *testing.T) {
	for i, c := range []struct{ spec, back, limited string }{ // to the formats that are not named here
		{"kron:scale=8", "weights=none", ""},
		{"kron:scale=8,loops=keep", "loops=keep,weights=none", "metis"},
		{"kron:scale=8,loops=keep,symmetric=no,duplicates=keep", "loops=keep,symmetric=auto,duplicates=keep,weights=none",
			"metis"},
		{"uniform:vertices=2000,degree=3,weights=uniform", "", "gr metis"},
		{"rmat:scale=8,symmetric=no,weights=uniform", "symmetric=auto", "gr metis"},
		{"road:30x20", "weights=none", ""},
		{"file:testdata/integers.gr", "", ""},
		{"file:testdata/integers.gr,symmetric=no", "symmetric=auto", "metis"},
	} {
		g := made(t, c.spec)
		for _, f := range formats() {
			name := "graph" + f.extensions[0] + []string{"", ".gz"}[i%2]
			w := expect.Value(WriterOf(name))(t)
			if err := w.Check(g); err != nil || strings.Contains(c.limited, f.name) {
				expect.Equal(t, err != nil, strings.Contains(c.limited, f.name), c.spec, "as", name, "gives", err)
				continue
			}
			file := expect.Written(t, func(to io.Writer) error { return w.Write(to, c.spec, g) })
			back := made(t, strings.TrimSuffix("file:"+expect.File(t, name, file)+","+c.back, ","))
			expect.Equal(t, same(back, g), true, c.spec, "as", name, "comes back")
		}
	}
}

// Vertex numbers begin at 1, except in SNAP's format; a symmetric matrix has its lower triangle.
func TestWrittenText(t *testing.T) {
	for path, want := range map[string]string{
		"a.mtx":   "%%MatrixMarket matrix coordinate real symmetric\n% five, written by g500\n3 3 2\n2 1 7\n3 1 2\n",
		"a.gr":    "c five, written by g500\np sp 3 4\na 1 2 7\na 1 3 2\na 2 1 7\na 3 1 2\n",
		"a.graph": "% five, written by g500\n3 2 001\n2 7 3 2\n1 7\n1 2\n",
		"a.txt":   "# five, written by g500\n# Nodes: 3 Edges: 2\n# src dst weight\n0 1 7\n0 2 2\n",
	} {
		g := made(t, "file:"+stored(t, "b.gr", "p sp 3 2\na 2 1 7\na 1 3 2\n"))
		w := expect.Value(WriterOf(path))(t)
		expect.Equal(t, expect.Written(t, func(to io.Writer) error { return w.Write(to, "five", g) }), want, path)
	}
}
