package formats

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// notRead are the files that answers.csv lists as readable and the program refuses, with a text of its sentence.
var notRead = map[string]string{
	"Made.tar.gz": "is a tar archive", "tarred.mtx.gz": "is a tar archive", "c.mtx.xz": "compressed by xz",
	"c.mtx.zip": "is a zip archive", "c.mtx.zst": "compressed by zstd", "ligra.adj": "in Ligra's format",
	"snap-bigid.txt": "larger ones must be renumbered", "snap-sparse-labels.txt": "renumber its labels from 0",
}

// refusals has a text of the sentence with which each other file is refused.
var refusals = map[string]string{
	"c0.txt": "has no edge", "comments.txt": "has no edge", "d2-col.col": "DIMACS colouring format",
	"d9-edgemismatch.gr": "the number of arcs is 2 here, but the file has 4", "d9-max.gr": "maximum flow format",
	"d9-noc-text.gr": "the line ends where a weight", "empty.txt": "is empty", "g.gml": "is GML", "g.graphml": "GraphML",
	"g.net": "Pajek", "galois.gr": "binary Galois file", "m-double-count.graph": "2 times the edges",
	"m-isolated-nofinal.graph": "the line of vertex 4 of 5 is missing", "m-selfloop.graph": "no self-loops",
	"m-zero-based.graph": "labels begin at 1", "mtx-array.mtx": "dense matrix", "mtx-complex-general.mtx": "is complex",
	"mtx-float-size.mtx": `"1.0" stands where a row, a whole number`, "mtx-hermitian-complex.mtx": "is complex",
	"mtx-inf.mtx": "beyond single precision", "mtx-int-hermitian.mtx": "is hermitian",
	"mtx-nrvis-2sizes.mtx": "no size line", "mtx-pattern-with-values.mtx": "a pattern matrix has no values",
	"mtx-rect.mtx": "is rectangular, with 3 rows and 5 columns", "mtx-zero-based.mtx": "labels begin at 1",
	"pace.gr": "PACE format (p tw)", "rb.rb": "Rutherford-Boeing",
}

// readings are options that a file needs, the sum of its weights, and a text of the note that the user gets.
var readings = map[string]struct {
	options string
	weights float64
	note    string
}{
	"csv-header.csv":            {"", 4.5, ""},
	"g.tsv":                     {"", 0, "column 3"},
	"gap.wel":                   {"", 18, ""},
	"ldbc.e":                    {"", 0, "column 3"},
	"mtx-double.mtx":            {"", 4, ""},
	"mtx-fortran-d.mtx":         {"", 3.5, ""},
	"mtx-one-percent.mtx":       {"", 0, "one percent sign"},
	"mtx-unsigned.mtx":          {"", 3, ""},
	"out.konect-bip":            {"", 0, "is bipartite"},
	"really-plain.mtx.gz":       {"", 0, "plain text"},
	"snap-4cols.txt":            {"", 0, "columns 3 to 4"},
	"snap-ctemporal.txt":        {"", 0, "column 3"},
	"snap-noext":                {"", 0, ""},
	"snap-signed.txt":           {"", 0, "column 3"},
	"mtx-integer-symmetric.mtx": {"", 19, ""},
}

// Every file of the collections' formats is read with the right counts, or refused with one clear sentence.
func TestFilesOfCollections(t *testing.T) {
	const folder = "testdata/cases"
	list, err := os.Open(filepath.Join(folder, "answers.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	rows, err := csv.NewReader(list).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		name := row[0]
		g, err := mustParse(t, "file:"+filepath.Join(folder, name)+readings[name].options).Make(t.Context(), 2, 1<<30)
		why := refusals[name] + notRead[name]
		switch {
		case row[1] == "refuse" && refusals[name] == "" || row[1] == "read" && refusals[name] != "":
			t.Errorf("%s: the tables of this test are not those of answers.csv", name)
		case why != "" && (err == nil || !strings.Contains(err.Error(), why) || !isSentence(err.Error())):
			t.Errorf("%s: %v, want a refusal with %q", name, err, why)
		case why != "":
		case err != nil:
			t.Errorf("%s: %v", name, err)
		default:
			checkReading(t, name, g, row)
		}
	}
}

func checkReading(t *testing.T, name string, g *Graph, row []string) {
	t.Helper()
	if got := []string{fmt.Sprint(g.Vertices()), fmt.Sprint(g.Edges())}; !slices.Equal(got, row[2:4]) {
		t.Errorf("%s: vertices and edges %v, want %v", name, got, row[2:4])
	}
	want := readings[name]
	sum := 0.0
	for _, w := range g.Weights {
		sum += float64(w) / 2
	}
	if want.weights != 0 && sum != want.weights {
		t.Errorf("%s: the weights sum to %g, want %g", name, sum, want.weights)
	}
	notes := strings.Join(g.Notes, "\n")
	if want.note == "" && notes != "" || !strings.Contains(notes, want.note) || !isSentence(notes) {
		t.Errorf("%s: notes %q, want one with %q", name, notes, want.note)
	}
}

// isSentence reports whether a text is one line without bytes of a binary file.
func isSentence(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) &&
		!strings.Contains(text, `\x`)
}

// A skew-symmetric matrix is one graph in each storage scheme; all its weights are negative, therefore shortest
// paths refuse each file with the same sentence.
func TestSkewSymmetricFormsAreOneGraph(t *testing.T) {
	const general = "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 1.5\n2 1 -1.5\n2 3 2\n3 2 -2\n"
	const skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n"
	forms := []string{general, skew + "2 1 -1.5\n3 2 -2\n", skew + "2 1 1.5\n3 2 2\n", skew + "1 2 1.5\n3 2 -2\n"}
	want := weightedArcs(made(t, "file:"+stored(t, "a.mtx", general)))
	for _, form := range forms {
		got := weightedArcs(made(t, "file:"+stored(t, "a.mtx", form)))
		if !maps.Equal(got, want) || got[arc{0, 1}] != -1.5 || got[arc{1, 0}] != -1.5 {
			t.Errorf("%q: %v, want %v", form, got, want)
		}
	}
	path := stored(t, "a.mtx", skew+"2 2 1\n3 2 1\n")
	_, err := mustParse(t, "file:"+path).Make(t.Context(), 1, 0)
	if err == nil || !strings.Contains(err.Error(), "diagonal") {
		t.Errorf("%v", err)
	}
}

// A column has weights only if it is named: by the spec, by a line of names, or by the form of the file.
func TestColumnsOfEdgeLists(t *testing.T) {
	for _, c := range []struct {
		name, content, options string
		want                   map[arc]float32
		note                   string
	}{
		{"a.txt", "0 1 5\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, "column 3 of"},
		{"a.txt", "0 1 5\n", ",columns=src,dst,weight", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"a.txt", "0 1 7 5\n", ",columns=src,dst,time,weight", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"a.txt", "5 0 1\n", ",columns=-,dst,src,directed=true", map[arc]float32{{1, 0}: 0}, ""},
		{"a.txt", "name other weight\n0 1 5\n", ",columns=src,dst,weight", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"a.txt", "# FromNodeId ToNodeId\n0 1 5\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, "column 3 of"},
		{"a.txt", "# FromNodeId ToNodeId Weight\n0 1 5\n", "", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"a.csv", "source,target,kind,weight\n0,1,,5\n", "", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"a.CSV", "id_1,id_2\n0 , 1\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, ""},
		{"a.wel", "0 1 5\n", "", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"out.a", "% sym posweighted\n1 2 5\n", "", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"out.a", "% sym positive\n1 2 5\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, "column 3 of"},
		{"out.a", "% bip weighted\n% 1 2 3\n1 2 5 1300000000\n", "", map[arc]float32{{0, 3}: 5, {3, 0}: 5}, "is bipartite"},
		{"a.MTX", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", "",
			map[arc]float32{{0, 1}: 0, {1, 0}: 0}, ""},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 16777217\n2 1 16777218\n", ",directed=true",
			map[arc]float32{{0, 1}: 16777216, {1, 0}: 16777218}, "1 weights of"},
	} {
		g := made(t, "file:"+stored(t, c.name, c.content)+c.options)
		got, notes := weightedArcs(g), strings.Join(g.Notes, "\n")
		if !maps.Equal(got, c.want) || c.note == "" && notes != "" || !strings.Contains(notes, c.note) {
			t.Errorf("%s with %q and %s: %v, notes %q, want %v with %q", c.name, c.content, c.options, got, notes, c.want,
				c.note)
		}
	}
	for _, c := range []struct{ name, content, options, want string }{
		{"a.csv", "src,dst,weight\n0,1,\n", "", ":2:5: the line ends where a weight"},
		{"a.csv", "0,,1\n", "", ":1:3: a column is empty where a second label"},
		{"out.a", "% asym dynamic\n1 2 1 5\n", "", "dynamic graph"},
		{"out.a", "% sym unweighted\n0 1\n", "", "labels begin at 1"},
		{"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", ",columns=src,dst", "leave it out"},
	} {
		_, err := mustParse(t, "file:"+stored(t, c.name, c.content)+c.options).Make(t.Context(), 1, 0)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %q: %v, want %q", c.name, c.content, err, c.want)
		}
	}
}
