// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"g500/internal/expect"
)

// textOf returns the number of vertices and the edges of a graph with their weights: "3: 0-1:5 1-2:7", or "3: 0>1 1>2"
// if it is directed.
func textOf(g *Graph) string {
	text, joint := fmt.Sprintf("%d:", g.Vertices()), "-"
	if g.Directed {
		joint = ">"
	}
	_ = g.eachEdge(func(u, v int, at int64) error {
		text += fmt.Sprintf(" %d%s%d", u, joint, v)
		if g.Weights != nil {
			text += fmt.Sprintf(":%g", g.Weights[at])
		}
		return nil
	})
	return text
}

// A graph has the edges, the direction and the weights of its file, compressed or not, and a note if the reader changed
// it. A column has weights only if the spec, a line of names, or the file format says so. By default no graph is
// directed, and a note says if that adds directions; with symmetric=auto it is if its file says so.
func TestReaders(t *testing.T) {
	const mtx = "%%MatrixMarket matrix coordinate "
	for _, c := range []struct {
		name, content, options string
		want                   string // "" for a refusal
		note                   string // or a text of the refusal
	}{
		{"a.mtx", mtx + "pattern symmetric\n% by hand\n\n4 4 3\n2 1\n\n% more\n 3\t1 \n3 3", "", "4: 0-1 0-2", ""},
		{"a.mtx", "%%MatrixMarket MATRIX Coordinate Real General\r\n3 3 2\r\n1 2 -1.5e1\r\n3 1 .25\r\n",
			"symmetric=no", "3: 0>1:-15 2>0:0.25", ""},
		{"a.mtx", mtx + "integer general\n2 2 2\n1 2 7\n2 1 3\n", "", "2: 0-1:3", ""},
		{"a.mtx", mtx + "real skew-symmetric\n2 2 1\n2 1 7\n", "symmetric=no", "2: 0>1:-7 1>0:7", ""},
		{"a.mtx", mtx + "real general\n2 2 1\n2 1 7\n", "weights=none,symmetric=no", "2: 1>0", ""},
		{"a.gr", "c roads\np sp 4 3\nc arcs\na 1 2 803\na 2 1 803\na 4 2 5\n", "", "4: 0-1:803 1-3:5", oneWay},
		{"a.gr", "p sp 4 2\na 1 2 803\na 4 2 5\n", "symmetric=no", "4: 0>1:803 3>1:5", ""},
		{"a.graph", "% by hand\n4 2\n3 2\n% second\n1\n1\n\n", "", "4: 0-1 0-2", ""},
		{"a.graph", "2 1 111 2\n5 1 2 2 7\n5 3 4 1 7\n", "", "2: 0-1:7", ""},
		{"a.graph", "2 1 10\n5 2\n6 1\n", "symmetric=no", "2: 0>1 1>0", ""},
		{"a.txt", "# Directed graph\n# Nodes: 4 Edges: 2\n# FromNodeId\tToNodeId\n0\t5\n5\t2\n",
			"symmetric=no", "6: 0>5 5>2", ""},
		{"a.txt", "# Nodes: 9 Edges: 1\n# src dst weight\n\n3 1 .5\n# end", "", "9: 1-3:0.5", ""},
		{"out.graph", "2 1\n2\n1\n", "", "2: 0-1", ""},
		{"edges.el", "0 1\n", "format=snap", "2: 0-1", ""},
		{"a,b=1,c.txt", "0 1\n", "symmetric=no", "2: 0>1", ""},
		{"a.txt", "0 1 5\n", "", "2: 0-1", "if column 3 has weights, give columns=src,dst,we"},
		{"a.txt", "0 1 x 5\n",
			"", "2: 0-1", "ignored because unnamed: if column 4 has weights, give columns=src,dst,-,weight"},
		{"a.txt", "0 1 {}\n1 0 {'a': 1}\n", "", "2: 0-1", "column 3 of"},
		{"a.tsv", "0\t1\t\t\n1\t0\tx\t5\n0\t1\t\t7\n", "", "2: 0-1", "columns 3 to 4"},
		{"a.csv", "0,1,,\n1,0,x,5\n0,1,\"a,b\",\n", "", "2: 0-1", "column 3"},
		{"a.txt", "0 1 7 5\n", "columns=src,dst,time,weight", "2: 0-1:5", ""},
		{"a.txt", "5 0 1\n", "columns=-,dst,src,symmetric=no", "2: 1>0", ""},
		{"a.txt", "name other weight\n0 1 5\n", "columns=src,dst,weight", "2: 0-1:5", ""},
		{"a.txt", "# FromNodeId ToNodeId\n0 1 5\n", "", "2: 0-1", "column 3 of"},
		{"a.txt", "# FromNodeId ToNodeId Weight\n0 1 5\n", "", "2: 0-1:5", ""},
		{"a.csv", "source,target,kind,weight\n0,1,,5\n", "", "2: 0-1:5", ""},
		{"a.CSV", "id_1,id_2\n0 , 1\n", "", "2: 0-1", ""},
		{"a.csv", "source;target;weight\n0;1;5\n", "", "2: 0-1:5", ""},
		{"a.csv", "\"Source\",\"Name, short\",\"Target\",\"Weight\"\n\"0\",\"a, b\",\"1\",\"5\"\n", "", "2: 0-1:5", ""},
		{"a.csv", "\"0\",\"1\"\n", "", "2: 0-1", ""},
		{"a-e.csv", "0|1|.5\n", "columns=src,dst,weight", "2: 0-1:0.5", ""},
		{"a.edges", "0 1 {'weight': 5, 'year': 2020}\n", "", "2: 0-1", "columns 3 to 6"},
		{"a.txt", "# Nodes: 2 Edges: 2\n0 1\n", "", "2: 0-1", "it may be cut off"},
		{"out.a", "% sym unweighted\n% 2 2 2\n1 2\n", "", "2: 0-1", "its comments say 2"},
		{"out.a", "% sym positive\n% 2 2 2\n1 2\n", "", "2: 0-1", ""},
		{"a.wel", "0 1 5\n", "", "2: 0-1:5", ""},
		{"out.a", "% sym posweighted\n1 2 5\n", "", "2: 0-1:5", ""},
		{"out.a", "% sym unweighted\n1 2\n", "symmetric=no", "2: 0>1 1>0", ""},
		{"out.a", "% asym unweighted\n1 2\n", "symmetric=no", "2: 0>1", ""},
		{"a.txt", "# Undirected graph: a.txt\n0 1\n", "symmetric=no", "2: 0>1 1>0", ""},
		{"out.a", "% sym positive\n1 2 5\n", "", "2: 0-1", "column 3 of"},
		{"out.a", "% bip weighted\n% 1 2 3\n1 2 5 1300000000\n", "", "5: 0-3:5", "is bipartite"},
		{"a.MTX", mtx + "pattern general\n2 2 1\n1 2\n", "", "2: 0-1", oneWay},
		{"a.mtx", mtx + "real general\n2 2 2\n1 2 16777217\n2 1 16777218\n",
			"symmetric=no", "2: 0>1:1.6777216e+07 1>0:1.6777218e+07", "1 weights of"},
		{"a.txt", "# src dst weight\n0 1 0.1\n1 2 1.2345678\n2 3 -0.00000012345678\n3 4 1e10\n4 5 0.50000000\n",
			"symmetric=no", "6: 0>1:0.1 1>2:1.2345678 2>3:-1.2345679e-07 3>4:1e+10 4>5:0.5", "2 weights of"},
		{"a.mtx", mtx + "pattern general\n3 3 2\n2 1\n3 2\n", "symmetric=auto", "3: 1>0 2>1", ""},
		{"a.mtx", mtx + "pattern general\n3 3 3\n2 1\n1 2\n2 2\n", "symmetric=auto", "3: 0>1 1>0", ""},
		{"a.mtx", mtx + "pattern symmetric\n3 3 2\n2 1\n3 2\n", "symmetric=auto", "3: 0-1 1-2", ""},
		{"a.mtx", mtx + "real skew-symmetric\n3 3 1\n2 1 7\n", "symmetric=auto", "3: 0-1:-7", ""},
		{"a.gr", "p sp 3 2\na 1 2 5\na 2 3 1\n", "symmetric=auto", "3: 0>1:5 1>2:1", ""},
		{"a.graph", "3 2\n2\n1 3\n2\n", "symmetric=auto", "3: 0-1 1-2", ""},
		{"out.a", "% asym unweighted\n1 2\n", "symmetric=auto", "2: 0>1", ""},
		{"out.a", "% asym unweighted\n1 2\n", "", "2: 0-1", oneWay},
		{"out.a", "% sym unweighted\n1 2\n", "symmetric=auto", "2: 0-1", ""},
		{"out.a", "% bip unweighted\n1 2\n", "symmetric=auto", "3: 0-2", "is bipartite"},
		{"a.txt", "# Directed graph (each unordered pair of nodes is saved once): a.txt\n0 1\n",
			"symmetric=auto", "2: 0>1", ""},
		{"a.txt", "# Directed graph (each unordered pair of nodes is saved once): a.txt\n0 1\n", "", "2: 0-1", oneWay},
		{"a.txt", "# Undirected graph: a.txt\n0 1\n", "symmetric=auto", "2: 0-1", ""},
		{"a.txt", "0 1\n",
			"symmetric=auto", "2: 0-1", "does not say whether its edges have a direction, and each is an edge in both"},
		{"a.mtx", mtx + "real general\n3 3 4\n1 2 1.5\n2 1 -1.5\n2 3 2\n3 2 -2\n", "", "3: 0-1:-1.5 1-2:-2", ""},
		{"a.mtx", mtx + "real skew-symmetric\n3 3 2\n2 1 -1.5\n3 2 -2\n", "", "3: 0-1:-1.5 1-2:-2", ""},
		{"a.mtx", mtx + "real skew-symmetric\n3 3 2\n2 1 1.5\n3 2 2\n", "", "3: 0-1:-1.5 1-2:-2", ""},
		{"a.mtx", mtx + "real skew-symmetric\n3 3 2\n1 2 1.5\n3 2 2\n", "", "3: 0-1:-1.5 1-2:-2", ""},
		{"a.mtx", mtx + "real skew-symmetric\n3 3 2\n2 2 1\n3 2 1\n", "", "", "diagonal"},
		{"a.csv", "src,dst,weight\n0,1,\n", "", "", ":2:5: expected a weight"},
		{"a.csv", "src,dst\n0,b\n", "", "", `found "b": number vertices that have names`},
		{"a.csv", "src,dst\n0,b\n", "labels=renumber", "", `found "b": number vertices that have names`},
		{"a.wel", "0 1 1_000\n", "", "", `:1:5: expected a weight (a number of single precision), found "1_000"`},
		{"a.wel", "0 1 0x1p3\n", "", "", `:1:5: expected a weight`},
		{"a.csv", "0,,1\n", "", "", ":1:3: expected a second label (a whole number from 0"},
		{"out.a", "% asym dynamic\n1 2 1 5\n", "", "", "dynamic graph"},
		{"out.a", "% sym unweighted\n0 1\n", "", "", "labels begin at 1"},
		{"a.mtx", mtx + "pattern general\n2 2 1\n1 2\n", "columns=src,dst", "", "leave it out"},
		{"a.txt", "0 18446744073709551616\n",
			"labels=renumber", "", "expected a second label (a whole number from 0 to 2^64-1)"},
		{"a.txt", "0 +1\n", "labels=renumber", "", "expected a second label"},
		{"a.txt", "0 -1\n", "labels=renumber", "", "expected a second label"},
		{"a.txt", "0\n", "labels=renumber", "", "an edge has two labels"},
		{"a.txt", "% bip unweighted\n1 1\n", "labels=renumber", "", "is bipartite"},
		{"a.txt", mtx + "pattern general\n2 2 1\n1 2\n", "labels=renumber", "", "labels=renumber is for edge lists"},
	} {
		for _, end := range []string{"", ".gz"} {
			spec := strings.TrimSuffix("file:"+stored(t, c.name+end, c.content)+","+c.options, ",")
			if c.want == "" {
				refused(t, spec, c.note)
				continue
			}
			g := made(t, spec)
			entriesOf(t, g)
			expect.Equal(t, textOf(g), c.want, c.name+end, c.content, "and", c.options)
			checkNotes(t, c.content, g, c.note)
		}
	}
}

// A first line with the numbers of vertices and edges is no edge if that is certain; else it is one. A note names it.
func TestCountsBeforeEdges(t *testing.T) {
	const counts, edge = "was read as the numbers of vertices and edges", "was read as an edge, although"
	for _, c := range []struct {
		content, options string
		vertices         int
		edges            int64
		note             string
	}{
		{"6 7\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5\n", "", 6, 7, counts},
		{"6 6 7\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5\n", "", 6, 7, counts},
		{"# c\n\n6,7\n# c\n0,1\n1,2\n2,3\n3,4\n4,0\n1,3\n2,5\n", "", 6, 7, counts},
		{"9 7\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5", "", 9, 7, counts},
		{"6 7\n1 2\n2 3\n3 4\n4 5\n5 1\n2 4\n3 6\n", "", 8, 8, edge}, // labels from 1: 6 and 7 may be the next edge
		{"6 9\n1 2\n2 3\n3 4\n4 5\n5 1\n2 4\n3 6\n1 6\n2 6\n", "", 7, 9, counts},
		{"6 9\n1 2\n2 3\n3 4\n4 5\n5 1\n2 4\n3 6\n1 6\n2 6\n", ",labels=renumber", 6, 9, counts},
		{"6 7\n10 1\n1 2\n2 3\n3 4\n4 10\n1 3\n2 5\n", "", 11, 8, ""},
		{"6 8\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5\n", "", 9, 8, ""},
		{"6 6\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5\n", ",labels=renumber", 7, 7, ""},
		{"3 2\n2 1\n1 0\n", "", 4, 3, edge},
		{"3 2\n2 1\n1 0\n", ",labels=renumber", 4, 3, edge},
		{"3 2\n2 1 .5\n1 0 .5\n", ",columns=src,dst,weight", 3, 2, counts},
		{"3 3 3\n2 1 .5\n1 0 .5\n2 0 .5\n", ",columns=src,dst,weight", 4, 3, edge}, // perhaps by chance
		{"4 4 5\n2 1 .5\n1 0 .5\n2 0 .5\n3 0 1\n3 1 1\n", ",columns=src,dst,weight", 4, 5, counts},
		{"2\t2\n0\t1\n1\t0\n", "", 3, 1, "a.txt, 2 2, " + edge},
		{"4 4 3\n2 1 .5\n1 0 .5\n3 0 .5\n2 0 .5\n", ",columns=src,dst,weight", 5, 4, ""},
		{"src dst\n6 7\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5\n", "", 8, 8, ""},
		{"# Nodes: 8 Edges: 8\n6 7\n0 1\n1 2\n2 3\n3 4\n4 0\n1 3\n2 5\n", "", 8, 8, ""},
		{"1 0\n", "", 2, 1, ""},
		{"1\t2\t\n2\t3\n3\t1\t\n", "", 4, 3, ""}, // a separator at the end of some lines is no column
		{"1,2\n2,3,\n3,1\n", "", 4, 3, ""},
		{"1\t2\t5\n2\t3\t6\t\n", ",columns=src,dst", 4, 2, ""},
	} {
		g := made(t, "file:"+stored(t, "a.txt", c.content)+c.options)
		expect.Equal(t, []int{g.Vertices(), int(g.Edges())}, []int{c.vertices, int(c.edges)}, c.content, c.options)
		checkNotes(t, c.content, g, c.note)
	}
	refused(t, "file:"+stored(t, "a.txt", "3 9\n2 1 .5\n1 0 .5\n"), ":2:5: the number of columns is 3 here and 2")
}

// Weights that single precision changes are counted in a note.
func TestWeightsThatArePrecise(t *testing.T) {
	const rounded, vanished = "1 weights of", "become 0: scale the weights up"
	for weight, note := range map[string]string{
		"1e-400": vanished, "-1e-46": vanished, "0e-400": "", "0.0000": "", "1e-45": rounded, "1e-39": rounded, "2e-38": "",
		"1D-400":              vanished,
		"9223372036854775807": rounded, "9223372036854775808": "", "-9223372036854775807": rounded, "16777217": rounded,
		"16777216": "", "0.10000000149011612": "", "1.2345678": rounded, "1.234567": "", "0.1": "", "1e30": "",
	} {
		g := made(t, "file:"+stored(t, "a.wel", "0 1 "+weight+"\n1 0 1\n")+",symmetric=no")
		checkNotes(t, weight, g, note)
		x := g.Weights[0]
		expect.That(t, note != vanished || x == 0, "%s: %g", weight, x)
	}
}

// Any file is read as a consistent graph or refused with one sentence, within the memory limit.
func FuzzReaders(f *testing.F) {
	files := expect.Value(os.ReadDir("testdata/cases"))(f)
	options := []string{"", ",format=mtx", ",format=gr", ",format=metis", ",format=snap", ",columns=src,dst,weight",
		",symmetric=no,loops=keep"}
	names := []string{"x"}
	for _, form := range formats() {
		names = append(names, "x"+form.extensions[0])
	}
	names = append(names, "x.wel", "out.x", "x.csv")
	for _, file := range files {
		data := expect.Value(os.ReadFile("testdata/cases/" + file.Name()))(f)
		name := max(0, slices.Index(names, "x"+extensionOf(file.Name())))
		if len(data) <= headBytes {
			f.Add(data, byte(name), byte(0))
			f.Add(data, byte(name), byte(len(data)))
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, name, option byte) {
		path := filepath.Join(dir, names[int(name)%len(names)])
		expect.NoError(t, os.WriteFile(path, data, 0o600))
		const limit = 40 << 20
		g, err := mustParse(t, "file:"+path+options[int(option)%len(options)]).Make(t.Context(), 2, limit)
		if err != nil {
			expect.That(t, isSentence(err.Error()), "%q", err)
			return
		}
		entriesOf(t, g)
		expect.That(t, g.Vertices() > 0 && (len(g.Weights) == 0 || len(g.Weights) == len(g.Neighbours)),
			"%d vertices, %d neighbours, %d weights", g.Vertices(), len(g.Neighbours), len(g.Weights))
	})
}

// BenchmarkReadText reads a text file into a list of tuples, on all cores. G500_GRAPH names the file, such as
// /tmp/web.txt; the default is small.
func BenchmarkReadText(b *testing.B) {
	path := cmp.Or(os.Getenv("G500_GRAPH"), "testdata/cases/sssp-hang-grid.gr.gz")
	b.SetBytes(expect.Value(os.Stat(path))(b).Size())
	for b.Loop() {
		s := expect.Value(Parse("file:" + path))(b)
		l := expect.Value(readFile(task{Spec: s, ctx: b.Context(), workers: runtime.NumCPU()}))(b)
		b.ReportMetric(float64(l.tuples()), "tuples")
	}
}

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
	list := expect.Value(os.Open(folder + "answers.csv"))(t)
	defer list.Close()
	for _, r := range expect.Value(csv.NewReader(list).ReadAll())(t)[1:] {
		spec := strings.TrimSuffix("file:"+folder+r[0]+","+r[1], ",")
		all = append(all, answer{r[0], spec, r[2], r[3], r[4], cmp.Or(r[5], "0"), cmp.Or(r[6], "0"), r[7]})
	}
	return all
}

// Each extension of a format and each packing has a file that is read, or a refusal that names its cure. The texts that
// list formats have all of them, also the guide.
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
	unknown, guide := expect.Value(os.ReadFile(folder+"g.tsv"))(t), expect.Read(t, "../../docs/GRAPHS.md")
	for _, f := range formats() {
		for _, extension := range f.extensions {
			expect.Equal(t, has(extension), true, "answers.csv has a file", extension, "that is read")
			refused(t, "file:"+stored(t, "x.unknown", string(unknown)), extension, f.title, f.name)
			expect.Contains(t, guide, "`"+extension+"`")
		}
		expect.Contains(t, expect.Err(WriterOf("x.unknown")).Error(), f.extensions[0])
	}
	for _, p := range packings() {
		expect.That(t, p.open == nil || has(p.extension), "answers.csv has no file %s that is read", p.extension)
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
		expect.Equal(t, got, a)
		checkNotes(t, a.file, g, a.text)
	}
}

// checkNotes checks that a graph has no note if want is empty, else a note with that text.
func checkNotes(t *testing.T, name string, g *Graph, want string) {
	t.Helper()
	found := want == "" && len(g.Notes) == 0
	for _, note := range g.Notes {
		found = found || want != "" && strings.Contains(note, want)
		expect.Equal(t, isSentence(note), true, name, note)
	}
	expect.That(t, found, "%s: notes %q, want one with %q", name, g.Notes, want)
}
