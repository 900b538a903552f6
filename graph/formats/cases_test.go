package formats

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// oneWay is a text of the note on arcs that are searched in both directions.
const oneWay = "symmetric=no keeps the graph directed"

const folder = "testdata/cases/"

// answer is a row of answers.csv.
type answer struct{ file, spec, vertices, edges, weights, loops, duplicates, text string }

// read reports whether the file is read; else the text is in its refusal.
func (a answer) read() bool { return a.vertices != "" }

// answers returns the rows of answers.csv.
func answers(t *testing.T) (all []answer) {
	t.Helper()
	list, err := os.Open(folder + "answers.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	rows, err := csv.NewReader(list).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows[1:] {
		spec := strings.TrimSuffix("file:"+folder+r[0]+","+r[1], ",")
		all = append(all, answer{r[0], spec, r[2], r[3], r[4], cmp.Or(r[5], "0"), cmp.Or(r[6], "0"), r[7]})
	}
	return all
}

// Each extension of a format and each packing has a file that is read, or a refusal that names its cure. The texts that
// list formats have all of them.
func TestRowsOfFormatsHaveCases(t *testing.T) {
	var names []string
	for _, a := range answers(t) {
		if a.read() {
			names = append(names, a.file)
		}
	}
	has := func(extension string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name+".", extension+".") })
	}
	unknown, err := os.ReadFile(folder + "g.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range formats() {
		for _, extension := range f.extensions {
			if !has(extension) {
				t.Errorf("answers.csv has no file %s that is read", extension)
			}
			refused(t, "file:"+stored(t, "x.unknown", string(unknown)), extension, f.title, f.name)
		}
		if err := CheckPath("x.unknown"); !strings.Contains(err.Error(), f.extensions[0]) {
			t.Errorf("%s is not in %q", f.extensions[0], err)
		}
	}
	for _, p := range packings() {
		if p.open != nil && !has(p.extension) {
			t.Errorf("answers.csv has no file %s that is read", p.extension)
		}
		if p.open == nil {
			content := strings.Repeat(" ", p.offset) + p.magic + "..."
			refused(t, "file:"+stored(t, "x.txt", content), p.name, "as by "+p.cure+" FILE")
		}
	}
}

// Every file of the collections' formats is read with the right counts, or refused with one clear sentence. Self-loops
// and duplicates are as maps count them in the graph that keeps both.
func TestFilesOfCollections(t *testing.T) {
	for _, a := range answers(t) {
		if !a.read() {
			refused(t, a.spec, a.text)
			continue
		}
		g, sum := made(t, a.spec), 0.0
		for _, w := range g.Weights {
			sum += float64(w) / 2
		}
		repeats := checkRepeats(t, a.spec)
		got := answer{a.file, a.spec, fmt.Sprint(g.Vertices()), fmt.Sprint(g.Edges()), fmt.Sprint(sum),
			fmt.Sprint(repeats.Loops), fmt.Sprint(repeats.Duplicates), a.text}
		if a.weights == "" {
			got.weights = ""
		}
		if got != a {
			t.Errorf("%+v, want %+v", got, a)
		}
		checkNotes(t, a.file, g, a.text)
	}
}

// checkNotes checks that a graph has no note if want is empty, else a note with that text.
func checkNotes(t *testing.T, name string, g *Graph, want string) {
	t.Helper()
	found := want == "" && len(g.Notes) == 0
	for _, note := range g.Notes {
		found = found || want != "" && strings.Contains(note, want)
		if !isSentence(note) {
			t.Errorf("%s: note %q", name, note)
		}
	}
	if !found {
		t.Errorf("%s: notes %q, want one with %q", name, g.Notes, want)
	}
}

// A skew-symmetric matrix is the same graph in each storage scheme, with negative weights only.
func TestSkewSymmetricFormsAreOneGraph(t *testing.T) {
	const general = "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 1.5\n2 1 -1.5\n2 3 2\n3 2 -2\n"
	const skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n"
	forms := []string{general, skew + "2 1 -1.5\n3 2 -2\n", skew + "2 1 1.5\n3 2 2\n", skew + "1 2 1.5\n3 2 -2\n"}
	want := weightedArcs(t, made(t, "file:"+stored(t, "a.mtx", general)))
	for _, form := range forms {
		got := weightedArcs(t, made(t, "file:"+stored(t, "a.mtx", form)))
		if !maps.Equal(got, want) || got[arc{0, 1}] != -1.5 || got[arc{1, 0}] != -1.5 {
			t.Errorf("%q: %v, want %v", form, got, want)
		}
	}
	refused(t, "file:"+stored(t, "a.mtx", skew+"2 2 1\n3 2 1\n"), "diagonal")
}

// A column has weights only if the spec, a line of names, or the file format says so.
func TestColumnsOfEdgeLists(t *testing.T) {
	for _, c := range []struct {
		name, content, options string
		want                   map[arc]float32
		note                   string
	}{
		{"a.txt", "0 1 5\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, "if column 3 has weights, give columns=src,dst,we"},
		{"a.txt", "0 1 x 5\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0},
			"a.txt ignored because unnamed: if column 4 has weights, give columns=src,dst,-,weight"},
		{"a.txt", "0 1 x y\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, "a.txt ignored because unnamed"},
		{"a.txt", "0 1 {}\n1 0 {'a': 1}\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, "column 3 of"},
		{"a.tsv", "0\t1\t\t\n1\t0\tx\t5\n0\t1\t\t7\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, "columns 3 to 4"},
		{"a.csv", "0,1,,\n1,0,x,5\n0,1,\"a,b\",\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, "column 3"},
		{"a.txt", "0 1 5\n", ",columns=src,dst,weight", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"a.txt", "0 1 7 5\n", ",columns=src,dst,time,weight", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"a.txt", "5 0 1\n", ",columns=-,dst,src,symmetric=no", map[arc]float32{{1, 0}: 0}, ""},
		{"a.txt", "name other weight\n0 1 5\n", ",columns=src,dst,weight", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"a.txt", "# FromNodeId ToNodeId\n0 1 5\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, "column 3 of"},
		{"a.txt", "# FromNodeId ToNodeId Weight\n0 1 5\n", "", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"a.csv", "source,target,kind,weight\n0,1,,5\n", "", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"a.CSV", "id_1,id_2\n0 , 1\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, ""},
		{"a.csv", "source;target;weight\n0;1;5\n", "", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"a.csv", "\"Source\",\"Name, short\",\"Target\",\"Weight\"\n\"0\",\"a, b\",\"1\",\"5\"\n", "",
			map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"a.csv", "\"0\",\"1\"\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, ""},
		{"a-e.csv", "0|1|.5\n", ",columns=src,dst,weight", map[arc]float32{{0, 1}: 0.5, {1, 0}: 0.5}, ""},
		{"a.edges", "0 1 {'weight': 5, 'year': 2020}\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, "columns 3 to 6"},
		{"a.txt", "# Nodes: 2 Edges: 2\n0 1\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, "it may be cut off"},
		{"out.a", "% sym unweighted\n% 2 2 2\n1 2\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, "its comments say 2"},
		{"out.a", "% sym positive\n% 2 2 2\n1 2\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, ""},
		{"a.wel", "0 1 5\n", "", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"out.a", "% sym posweighted\n1 2 5\n", "", map[arc]float32{{0, 1}: 5, {1, 0}: 5}, ""},
		{"out.a", "% sym unweighted\n1 2\n", ",symmetric=no", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, ""},
		{"out.a", "% asym unweighted\n1 2\n", ",symmetric=no", map[arc]float32{{0, 1}: 0}, ""},
		{"a.txt", "# Undirected graph: a.txt\n0 1\n", ",symmetric=no", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, ""},
		{"out.a", "% sym positive\n1 2 5\n", "", map[arc]float32{{0, 1}: 0, {1, 0}: 0}, "column 3 of"},
		{"out.a", "% bip weighted\n% 1 2 3\n1 2 5 1300000000\n", "", map[arc]float32{{0, 3}: 5, {3, 0}: 5}, "is bipartite"},
		{"a.MTX", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", "",
			map[arc]float32{{0, 1}: 0, {1, 0}: 0}, oneWay},
		{"a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 16777217\n2 1 16777218\n", ",symmetric=no",
			map[arc]float32{{0, 1}: 16777216, {1, 0}: 16777218}, "1 weights of"},
		{"a.txt", "# src dst weight\n0 1 0.1\n1 2 1.2345678\n2 3 -0.00000012345678\n3 4 1e10\n4 5 0.50000000\n",
			",symmetric=no",
			map[arc]float32{{0, 1}: 0.1, {1, 2}: 1.2345678, {2, 3}: -0.00000012345678, {3, 4}: 1e10, {4, 5}: 0.5},
			"2 weights of"},
	} {
		g := made(t, "file:"+stored(t, c.name, c.content)+c.options)
		if got := weightedArcs(t, g); !maps.Equal(got, c.want) {
			t.Errorf("%s with %q and %s: %v, want %v", c.name, c.content, c.options, got, c.want)
		}
		checkNotes(t, c.content, g, c.note)
	}
	for _, c := range []struct{ name, content, options, want string }{
		{"a.csv", "src,dst,weight\n0,1,\n", "", ":2:5: expected a weight"},
		{"a.csv", "src,dst\n0,b\n", "", `found "b": number vertices that have names`},
		{"a.csv", "src,dst\n0,b\n", ",labels=renumber", `found "b": number vertices that have names`},
		{"a.wel", "0 1 1_000\n", "", `:1:5: expected a weight (a number of single precision), found "1_000"`},
		{"a.wel", "0 1 0x1p3\n", "", `:1:5: expected a weight`},
		{"a.csv", "0,,1\n", "", ":1:3: expected a second label (a whole number from 0"},
		{"out.a", "% asym dynamic\n1 2 1 5\n", "", "dynamic graph"},
		{"out.a", "% sym unweighted\n0 1\n", "", "labels begin at 1"},
		{"a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", ",columns=src,dst", "leave it out"},
	} {
		refused(t, "file:"+stored(t, c.name, c.content)+c.options, c.want)
	}
}
