package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"g500/graph/formats"
)

func TestGraphInfo(t *testing.T) {
	status, out, errOut := call("graph", "info", "grid2d:4x3")
	const want = `graph         grid2d:4x3
vertices      12
edges         17, undirected
self-loops    0 in the input
duplicates    0 in the input
isolated      0 vertices
degree        mean 2.833, standard deviation 0.6872, maximum 4 (vertex 5), Gini coefficient 0.127
vertices of   degree 0: 0
              degree 1: 0
              degree 2 to 3: 10
              degree 4 to 7: 2
components    1, the largest of 12 vertices (100.0%)
eccentricity  3, of root 5, which reaches 12 vertices
diameter      at least 5, in the component of the root
`
	if status != success || out != want || errOut != "" {
		t.Errorf("status %d, %q\n%s", status, errOut, out)
	}
	status, out, _ = call("graph", "info", "--json", "--root", "0", "kron:scale=8",
		"rmat:scale=8,symmetric=no,weights=uniform")
	var all []graphInfo
	if err := json.Unmarshal([]byte(out), &all); err != nil || status != success || len(all) != 2 {
		t.Fatalf("status %d, %v\n%s", status, err, out)
	}
	if all[0].Spec != "kron:scale=8" || all[0].Vertices != 256 || all[0].Directed || all[0].Root != 0 ||
		!all[1].Directed || !all[1].Weighted || all[1].Edges == 0 {
		t.Errorf("%+v", all)
	}
}

func TestGraphPlot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.svg")
	if status, out, errOut := call("graph", "info", "--plot", path, "kron:scale=8", "grid2d:3x3"); status != success ||
		!strings.Contains(out, "isolated") || !strings.HasPrefix(read(t, path), "<svg") {
		t.Errorf("status %d, %s%s", status, out, errOut)
	}
	if status, out, errOut := call("graph", "info", "--plot", path, "grid2d:1x1"); status != failure ||
		!strings.Contains(out, "isolated") || !strings.Contains(errOut, "no graph has an edge") {
		t.Errorf("without edges: status %d, %s%s", status, out, errOut)
	}
}

func TestGraphConvert(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"road.mtx", "road.gr", "road.graph", "road.txt", "road.mtx.gz", "road.gr.gz"} {
		path := filepath.Join(dir, name)
		if status, out, errOut := call("graph", "convert", "road:20x20", path); status != success || out+errOut != "" {
			t.Fatalf("%s: status %d: %s%s", name, status, out, errOut)
		}
		_, made, _ := call("graph", "info", "road:20x20")
		_, read, errOut := call("graph", "info", "file:"+path+",weights=none")
		_, made, _ = strings.Cut(made, "\n")
		_, read, _ = strings.Cut(read, "\n")
		if read != made || made == "" {
			t.Errorf("%s: %s\n%s\nwant\n%s", name, errOut, read, made)
		}
	}
	if left := listing(t, dir); strings.Contains(left, "partial") {
		t.Errorf("left behind:\n%s", left)
	}
	link := filepath.Join(dir, "link.txt")
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), link); err != nil {
		t.Fatal(err)
	}
	writeText(t, filepath.Join(dir, "elsewhere"), "")
	if status, _, errOut := call("graph", "convert", "grid2d:3x3", link); status != success {
		t.Errorf("a link: %s", errOut)
	}
	if text := read(t, filepath.Join(dir, "elsewhere")); !strings.Contains(text, "Nodes: 9") {
		t.Errorf("where the link leads: %q", text)
	}
}

func TestGraphSpecs(t *testing.T) {
	status, out, _ := call("graph", "specs")
	if status != success {
		t.Fatal(out)
	}
	for _, k := range formats.Kinds() {
		for _, want := range []string{"\n" + k.Form + "\n", k.Help} {
			if !strings.Contains("\n"+out, want) {
				t.Errorf("nothing of %q", want)
			}
		}
		for _, p := range append(k.Params, formats.Common()...) {
			if !strings.Contains(out, p.Key+"=") && !strings.Contains(out, p.Key+" ") || !strings.Contains(out, p.Range) {
				t.Errorf("nothing of %s", p.Key)
			}
		}
	}
}

// Every command reads a graph from standard input, once, and prints the notes of the reader.
func TestGraphsFromTheStandardInput(t *testing.T) {
	const list = "1 2 1082040961\n3 4 1082155839\n2 3 1082155840\n"
	note := "column 3 of /dev/stdin ignored"
	for _, c := range []struct{ args, out, errOut string }{
		{"graph info file:/dev/stdin,format=snap", note, ""},
		{"graph info --json file:/dev/stdin,format=snap", note, ""},
		{"graph convert file:/dev/stdin,format=snap " + filepath.Join(t.TempDir(), "a.mtx"), "", note},
		{"run --graph file:/dev/stdin,format=snap --ranks 2", "VALID", note},
	} {
		feedStdin(t, list)
		status, out, errOut := call(strings.Fields(c.args)...)
		if status != success || !strings.Contains(out, c.out) || !strings.Contains(errOut, c.errOut) {
			t.Errorf("%s: status %d\n%s\n%s", c.args, status, out, errOut)
		}
	}
}

// feedStdin makes standard input a pipe with that text.
func feedStdin(t *testing.T, text string) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stdin
	os.Stdin = read
	t.Cleanup(func() { os.Stdin = before })
	if _, err := write.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := write.Close(); err != nil {
		t.Fatal(err)
	}
}
