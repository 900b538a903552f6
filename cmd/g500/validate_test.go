package main

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// firstRoot is the root of search key 0 of the official graph of scale 10.
const firstRoot = "458"

// storedRun stores the results of a run on three ranks, and returns their folder.
func storedRun(t *testing.T, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	args = append([]string{"run", "--ranks", "3", "--output", dir, "--trees"}, args...)
	mustCall(t, args...)
	return filepath.Join(dir, "trees")
}

// namesIn lists the files of a folder.
func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// The stored results of both kernels are valid on any number of ranks, against a file with weights and against the
// generated graph.
func TestStoredResultsAreValidated(t *testing.T) {
	edges := filepath.Join(t.TempDir(), "edges")
	mustCall(t, "generate", "--scale", "10", "--weights", "--output", edges)
	for kernel, want := range map[string][]string{
		"bfs": {"0.i64"}, "sssp": {"0.sssp.f32", "0.sssp.i64"}, "both": {"0.i64", "0.sssp.f32", "0.sssp.i64"},
	} {
		dir := storedRun(t, "--keys", "1", "--scale", "10", "--kernel", kernel)
		if got := namesIn(t, dir); !slices.Equal(got, want) {
			t.Errorf("kernel %s: the files %q, want %q", kernel, got, want)
		}
		for _, name := range want {
			of := map[string]string{".i64": "bfs", ".sssp.i64": "sssp"}[strings.TrimPrefix(name, "0")]
			if of == "" || kernel != "both" {
				continue // distances, or the same files as with kernel both
			}
			for _, more := range [][]string{nil, {"--ranks", "3"}, {"--edges", edges}, {"--edges", edges, "--ranks", "3"}} {
				args := append([]string{"validate", "--scale", "10", "--kernel", of, "--tree", filepath.Join(dir, name),
					"--root", firstRoot}, more...)
				status, out, errOut := call(args...)
				if status != success || !strings.Contains(out, "reached_vertices: 897\n") ||
					!strings.Contains(out, "edges: 16239\n") || lastLine(out) != "VALID" {
					t.Errorf("%q: status %d\n%s%s", args, status, out, errOut)
				}
			}
		}
	}
}

// Results on another graph are validated against that graph.
func TestStoredResultsOnAnotherGraph(t *testing.T) {
	const graph = "grid2d:20x20,weights=uniform"
	roots := write(t, []byte("7\n"))
	tree := filepath.Join(storedRun(t, "--graph", graph, "--kernel", "sssp", "--roots", roots), "0.sssp.i64")
	for other, want := range map[string]string{graph: "VALID", "grid2d:20x20,weights=uniform,seed=9": "INVALID: ",
		"grid2d:20x20": "weights=uniform", "grid2d:40x40,weights=uniform": "of another graph"} {
		_, out, errOut := call("validate", "--kernel", "sssp", "--graph", other, "--tree", tree, "--root", "7",
			"--ranks", "2")
		if !strings.Contains(lastLine(out+errOut), want) {
			t.Errorf("%s: %s%s, want %q", other, out, errOut, want)
		}
	}
}

// storedPaths are shortest paths in files.
type storedPaths struct {
	parents   []int64
	distances []float32
}

func readPaths(t *testing.T, tree string) (p storedPaths) {
	t.Helper()
	labels := []byte(read(t, tree))
	lengths := []byte(read(t, strings.TrimSuffix(tree, "i64")+"f32"))
	for v := range len(labels) / 8 {
		p.parents = append(p.parents, int64(binary.LittleEndian.Uint64(labels[8*v:])))
		p.distances = append(p.distances, math.Float32frombits(binary.LittleEndian.Uint32(lengths[4*v:])))
	}
	return p
}

// write writes the files and returns the path of the parents.
func (p storedPaths) write(t *testing.T) string {
	t.Helper()
	var lengths []byte
	for _, d := range p.distances {
		lengths = binary.LittleEndian.AppendUint32(lengths, math.Float32bits(d))
	}
	dir := t.TempDir()
	for name, content := range map[string][]byte{"0.sssp.i64": words(p.parents...), "0.sssp.f32": lengths} {
		writeText(t, filepath.Join(dir, name), content)
	}
	return filepath.Join(dir, "0.sssp.i64")
}

// deep returns a vertex without children, at least three edges from the root.
func (p storedPaths) deep() int64 {
	for v := range p.parents {
		v := int64(v)
		if p.parents[v] < 0 || slices.Contains(p.parents, v) {
			continue
		}
		depth := 0
		for u := v; p.parents[u] != u; u = p.parents[u] {
			depth++
		}
		if depth >= 3 {
			return v
		}
	}
	return -1
}

// Each injected fault in stored shortest paths is detected, on any number of ranks.
func TestFaultsInStoredPaths(t *testing.T) {
	right := readPaths(t, filepath.Join(storedRun(t, "--keys", "1", "--scale", "10", "--kernel", "sssp"), "0.sssp.i64"))
	v, outside := right.deep(), int64(slices.Index(right.parents, -1))
	parent := right.parents[v]
	for _, c := range []struct {
		meaning string
		change  func(p storedPaths)
		want    string
	}{
		{"nothing", func(storedPaths) {}, "VALID"},
		{"another parent", func(p storedPaths) { p.parents[v] = right.parents[parent] }, "INVALID: validate: rule "},
		{"the lowest bit of a distance", func(p storedPaths) {
			p.distances[v] = math.Float32frombits(math.Float32bits(p.distances[v]) ^ 1)
		}, "of kernel 3"},
		{"the sign of a distance", func(p storedPaths) { p.distances[v] = -p.distances[v] }, "kernel 3's output"},
		{"no number", func(p storedPaths) { p.distances[v] = float32(math.NaN()) }, "kernel 3's output"},
		{"a cycle", func(p storedPaths) { p.parents[parent] = v }, "has no cycles"},
		{"an unreached vertex", func(p storedPaths) { p.parents[v], p.distances[v] = -1, -1 },
			"both ends of an edge"},
		{"a vertex outside the component", func(p storedPaths) {
			p.parents[outside], p.distances[outside] = v, p.distances[v]
		}, "joined by an edge tuple"},
		{"a distance of an unreached vertex", func(p storedPaths) { p.distances[outside] = 0 },
			"kernel 3's output"},
	} {
		changed := storedPaths{slices.Clone(right.parents), slices.Clone(right.distances)}
		c.change(changed)
		tree := changed.write(t)
		for _, ranks := range []string{"1", "3"} {
			status, out, errOut := call("validate", "--kernel", "sssp", "--scale", "10", "--tree", tree, "--root", firstRoot,
				"--ranks", ranks)
			if (status == success) != (c.want == "VALID") || !strings.Contains(lastLine(out+errOut), c.want) {
				t.Errorf("%s, %s ranks: status %d, want %q\n%s%s", c.meaning, ranks, status, c.want, out, errOut)
			}
		}
	}
}

// oneEdge writes the edge list of a graph of that scale with one edge between 0 and 7, self-loops, and zero weights.
func oneEdge(t *testing.T, scale int) string {
	t.Helper()
	tuples := 16 << scale
	list := write(t, slices.Concat(words(0, 7), make([]byte, 16*(tuples-1))))
	writeText(t, list+".weights", make([]byte, 4*tuples))
	return list
}

// A file of another size is refused; the error has its size and the expected size.
func TestSizesOfStoredFiles(t *testing.T) {
	edges := map[string]string{"3": oneEdge(t, 3), "4": oneEdge(t, 4)}
	parents := func(n int) []int64 {
		return append([]int64{0, -1, -1, -1, -1, -1, -1, 0}, slices.Repeat([]int64{-1}, n)...)
	}
	distances := func(n int) []float32 {
		return append([]float32{0, -1, -1, -1, -1, -1, -1, 0}, slices.Repeat([]float32{-1}, n)...)
	}
	for _, c := range []struct {
		scale     string
		paths     storedPaths
		distances string
		want      string
	}{
		{"4", storedPaths{parents(8), distances(7)}, "", "VALID"},
		{"4", storedPaths{parents(0), distances(8)}, "", "VALID"},
		{"4", storedPaths{parents(0)[:7], distances(8)}, "", "tree FILE has 56 bytes, but the edge list has labels " +
			"up to 7 and the graph 16 vertices, which take from 64 to 128 bytes, 8 each: "},
		{"4", storedPaths{parents(0), distances(9)}, "", "file of distances FILE has 68 bytes, but the edge list has " +
			"labels up to 7 and the graph 16 vertices, which take from 32 to 64 bytes, 4 each: "},
		{"3", storedPaths{parents(1), distances(0)}, "", "which take 64 bytes, 8 each: "},
		{"4", storedPaths{parents(0), distances(0)}, "none", "cannot read the file of distances"},
	} {
		tree := c.paths.write(t)
		args := []string{"validate", "--kernel", "sssp", "--scale", c.scale, "--format", "u64", "--edges", edges[c.scale],
			"--tree", tree, "--root", "0", "--ranks", "2"}
		if c.distances != "" {
			args = append(args, "--distances", c.distances)
		}
		_, out, errOut := call(args...)
		names := strings.NewReplacer(tree, "FILE", strings.TrimSuffix(tree, "i64")+"f32", "FILE")
		got := names.Replace(lastLine(out + errOut))
		if !strings.Contains(got, c.want) {
			t.Errorf("%d and %d numbers: %s, want %q", len(c.paths.parents), len(c.paths.distances), got, c.want)
		}
	}
}
