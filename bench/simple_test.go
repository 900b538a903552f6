package bench

import (
	"math/rand/v2"
	"os"
	"testing"

	"g500/graph"
	"g500/record"
)

// simpleOf counts vertices and edges without duplicates and self-loops with maps.
func simpleOf(edges []graph.Edge) *record.SimpleGraph {
	vertices, different := map[graph.Global]bool{}, map[[2]graph.Global]bool{}
	for _, e := range edges {
		if u, v := e.U(), e.V(); u != v {
			vertices[u], vertices[v] = true, true
			different[[2]graph.Global{min(u, v), max(u, v)}] = true
		}
	}
	return &record.SimpleGraph{Vertices: int64(len(vertices)), Edges: int64(len(different))}
}

// Each kernel counts the simple graph, of the official graph and of one with many pairs of leaves, on any number of
// ranks. A pruned structure and a directed graph have no count.
func TestSimpleGraph(t *testing.T) {
	official := make([]graph.Edge, config(9).Params().Edges())
	config(9).Params().Fill(0, official)
	sparse, random := make([]graph.Edge, 1<<9), rand.New(rand.NewPCG(1, 2))
	for i := range sparse {
		sparse[i] = graph.NewEdge(graph.Global(random.IntN(1<<9)), graph.Global(random.IntN(1<<9)))
	}
	file := edgeListFile(t, sparse)
	if err := os.WriteFile(file+".weights", make([]byte, 4*len(sparse)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, kernel := range []string{"bfs", "sssp", "both"} {
		for _, ranks := range []int{1, 2, 3} {
			check := func(name string, c record.Config, want *record.SimpleGraph) {
				t.Helper()
				got := mustRun(t, ranks, onGraph(t, c))
				if s := got.Simple; got.Status != record.Valid || (s == nil) != (want == nil) || s != nil && *s != *want {
					t.Errorf("%s, kernel %s, %d ranks: %s, %+v, want %+v", name, kernel, ranks, got.Verdict(), s, want)
				}
			}
			c := configOf(kernel, 9)
			check("official", c, simpleOf(official))
			c.Graph.EdgeFactor, c.Graph.Edges = 1, file
			check("sparse", c, simpleOf(sparse))
			c = configOf(kernel, 0)
			c.Graph.Spec = "uniform:vertices=500,degree=2,symmetric=no,weights=uniform"
			check("directed", c, nil)
		}
	}
	pruned := configOf("sssp", 9)
	pruned.Search.Prune = "hub"
	if got := mustRun(t, 2, hybrid(pruned)).Simple; got != nil {
		t.Errorf("a pruned structure has %+v", got)
	}
}
