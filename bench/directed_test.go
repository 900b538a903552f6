package bench

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"g500/bfs"
	"g500/comm"
	"g500/graph"
	"g500/graph/formats"
	"g500/kronecker"
	"g500/record"
	"g500/sssp"
)

// reach returns the vertices, levels and arcs of a search along the rows of a directed graph.
func reach(g *formats.Graph, root int) (reached int64, levels int, arcs int64) {
	level := map[int]int{root: 1}
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		levels = level[v]
		for _, to := range g.Row(v) {
			if int(to) != v {
				arcs++
			}
			if level[int(to)] == 0 {
				level[int(to)] = level[v] + 1
				queue = append(queue, int(to))
			}
		}
	}
	return int64(len(level)), levels, arcs
}

// Directed graphs are searched by both kernels on any number of ranks: each search has the vertices, levels and arcs of
// a search of the rows, and each root has an arc to another vertex.
func TestDirectedGraphsAreSearched(t *testing.T) {
	chain := filepath.Join(t.TempDir(), "chain.mtx")
	const banner = "%%MatrixMarket matrix coordinate real general\n6 6 6\n"
	if err := os.WriteFile(chain, []byte(banner+"1 2 1\n2 3 1\n3 4 .5\n4 4 1\n5 1 2\n2 1 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{
		"rmat:scale=9,symmetric=no,weights=uniform", "rmat:scale=8,symmetric=no,loops=keep,duplicates=keep,weights=integer",
		"uniform:vertices=900,degree=3,symmetric=no,weights=uniform", "kron:scale=8,symmetric=no,weights=uniform",
		"file:" + chain + ",symmetric=no,loops=keep", "file:" + chain + ",symmetric=auto",
	} {
		parsed, err := formats.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		g, err := parsed.Make(t.Context(), 1, 0)
		if err != nil || !g.Directed {
			t.Fatalf("%s: directed is %v (%v)", spec, g != nil && g.Directed, err)
		}
		for _, ranks := range ranksForInput() {
			c := config(16)
			c.Graph.Spec, c.Search.Kernel = spec, string(record.Both)
			got, err := run(t.Context(), ranks, onGraph(t, c))
			if err != nil {
				t.Fatalf("%s on %d ranks: %v", spec, ranks, err)
			}
			if got.Status != record.Valid || got.Done() == 0 || !got.Graph.Directed || got.Graph.Edges != g.Edges() {
				t.Errorf("%s on %d ranks: %s (%s), %d searches, %+v", spec, ranks, got.Status, got.Reason, got.Done(), got.Graph)
			}
			for i, k := range got.Kernels {
				for _, s := range k.Searches {
					reached, levels, arcs := reach(g, int(s.Root))
					if s.Reached != reached || s.Edges != arcs || arcs == 0 || i == 0 && s.Levels != levels {
						t.Errorf("%s on %d ranks, root %d: %d vertices, %d levels, %d arcs; want %d, %d, %d", spec, ranks, s.Root,
							s.Reached, s.Levels, s.Edges, reached, levels, arcs)
					}
				}
			}
			if !slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, "the graph is directed") }) {
				t.Errorf("%s: notes %q", spec, got.Notes)
			}
			if err := record.Check(got); err != nil {
				t.Errorf("%s on %d ranks: %v", spec, ranks, err)
			}
		}
	}
}

// A root that no arc leaves is refused, as are pruning, and a backend that has no plan for directed graphs.
func TestDirectedGraphsThatAreRefused(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	spec := "file:" + write("a.wel", "0 1 1\n1 2 1\n") + ",symmetric=no"
	for _, c := range []struct {
		change func(*Setup)
		want   string
	}{
		{func(s *Setup) { s.Config.Search.Roots = write("sink", "2\n") }, "vertex 2 has no edge to another vertex"},
		{func(s *Setup) { s.Config.Search.Prune = string(sssp.PruneHub) }, "leave out --prune hub"},
	} {
		config := config(16)
		config.Graph.Spec, config.Search.Kernel = spec, string(record.SSSP)
		s := onGraph(t, config)
		c.change(&s)
		for _, ranks := range []int{1, 2} {
			if _, err := run(t.Context(), ranks, s); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%d ranks: %v, want %q", ranks, err, c.want)
			}
			s.Graph, _ = NewSpecGraph(s.Config)
		}
	}
}

// The plan for a directed graph has at least the memory that kernel 1 and a search allocate in total, and at most 30%
// more than the plan for an undirected graph.
func TestMemoryOfDirectedGraphs(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector allocates more")
	}
	p := kronecker.Params{Scale: 16, EdgeFactor: 16, Seed1: 2, Seed2: 3}
	edges, weights := make(graph.HostTuples, p.Edges()), make([]float32, p.Edges())
	p.FillWeighted(0, edges, weights)
	rng := rand.New(rand.NewPCG(1, 1))
	for i, e := range edges {
		if rng.IntN(2) == 0 { // the generator's tuples lead to lower quadrants more often
			edges[i] = graph.NewEdge(e.V(), e.U())
		}
	}
	arcs := graph.Arcs(graph.HostWeightedTuples{HostTuples: edges, Weights: weights})
	for kernel, c := range map[record.Kernel]struct {
		plan   Plan
		search func(comm.Transport) error
	}{
		record.BFS: {NewPlan(p, 1, false), func(tr comm.Transport) error {
			e, err := bfs.NewHybrid(1)(tr, arcs)
			if err == nil {
				_, err = e.Search(edges[0].U())
			}
			return err
		}},
		record.SSSP: {hostPathsMemory(Plan{}, p, 1, sssp.PruneNone), func(tr comm.Transport) error {
			e, err := sssp.NewSearch(1)(tr, arcs.(graph.WeightedTuples), sssp.PruneNone)
			if err == nil {
				_, err = e.Search(edges[0].U())
			}
			return err
		}},
	} {
		directed := onCPU().DirectedMemory(c.plan, p, 1, []record.Kernel{kernel})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := comm.Loopback(1, c.search); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		took, most := int64(after.TotalAlloc-before.TotalAlloc), directed.Engine+directed.Building
		t.Logf("%s took %d bytes, the plan has %d and %d", kernel, took, directed.Engine, directed.Building)
		if took > most || 10*most > 13*(c.plan.Engine+c.plan.Building) {
			t.Errorf("%s: kernel 1 and a search took %d bytes, the plans are %+v, and undirected %+v", kernel, took, directed,
				c.plan)
		}
		both := onCPU().DirectedMemory(c.plan, p, 1, []record.Kernel{record.BFS, record.SSSP})
		if more := both.Engine - directed.Engine; more != 8<<p.Scale || both.Building != directed.Building {
			t.Errorf("%s: a second kernel takes %d bytes more in a directed graph, want 8 per vertex", kernel, more)
		}
	}
}
