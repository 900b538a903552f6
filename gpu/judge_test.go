//go:build cuda && cgo

package gpu

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"g500/bench"
	"g500/bfs"
	"g500/comm"
	"g500/cuda"
	"g500/graph"
	"g500/partition"
	"g500/validate"
)

const none = graph.NoParent

// planted are trees that break one rule each.
var planted = []struct {
	name    string
	edges   []graph.Edge
	root    graph.Global
	parents []graph.Global
	rule    error // nil for a right tree
}{
	{"right", pairs(0, 1, 1, 2, 2, 2, 3, 3, 1, 0), 0, []graph.Global{0, 0, 1, none}, nil},
	{"root alone", pairs(0, 1, 2, 2), 2, []graph.Global{none, none, 2}, nil},
	{"parent past the last vertex", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, 3}, validate.ErrRange},
	{"root has a parent", pairs(0, 1, 1, 2), 0, []graph.Global{1, 0, 1}, validate.ErrRoot},
	{"root was not reached", pairs(0, 1, 1, 2), 0, []graph.Global{none, none, none}, validate.ErrRoot},
	{"cycle of two", pairs(0, 1, 1, 2, 2, 3), 0, []graph.Global{0, 0, 3, 2}, validate.ErrCycle},
	{"own parent", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, 2}, validate.ErrCycle},
	{"cycle in another component", pairs(0, 1, 2, 3, 3, 4, 4, 2), 0, []graph.Global{0, 0, 3, 4, 2}, validate.ErrCycle},
	{"parent was not reached", pairs(0, 1, 1, 2, 3, 3), 0, []graph.Global{0, 0, 3, none}, validate.ErrOrphan},
	{"the long way round a ring", pairs(0, 1, 1, 2, 2, 3, 3, 4, 4, 0), 0, []graph.Global{0, 0, 1, 2, 3}, validate.ErrLevels},
	{"a leaf is missing", pairs(0, 1, 1, 2), 0, []graph.Global{0, 0, none}, validate.ErrSpan},
	{"parent is no neighbour", pairs(0, 1, 0, 2, 1, 3, 2, 4), 0, []graph.Global{0, 0, 0, 2, 2}, validate.ErrTreeEdge},
}

func pairs(labels ...graph.Global) (edges []graph.Edge) {
	for i := 0; i < len(labels); i += 2 {
		edges = append(edges, graph.NewEdge(labels[i], labels[i+1]))
	}
	return edges
}

func TestJudgeFindsPlantedFaults(t *testing.T) {
	for _, c := range planted {
		t.Run(c.name, func(t *testing.T) {
			mine, twin := judges(t, open(t), c.edges, graph.Global(len(c.parents)))
			got := mine(c.root, c.parents)
			if !errors.Is(got.Fault, c.rule) || (got.Fault == nil) != (c.rule == nil) {
				t.Errorf("the fault is %v, want %v", got.Fault, c.rule)
			}
			compareVerdicts(t, got, twin(c.root, c.parents))
		})
	}
}

// One parent of a right tree is replaced by another label: both judges come to the same verdict.
func TestJudgeAgreesWithTheTwinOnDamage(t *testing.T) {
	d := open(t)
	p := official(9)
	edges := make([]graph.Edge, p.Edges())
	p.Fill(0, edges)
	parents := rightTree(t, edges, edges[0].U())
	mine, twin := judges(t, d, edges, graph.Global(len(parents)))
	rng := rand.New(rand.NewPCG(7, 0))
	trees := 500
	if testing.Short() {
		trees = 50
	}
	for range trees {
		damaged := append([]graph.Global(nil), parents...)
		damaged[rng.IntN(len(parents))] = graph.Global(rng.IntN(len(parents)+2)) - 1
		got, want := mine(edges[0].U(), damaged), twin(edges[0].U(), damaged)
		if compareVerdicts(t, got, want); t.Failed() {
			return
		}
	}
}

// compareVerdicts takes a cycle and an unreached parent for the same: a tree may have both.
func compareVerdicts(t *testing.T, got, want validate.Verdict) {
	t.Helper()
	notATree := func(err error) bool {
		return errors.Is(err, validate.ErrCycle) || errors.Is(err, validate.ErrOrphan)
	}
	if want.Fault == nil {
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		return
	}
	if notATree(got.Fault) && notATree(want.Fault) {
		return
	}
	var mine, twins *validate.Fault
	if !errors.As(got.Fault, &mine) || !errors.As(want.Fault, &twins) || mine.Rule != twins.Rule || mine.Vertex != twins.Vertex {
		t.Errorf("%v, want %v", got.Fault, want.Fault)
	}
}

// verdictOn judges a tree in host memory.
type verdictOn func(root graph.Global, parents []graph.Global) validate.Verdict

// judges prepares the device's judge and its twin on the host.
func judges(t *testing.T, d *cuda.Device, edges []graph.Edge, vertices graph.Global) (mine, twin verdictOn) {
	t.Helper()
	onGPU, err := newJudge(d, vertices, graph.HostTuples(edges))
	if err != nil {
		t.Fatal(err)
	}
	buffer, err := d.Alloc("tree", 4*int64(vertices))
	if err != nil {
		t.Fatal(err)
	}
	mine = func(root graph.Global, parents []graph.Global) validate.Verdict {
		words := make([]uint32, len(parents))
		for v, parent := range parents {
			words[v] = uint32(parent) // -1 becomes NoVertex
		}
		if err := cuda.Write(buffer.Memory, 0, words); err != nil {
			t.Fatal(err)
		}
		return must(onGPU.Tree(root, tree{buffer.Memory, int64(vertices)}))(t)
	}
	twin = func(root graph.Global, parents []graph.Global) (verdict validate.Verdict) {
		err := comm.Loopback(1, func(tr comm.Transport) error {
			judge, err := validate.New(tr, partition.NewCyclic(vertices, 1), edges, 1)
			if err == nil {
				verdict, err = judge.Tree(root, parents)
			}
			return err
		})
		return must(verdict, err)(t)
	}
	return mine, twin
}

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// rightTree is the slow twin's.
func rightTree(t *testing.T, edges []graph.Edge, root graph.Global) (parents []graph.Global) {
	t.Helper()
	err := comm.Loopback(1, func(tr comm.Transport) error {
		e, err := bfs.NewTopDown(tr, graph.HostTuples(edges))
		if err != nil {
			return err
		}
		result, err := e.BFS(root)
		if err == nil {
			parents, err = result.Parents()
		}
		return err
	})
	return must(parents, err)(t)
}

// The trees of the engine, judged on the device and on the host, on every graph of the suite.
func TestJudgeAgreesWithTheTwinOnRightTrees(t *testing.T) {
	for _, c := range graphs() {
		t.Run(fmt.Sprintf("%s, %d tuples", c.Name, len(c.Edges)), func(t *testing.T) {
			d := open(t)
			e, err := newEngine(d, graph.HostTuples(c.Edges))
			if err != nil {
				t.Fatal(err)
			}
			_, twin := judges(t, d, c.Edges, e.Layout().Vertices())
			onGPU := must[bench.Judge](newJudge(d, e.Layout().Vertices(), graph.HostTuples(c.Edges)))(t)
			for _, root := range c.Roots {
				result := must(e.BFS(root))(t)
				got := must(onGPU.Tree(root, result))(t)
				if got.Fault != nil {
					t.Errorf("root %d: %v", root, got.Fault)
				}
				compareVerdicts(t, got, twin(root, must(result.Parents())(t)))
			}
		})
	}
}
