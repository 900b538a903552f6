package validate

import (
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/internal/expect"
	"g500/partition"
)

// Arguments that are not a tree of the graph are errors, not verdicts.
func TestMisuse(t *testing.T) {
	path := tuples("0-1 1-2 2-3")
	four := []graph.Global{0, 0, 1, 2}
	for _, c := range []struct {
		name    string
		ranks   int // of the layout; the job has 1
		edges   []graph.Edge
		root    graph.Global
		parents []graph.Global
		want    string
	}{
		{"a layout for another job", 2, path, 0, four, "the layout is for 2 ranks, the job has 1"},
		{"a tuple outside the graph", 1, tuples("0-1 2-4"), 0, four,
			"edge tuple <2, 4> is outside the graph; labels are 0 to 3"},
		{"a root outside the graph", 1, path, 4, four, "the root 4 is not a vertex; labels are 0 to 3"},
		{"a negative root", 1, path, -1, four, "the root -1 is not a vertex; labels are 0 to 3"},
		{"too few parents", 1, path, 0, four[:3], "3 parents for the 4 vertices of rank 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := comm.Loopback(1, func(tr comm.Transport) error {
				j, err := New(tr, partition.NewCyclic(4, c.ranks), graph.HostTuples(c.edges), 0)
				if err != nil {
					return err
				}
				_, err = j.Tree(c.root, c.parents)
				return err
			})
			expect.Error(t, err, "validate: "+c.want)
		})
	}
}
