package formats

import (
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stored writes a file, compressed if its name says so, and returns its path.
func stored(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if strings.HasSuffix(name, ".gz") {
		packed := gzip.NewWriter(file)
		defer packed.Close()
		_, err = packed.Write([]byte(content))
	} else {
		_, err = file.WriteString(content)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// weightedArcs are the entries of a graph with their weights, 0 where there are none.
func weightedArcs(g *Graph) map[arc]float32 {
	all := map[arc]float32{}
	for v := range g.Vertices() {
		for at := g.Offsets[v]; at < g.Offsets[v+1]; at++ {
			w := float32(0)
			if g.Weights != nil {
				w = g.Weights[at]
			}
			all[arc{v, int(g.Neighbours[at])}] = w
		}
	}
	return all
}

func TestReadersTakeWhatTheFormatsAllow(t *testing.T) {
	for _, c := range []struct {
		meaning, name, content, options string
		vertices                        int
		want                            map[arc]float32
	}{
		{"pattern, symmetric, comments, blank lines, no newline at the end", "a.mtx",
			"%%MatrixMarket matrix coordinate pattern symmetric\n% by hand\n\n4 4 3\n2 1\n\n% more\n 3\t1 \n3 3", "", 4,
			map[arc]float32{{0, 1}: 0, {1, 0}: 0, {0, 2}: 0, {2, 0}: 0}},
		{"real, general, carriage returns", "a.mtx",
			"%%MatrixMarket MATRIX Coordinate Real General\r\n3 3 2\r\n1 2 -1.5e1\r\n3 1 .25\r\n", "directed=true", 3,
			map[arc]float32{{0, 1}: -15, {2, 0}: 0.25}},
		{"integer, general, made symmetric", "a.mtx",
			"%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 7\n2 1 3\n", "", 2,
			map[arc]float32{{0, 1}: 3, {1, 0}: 3}},
		{"skew-symmetric", "a.mtx",
			"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 7\n", "directed=true", 2,
			map[arc]float32{{1, 0}: 7, {0, 1}: -7}},
		{"weights are left out", "a.mtx",
			"%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 7\n", "weights=none,directed=true", 2,
			map[arc]float32{{1, 0}: 0}},
		{"arcs of the ninth DIMACS challenge", "a.gr",
			"c roads\np sp 4 3\nc arcs\na 1 2 803\na 2 1 803\na 4 2 5\n", "", 4,
			map[arc]float32{{0, 1}: 803, {1, 0}: 803, {3, 1}: 5, {1, 3}: 5}},
		{"directed arcs", "a.gr", "p sp 4 2\na 1 2 803\na 4 2 5\n", "directed=true", 4,
			map[arc]float32{{0, 1}: 803, {3, 1}: 5}},
		{"METIS without weights, a vertex without an edge", "a.graph", "% by hand\n4 2\n3 2\n% second\n1\n1\n\n", "", 4,
			map[arc]float32{{0, 2}: 0, {2, 0}: 0, {0, 1}: 0, {1, 0}: 0}},
		{"METIS with edge weights, trailing blank lines", "a.graph", "3 2 1\n2 7\n1 7 3 9\n2 9\n\n\n", "", 3,
			map[arc]float32{{0, 1}: 7, {1, 0}: 7, {1, 2}: 9, {2, 1}: 9}},
		{"METIS with sizes, two vertex weights and edge weights", "a.graph", "2 1 111 2\n5 1 2 2 7\n5 3 4 1 7\n", "", 2,
			map[arc]float32{{0, 1}: 7, {1, 0}: 7}},
		{"METIS with a vertex weight", "a.graph", "2 1 10\n5 2\n6 1\n", "directed=true", 2,
			map[arc]float32{{0, 1}: 0, {1, 0}: 0}},
		{"SNAP", "a.txt", "# Directed graph\n# Nodes: 4 Edges: 2\n# FromNodeId\tToNodeId\n0\t5\n5\t2\n", "directed=true", 6,
			map[arc]float32{{0, 5}: 0, {5, 2}: 0}},
		{"SNAP with weights and vertices without edges", "a.txt", "# Nodes: 9 Edges: 1\n# src dst weight\n\n3 1 .5\n# end",
			"", 9,
			map[arc]float32{{3, 1}: 0.5, {1, 3}: 0.5}},
		{"a list with another name", "edges.el", "0 1\n", "format=snap", 2, map[arc]float32{{0, 1}: 0, {1, 0}: 0}},
		{"a name with a comma and an equals sign", "a,b=1,c.txt", "0 1\n", "directed=true", 2, map[arc]float32{{0, 1}: 0}},
	} {
		for _, end := range []string{"", ".gz"} {
			spec := "file:" + stored(t, c.name+end, c.content)
			if c.options != "" {
				spec += "," + c.options
			}
			g := made(t, spec)
			if got := weightedArcs(g); !maps.Equal(got, c.want) || g.Vertices() != c.vertices {
				t.Errorf("%s%s: %d vertices, %v, want %d, %v", c.meaning, end, g.Vertices(), got, c.vertices, c.want)
			}
		}
	}
}

func TestReadersNameTheLineAndTheColumn(t *testing.T) {
	const mtx, general = "%%MatrixMarket matrix coordinate ", "%%MatrixMarket matrix coordinate pattern general\n"
	for _, c := range []struct{ name, content, want string }{
		{"a.mtx", "", " is empty"},
		{"a.mtx", "1 1 1\n", `:1:1: "1" stands where %%matrixmarket or %matrixmarket is expected`},
		{"a.mtx", "%%MatrixMarket vector coordinate real general\n", `:1:16: "vector" stands where matrix is expected`},
		{"a.mtx", "%%MatrixMarket matrix array real general\n", ":1:23: the file has an array, which is a dense matrix"},
		{"a.mtx", mtx + "complex general\n", ":1:34: the matrix is complex"},
		{"a.mtx", mtx + "real hermitian\n", ":1:39: the matrix is hermitian"},
		{"a.mtx", mtx + "real\n", ":1:38: the line ends where general or "},
		{"a.mtx", general + "% only this\n", ":3:1: the file ends where the line with the numbers of rows,"},
		{"a.mtx", general + "3 x 1\n", `:2:3: "x" stands where the number of columns,`},
		{"a.mtx", general + "3 4 1\n", ":2:3: the matrix is rectangular, with 3 rows and 4 columns"},
		{"a.mtx", general + "0 0 0\n", `:2:1: "0" stands where the number of rows, a whole number from 1 to 4294967295, is`},
		{"a.mtx", general + "3 3\n", ":2:1: two numbers are where the line with the numbers of rows, columns and entries"},
		{"a.mtx", general + "3 3 1 1\n", `:2:7: "1" stands where the line should end after the number of entries`},
		{"a.mtx", general + "3 3 1\n% c\n1 4\n", `:4:3: "4" stands where a column, a whole number from 1 to 3, is expected`},
		{"a.mtx", general + "3 3 1\n0 1\n", `:3:1: "0" stands where a row, a whole number from 1 to 3, is expected`},
		{"a.mtx", general + "3 3 1\n-1 1\n", `:3:1: "-1" stands where a row,`},
		{"a.mtx", general + "3 3 1\n1\n", ":3:2: the line ends where a column,"},
		{"a.mtx", general + "3 3 1\n 1 2 0.5\n", `:3:6: "0.5" stands where the line should end after the row and`},
		{"a.mtx", general + "3 3 2\n1 2\n", ":2:5: the number of entries is 2 here, but the file has 1: it is cut off"},
		{"a.mtx", general + "3 3 1\n1 2\n2 3\n", ":2:5: the number of entries is 1 here, but the file has 2"},
		{"a.mtx", mtx + "real general\n3 3 1\n1 2\n", ":3:4: the line ends where a weight, a number of single precision,"},
		{"a.mtx", mtx + "real general\n3 3 1\n1 2 x\n", `:3:5: "x" stands where a weight,`},
		{"a.mtx", mtx + "real general\n3 3 1\n1 2 nan\n", `:3:5: "nan" stands where a weight,`},
		{"a.mtx", mtx + "real general\n3 3 1\n1 2 1e99\n", `:3:5: the weight "1e99" is beyond single precision`},
		{"a.gr", "c only\n", ":2:1: the file ends where the line p sp VERTICES ARCS is expected"},
		{"a.gr", "a 1 2 3\n", `:1:1: "a" stands where p, as in p sp VERTICES ARCS, is expected`},
		{"a.gr", "p max 3 1\n", ":1:3: the file has the maximum flow format (p max)"},
		{"a.gr", "p sp 3\n", ":1:7: the line ends where the number of arcs,"},
		{"a.gr", "p sp 3 1\n\nc x\n1 2 3\n", `:4:1: "1" stands where an arc, as a FROM TO WEIGHT, is expected`},
		{"a.gr", "p sp 3 1\na 1 9 3\n", `:2:5: "9" stands where the vertex that the arc enters, a whole number from 1 to 3,`},
		{"a.gr", "p sp 3 1\na 7 1 3\n", `:2:3: "7" stands where the vertex that the arc leaves,`},
		{"a.gr", "p sp 3 1\na 1 2\n", ":2:6: the line ends where a weight,"},
		{"a.gr", "p sp 3 2\na 1 2 3\n", ":1:8: the number of arcs is 2 here, but the file has 1"},
		{"a.graph", "%\n", ":2:1: the file ends where the line VERTICES EDGES is expected"},
		{"a.graph", "3\n", ":1:2: the line ends where the number of edges,"},
		{"a.graph", "3 1 12\n", `:1:5: "12" stands where a format of up to three digits 0 or 1,`},
		{"a.graph", "3 1 011 0\n", `:1:9: "0" stands where the number of weights of a vertex,`},
		{"a.graph", "3 1 011 1 1\n", `:1:11: "1" stands where the line should end after`},
		{"a.graph", "2 1\n2\n% c\n4\n", `:4:1: "4" stands where a neighbour, a whole number from 1 to 2, is expected`},
		{"a.graph", "2 1\n2 1\n1\n", ":2:3: vertex 1 is its own neighbour"},
		{"a.graph", "2 1 1\n2\n1 5\n", ":2:2: the line ends where a weight,"},
		{"a.graph", "2 1 10\n\n5 1\n", ":2:1: the line ends where a size or weight of the vertex,"},
		{"a.graph", "3 1\n2\n1\n", ":4:1: the file ends, and the line of vertex 3 of 3 is missing"},
		{"a.graph", "2 1\n2\n1\n\n2\n", ":5:1: the line of vertex 4 is one more than the 2 that the first line tells of"},
		{"a.graph", "2 2\n2\n1\n", ":1:3: the number of edges is 2 here, which is 2 times the edges of the file"},
		{"a.graph", "3 2\n2 3\n1\n2\n", "but not the other way round with the same weight"},
		{"a.graph", "2 1 1\n2 5\n1 6\n", "but not the other way round with the same weight"},
		{"a.graph", "2 1\n2\n\n", "but not the other way round with the same weight"},
		{"a.txt", "# nothing\n", ":2:1: the file ends and has no edge"},
		{"a.txt", "# x\n0 1\n1 b\n", `:3:3: "b" stands where a second label (larger ones must be renumbered),`},
		{"a.txt", "0 4294967295\n", `:1:3: "4294967295" stands where a second label (larger ones must be renumbered),`},
		{"a.txt", "a b\n", `:1:1: "a b" is no edge, as two labels, and no line of known column names`},
		{"a.txt", "0 1\n1 2 0.5\n", `:2:5: "0.5" stands where the line should end after its last column`},
		{"a.txt", "# src dst weight\n0 1 1\n1 2\n", ":3:4: the line ends where a weight,"},
		{"a.txt", "0 1\n" + strings.Repeat("9", 60) + " 1\n", `:2:1: "` + strings.Repeat("9", 40) + `..." stands`},
		{"a.dat", "0 1\n", "is unknown: let its name end with .mtx, .gr, .graph (METIS) or .txt (edge list)"},
	} {
		for _, end := range []string{"", ".gz"} {
			path := stored(t, c.name+end, c.content)
			_, err := mustParse(t, "file:"+path).Make(t.Context(), 2, 0)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") ||
				!strings.Contains(err.Error(), path) {
				t.Errorf("%s with %q: %v, want %s", c.name+end, c.content, err, c.want)
			}
		}
	}
}

func TestReadersOfNoFile(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "none.mtx"): "no such file", stored(t, "plain.mtx.gz.txt", "x"): ":1:1:",
	} {
		if _, err := mustParse(t, "file:"+path).Make(t.Context(), 2, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	_, err := mustParse(t, "file:"+dir+",format=gr").Make(t.Context(), 2, 0)
	if err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a folder: %v", err)
	}
	path := filepath.Join(dir, "a.txt.gz")
	whole, err := os.ReadFile(stored(t, "b.txt.gz", strings.Repeat("0 1\n2 3\n4 17\n", 100000)))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = mustParse(t, "file:"+path).Make(t.Context(), 2, 0)
	if err == nil || !strings.Contains(err.Error(), "may be damaged") || strings.Contains(err.Error(), "\n") {
		t.Errorf("cut off: %v", err)
	}
}

// A file of many blocks, with an error in a later block that is found at its line, and lines longer than a block.
func TestFilesOfManyBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector takes minutes for it")
	}
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
	one, err := mustParse(t, "file:"+path).Make(t.Context(), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	many := made(t, "file:"+path)
	if one.Vertices() != n || !slices.Equal(one.Neighbours, many.Neighbours) || !slices.Equal(one.Offsets, many.Offsets) {
		t.Errorf("%d vertices, %d edges, and by several workers %d", one.Vertices(), one.Edges(), many.Edges())
	}
	for v := range n {
		if _, found := slices.BinarySearch(one.Row(v), uint32((v*7+1)%n)); !found && (v*7+1)%n != v {
			t.Fatalf("edge of %d is missing", v)
		}
	}
	broken := strings.Replace(lines.String(), "\n200000 ", "\nsix 1\n200000 ", 1)
	broken = strings.Replace(broken, "\n280000 ", "\nsix 1\n280000 ", 1)
	at := 1 + strings.Count(broken[:strings.Index(broken, "six")], "\n")
	path = stored(t, "broken.txt", broken)
	for range 5 {
		_, err = mustParse(t, "file:"+path).Make(t.Context(), 4, 0)
		if want := fmt.Sprintf("%s:%d:1: \"six\"", path, at); err == nil || !strings.Contains(err.Error(), want) {
			t.Fatalf("%v, want %s", err, want)
		}
	}
	lines.Reset() // METIS: the line of the first vertex is longer than a block
	fmt.Fprintf(&lines, "%d %d\n", n, n-1)
	for v := 2; v <= n; v++ {
		fmt.Fprintf(&lines, "%d ", v)
	}
	lines.WriteString("\n" + strings.Repeat("1\n% a comment\n", n-1))
	if g := made(t, "file:"+stored(t, "star.graph", lines.String())); g.Degree(0) != n-1 || g.Edges() != n-1 {
		t.Errorf("a star: degree %d, %d edges", g.Degree(0), g.Edges())
	}
}
