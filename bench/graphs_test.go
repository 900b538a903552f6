// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/graph/formats"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/internal/infile"
	"g500/kronecker"
	"g500/partition"
	"g500/record"
)

// reach returns the vertices, levels and arcs of a search along the rows of a graph.
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

// Graphs of any number of vertices are searched on any number of ranks, directed ones by both kernels: each search has
// the vertices and levels, and in a directed graph the arcs, of a search of the rows.
func TestAnyGraphIsSearched(t *testing.T) {
	const banner = "%%MatrixMarket matrix coordinate real general\n6 6 6\n"
	chain := "file:" + expect.File(t, "chain.mtx", banner+"1 2 1\n2 3 1\n3 4 .5\n4 4 1\n5 1 2\n2 1 0\n")
	for i, spec := range []string{
		"grid2d:37x21", "grid3d:1x1x257", "road:30x30", "uniform:vertices=1000,degree=1.2",
		"rmat:scale=9,loops=keep,duplicates=keep", "geometric:vertices=777,degree=5,weights=uniform",
		"kron:scale=7,shuffle=true", "grid2d:2x1", "grid2d:20x20,weights=uniform",
		"rmat:scale=9,symmetric=no,weights=uniform", "rmat:scale=8,symmetric=no,loops=keep,duplicates=keep,weights=integer",
		"uniform:vertices=900,degree=3,symmetric=no,weights=uniform", "kron:scale=8,symmetric=no,weights=uniform",
		chain + ",symmetric=no,loops=keep", chain + ",symmetric=auto",
	} {
		g := expect.Value(expect.Value(formats.Parse(spec))(t).Make(t.Context(), 1, 0))(t)
		kernel, ranks, note := "bfs", [][]int{{1, 3}, {2, 5}}[i%2], "no Graph500 result"
		if strings.HasSuffix(spec, "weights=uniform") {
			kernel = record.Both
		}
		if strings.Contains(spec, "symmetric=") {
			kernel, ranks, note = record.Both, enginetest.Ranks(1, 2, 3, 5), "the graph is directed"
		}
		for _, ranks := range ranks {
			got := mustRun(t, ranks, ofSpec(t, kernel, spec))
			of := fmt.Sprintf("%s on %d ranks", spec, ranks)
			expect.That(t, got.Status == record.Valid && got.KernelSetting() == kernel && got.Done() != 0 &&
				got.Graph.Spec == spec && got.Graph.Vertices == int64(g.Vertices()) && got.Graph.Edges == g.Edges() &&
				got.Graph.Directed == g.Directed && g.Directed == strings.Contains(spec, "symmetric="),
				"%s: %s, %d searches, %+v", of, got.Verdict(), got.Done(), got.Graph)
			for i, k := range got.Kernels {
				for _, s := range k.Searches {
					reached, levels, arcs := reach(g, int(s.Root))
					expect.That(t, s.Reached == reached && (!g.Directed || s.Edges == arcs) && arcs > 0 &&
						(i > 0 || s.Levels == levels), "%s: %+v; want %d vertices, %d levels, %d arcs", of, s, reached, levels, arcs)
				}
			}
			expect.Contains(t, strings.Join(got.Notes, "\n"), note)
			expect.NoError(t, record.Check(got), of)
		}
	}
}

// listening is a setup that reads tuples in two pieces, and copies the tuples of kernel 1 and of validation.
func listening(s Setup, built, validated *[]graph.Edge) Setup {
	backend := s.Backend
	keep := func(into *[]graph.Edge, tuples graph.Tuples) {
		host, _ := tuples.Host(false)
		*into = slices.Clone(host.Edges)
	}
	s.Backend.Kernel1 = func(t comm.Transport, tuples graph.Tuples) (engine.Engine, error) {
		keep(built, tuples)
		return backend.Kernel1(t, tuples)
	}
	s.Backend.Read = func(ctx context.Context, s graph.Range, read graph.TupleReader, advance func(int64)) (graph.Tuples,
		error) {
		halves := func(first int64, into []graph.Edge, weights []float32) error {
			cut := len(into) / 2
			of := min(cut, len(weights))
			return errors.Join(read(first, into[:cut], weights[:of]), read(first+int64(cut), into[cut:], weights[of:]))
		}
		return backend.Read(ctx, s, halves, advance)
	}
	s.Backend.NewValidator = func(t comm.Transport, layout partition.Layout, tuples graph.Tuples) (Validator, error) {
		keep(validated, tuples)
		return backend.NewValidator(t, layout, tuples)
	}
	return s
}

// Kernel 1 and validation get the complete list of the generator, of a file, or of another graph, in order, with
// self-loops and duplicates.
func TestKernel1AndValidationGetEveryTuple(t *testing.T) {
	official := enginetest.OfficialEdges(8)
	expect.Must(t, slices.ContainsFunc(official, graph.Edge.SelfLoop), "the graph has no self-loop")
	list := expect.Value(ofSpec(t, "bfs", "road:40x25").Graph.make(t.Context(), 2, 0))(t)
	road := make([]graph.Edge, list.Tuples())
	list.Read(0, road, nil)
	for _, ranks := range enginetest.Ranks(1, 2, 3, 5) {
		for _, c := range []struct {
			setup Setup
			want  []graph.Edge
		}{{hybrid(config(8)), official}, {hybrid(edgesOf(t, 8)), official}, {ofSpec(t, "bfs", "road:40x25"), road}} {
			built, validated := make([][]graph.Edge, ranks), make([][]graph.Edge, ranks)
			_, err := onRanks(t.Context(), ranks, func(rank int) Setup {
				return listening(c.setup, &built[rank], &validated[rank])
			})
			expect.NoError(t, err)
			expect.That(t, slices.Equal(slices.Concat(built...), c.want) && slices.Equal(slices.Concat(validated...), c.want),
				"%d ranks: kernel 1 or the validator did not get the list of %+v", ranks, c.setup.Config.Graph)
			expect.That(t, c.setup.Graph == nil || c.setup.Graph.list.Load() == nil,
				"%d ranks: the graph is kept after its tuples were taken", ranks)
		}
	}
}

// A run ends with an error if a rank generates or reads too few tuples.
func TestTuplesOfAllRanksAreCounted(t *testing.T) {
	for _, ranks := range []int{1, 3} {
		for _, all := range []Setup{hybrid(config(8)), ofSpec(t, "bfs", "road:20x20")} {
			_, err := onRanks(t.Context(), ranks, func(rank int) Setup {
				s, backend := all, all.Backend
				short := int64(min(1, ranks-rank-1)) // on all ranks except the last
				s.Backend.Generate = func(ctx context.Context, p kronecker.Params, s graph.Range,
					advance func(int64)) (graph.Tuples, error) {
					s.Count -= short
					return backend.Generate(ctx, p, s, advance)
				}
				s.Backend.Read = func(ctx context.Context, s graph.Range, read graph.TupleReader,
					advance func(int64)) (graph.Tuples, error) {
					s.Count -= short
					return backend.Read(ctx, s, read, advance)
				}
				return s
			})
			expect.Error(t, err, map[bool]string{true: "edge tuples, and the graph has"}[ranks > 1], ranks, "ranks")
		}
	}
}

// A rank without the list gets from rank 0 the same share, with the same weights, as from a list in its process.
func TestScatteredSharesAreTheShares(t *testing.T) {
	setup := ofSpec(t, "bfs", "uniform:vertices=700,degree=9,weights=uniform")
	for _, ranks := range []int{1, 2, 7} {
		shares, weights := make([][]graph.Edge, ranks), make([][]float32, ranks)
		list := expect.Value(setup.Graph.make(t.Context(), 1, 0))(t)
		enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
			b := newBenchmark(tr, Setup{Config: setup.Config})
			b.made = madeGraph{Graph: record.Graph{Vertices: 700, Edges: list.Tuples()}}
			own := list
			if tr.Rank() > 0 {
				own = nil
			}
			read := expect.Value(b.scatter(own, true))(t)
			_, count := shareOf(list.Tuples(), tr.Rank(), ranks)
			edges, w, cut := make([]graph.Edge, count), make([]float32, count), count/3
			shares[tr.Rank()], weights[tr.Rank()] = edges, w
			expect.NoError(t, read(0, edges[:cut], w[:cut]))
			expect.NoError(t, read(cut, edges[cut:], w[cut:]))
		})
		want, wantWeights := make([]graph.Edge, list.Tuples()), make([]float32, list.Tuples())
		list.Read(0, want, wantWeights)
		expect.That(t, slices.Equal(slices.Concat(shares...), want) && slices.Equal(slices.Concat(weights...), wantWeights),
			"%d ranks: the shares are not the list", ranks)
	}
}

// A run records the size and the checksum of each file that it read, on any number of ranks.
func TestInputsAreRecorded(t *testing.T) {
	c := edgesOf(t, 8)
	c.Search.Roots = fileOfRoots(t, "220\n").Search.Roots
	contentOf := func(use, path string) record.Input {
		var f infile.Fingerprint
		_, _ = f.Write([]byte(expect.Read(t, path)))
		return record.Input{Use: use, Path: path, Bytes: f.Bytes, CRC64: f.Hex()}
	}
	want := []record.Input{contentOf(record.RootsUse, c.Search.Roots), contentOf(record.EdgesUse, c.Graph.Edges)}
	for _, ranks := range []int{1, 2, 5} {
		expect.Equal(t, mustRun(t, ranks, hybrid(c)).Inputs, want, ranks, "ranks")
	}
}

// Each kernel counts the simple graph, of the official graph and of one with many pairs of leaves, on any number of
// ranks. A pruned structure and a directed graph have no count.
func TestSimpleGraph(t *testing.T) {
	sparse, random := make([]graph.Edge, 1<<9), rand.New(rand.NewPCG(1, 2))
	for i := range sparse {
		sparse[i] = graph.NewEdge(graph.Global(random.IntN(1<<9)), graph.Global(random.IntN(1<<9)))
	}
	file := edgeListFile(t, sparse)
	expect.Write(t, file+".weights", make([]byte, 4*len(sparse)))
	var official, many record.SimpleGraph
	official.Vertices, official.Edges = enginetest.Simple(enginetest.OfficialEdges(9))
	many.Vertices, many.Edges = enginetest.Simple(sparse)
	for _, ranks := range []int{1, 2, 3} {
		for _, kernel := range []string{"bfs", "sssp", "both"} {
			check := func(s Setup, want *record.SimpleGraph) {
				t.Helper()
				expect.Equal(t, mustRun(t, ranks, s).Simple, want, kernel, "on", ranks, "ranks")
			}
			c := configOf(kernel, 9)
			check(hybrid(c), &official)
			c.Graph.EdgeFactor, c.Graph.Edges = 1, file
			check(hybrid(c), &many)
			check(ofSpec(t, kernel, "uniform:vertices=500,degree=2,symmetric=no,weights=uniform"), nil)
		}
	}
	pruned := configOf("sssp", 9)
	pruned.Search.Prune = "hub"
	expect.Equal(t, mustRun(t, 2, hybrid(pruned)).Simple, nil, "pruned")
}
