// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"g500/graph"
	"g500/internal/expect"
)

// randomList has tuples among few vertices, with duplicates and self-loops, in several chunks.
func randomList(random *rand.Rand, weighted bool) *list {
	l := &list{vertices: 9, chunks: make([]chunk, 4)}
	for i := range l.chunks {
		for range random.IntN(40) {
			u, v := uint32(random.IntN(8)), uint32(random.IntN(8))
			if weighted {
				l.chunks[i].addWeighted(u, v, float32(random.IntN(7)-3)/2)
			} else {
				l.chunks[i].add(u, v)
			}
		}
	}
	return l
}

// slowEntries returns the entries of a list with the weights of each in rising order.
func slowEntries(l *list, o values) map[arc][]float32 {
	all := map[arc][]float32{}
	for _, p := range l.chunks {
		for i, e := range p.pairs {
			w := float32(0)
			if p.weights != nil {
				w = p.weights[i]
			}
			a, back := arc{int(e.u), int(e.v)}, arc{int(e.v), int(e.u)}
			if a == back && o["loops"] == "drop" {
				continue
			}
			if l.skew && !o.directed(false) && w > 0 { // both directions have the smaller one
				w = -w
			}
			all[a] = append(all[a], w)
			if a != back && (!o.directed(false) || l.undirected) {
				if l.skew && o.directed(false) {
					w = 0 - w
				}
				all[back] = append(all[back], w)
			}
		}
	}
	for a := range all {
		slices.Sort(all[a])
		if o["duplicates"] == "drop" {
			all[a] = all[a][:1]
		}
	}
	return all
}

func TestBuildHasTheEntriesOfTheList(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	lists := 192
	if testing.Short() { // under the race detector
		lists = 64
	}
	for i := range lists {
		bit := func(n int) bool { return i>>n&1 == 1 }
		pick := func(n int, no, yes string) string { return map[bool]string{false: no, true: yes}[bit(n)] }
		o := values{symmetric: pick(0, "yes", "no"), "duplicates": pick(1, "drop", "keep"),
			"loops": pick(2, "drop", "keep"), "weights": "keep"}
		l := randomList(random, bit(3))
		l.undirected, l.skew = bit(4), bit(5)
		want := slowEntries(l, o)
		g := expect.Value(build(t.Context(), l, o, 3))(t)
		expect.Equal(t, entriesOf(t, g), want, o)
		edges := 0
		for a, weights := range want {
			if o.directed(false) || a.from <= a.to {
				edges += len(weights)
			}
		}
		expect.Equal(t, []int{int(g.Edges()), g.Vertices()}, []int{edges, 9}, o, "edges and vertices")
	}
}

// Both directions of an edge have the same random weight, in [0, 1), or a whole number from 1 to 255, all of them about
// equally often.
func TestDrawnWeights(t *testing.T) {
	for kind, c := range map[string]struct {
		low, high, mean float64
		different       int
	}{"uniform": {0, 1, 0.5, 99000}, "integer": {1, 256, 128, 255}} {
		weights := entriesOf(t, made(t, "uniform:vertices=10000,degree=20,weights="+kind))
		sum, seen := 0.0, map[float32]int{}
		for a, w := range weights {
			x := float64(w[0])
			sum += x
			seen[w[0]]++
			expect.Must(t, x >= c.low && x < c.high && (kind == "uniform" || x == math.Trunc(x)),
				"%s: edge %v has the weight %v", kind, a, w)
		}
		most, mean := 2*len(weights)/c.different, sum/float64(len(weights))
		expect.That(t, math.Abs(mean/c.mean-1) <= 0.02 && len(seen) >= c.different &&
			slices.Max(slices.Collect(maps.Values(seen))) <= most+2,
			"%s: the mean is %v, %d weights of %d differ", kind, mean, len(seen), len(weights))
	}
}

// A shuffled graph is the same graph with other numbers.
func TestShuffleRenumbers(t *testing.T) {
	plain, shuffled := made(t, "grid2d:30x20"), made(t, "grid2d:30x20,shuffle=true")
	labels := newPermutation(600, newStream(1, forLabels))
	want := map[arc]int{}
	for a := range arcsOf(t, plain) {
		want[arc{int(labels.at(uint64(a.from))), int(labels.at(uint64(a.to)))}] = 1
	}
	checkArcs(t, "shuffled", shuffled, want)
	expect.That(t, !slices.Equal(plain.Neighbours, shuffled.Neighbours), "the numbers are as before")
}

// The list has each edge once, and can be read in pieces.
func TestEdgeListIsReadInPieces(t *testing.T) {
	for _, spec := range []string{
		"kron:scale=13,loops=keep,duplicates=keep", "road:120x120", "rmat:scale=10,symmetric=no",
		"uniform:vertices=3,degree=0",
	} {
		g := made(t, spec)
		edges := NewEdgeList(g, 3)
		expect.Equal(t, []int{int(edges.Tuples()), edges.Vertices()}, []int{int(g.Edges()), g.Vertices()}, spec)
		all := make([]graph.Edge, edges.Tuples())
		edges.Read(0, all, nil)
		count := map[arc]int{}
		for _, e := range all {
			count[arc{int(e.U()), int(e.V())}]++
			if !g.Directed && e.U() != e.V() {
				count[arc{int(e.V()), int(e.U())}]++
			}
		}
		checkArcs(t, spec, g, count)
		var pieces []graph.Edge
		random := rand.New(rand.NewPCG(3, 4))
		for len(pieces) < len(all) {
			piece := make([]graph.Edge, min(random.IntN(5000), len(all)-len(pieces)))
			edges.Read(int64(len(pieces)), piece, nil)
			pieces = append(pieces, piece...)
		}
		expect.That(t, slices.Equal(pieces, all), "%s: the pieces are not the list", spec)
	}
}

// Vertices are the labels that occur, in rising order, and Labels leads back to them.
func TestRenumberedLabels(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	labels := make([]uint64, 3000)
	for i := range labels {
		labels[i] = random.Uint64() >> random.IntN(64)
	}
	labels[0] = 1<<64 - 1
	var text strings.Builder
	want := map[[2]uint64]float32{}
	ends := map[uint64]bool{}
	for i := range 200000 { // several blocks
		u, v := labels[random.IntN(len(labels))], labels[random.IntN(len(labels))]
		w, known := want[[2]uint64{u, v}]
		if !known {
			w = float32(i % 100)
		}
		fmt.Fprintln(&text, u, v, w)
		ends[u], ends[v] = true, true
		want[[2]uint64{u, v}] = w
	}
	const options = ",columns=src,dst,weight,labels=renumber,symmetric=no,loops=keep"
	path := stored(t, "a.txt", text.String())
	for _, more := range []string{"", ",shuffle=true"} {
		g := made(t, "file:"+path+options+more)
		expect.Equal(t, []int{g.Vertices(), len(g.Labels), int(g.Edges())}, []int{len(ends), len(ends), len(want)})
		var written strings.Builder
		if err := g.WriteLabels(&written); err != nil || int64(written.Len()) > g.LabelBytes() ||
			g.LabelBytes() > 3*int64(written.Len()) {
			t.Errorf("labels have %d bytes, the estimate is %d (%v)", written.Len(), g.LabelBytes(), err)
		}
		expect.Equal(t, slices.IsSorted(g.Labels), more == "", more, "labels are sorted")
		for a, w := range entriesOf(t, g) {
			edge := [2]uint64{g.Labels[a.from], g.Labels[a.to]}
			expect.Must(t, want[edge] == w[0], "edge %v has weight %v, want %v", edge, w, want[edge])
		}
		one, err := mustParse(t, "file:"+path+options+more).Make(t.Context(), 1, 0)
		expect.That(t, err == nil && same(one, g) && slices.Equal(one.Labels, g.Labels),
			"with %q one worker makes another graph (%v)", more, err)
	}
	g := made(t, "file:testdata/cases/ldbc.e,labels=renumber")
	expect.Equal(t, expect.Written(t, g.WriteLabels), "6\n10\n12\n")
}

// Repeated labels are freed, and each is copied once before.
func TestMemoryOfRenumbering(t *testing.T) {
	const n = 1 << 20
	l := list{chunks: make([]chunk, 8)}
	for i := range l.chunks {
		l.chunks[i].labels = slices.Repeat([]uint64{7, 9}, n/16)
	}
	var before, after, kept runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	expect.NoError(t, l.renumber(1))
	runtime.ReadMemStats(&after)
	runtime.GC()
	runtime.ReadMemStats(&kept)
	used, freed := after.TotalAlloc-before.TotalAlloc, int64(before.HeapAlloc)-int64(kept.HeapAlloc)
	build, _ := debug.ReadBuildInfo() // the race detector copies
	expect.That(t, used <= (8+4+1)*n || strings.Contains(build.String(), "-race=true"), "renumbering took %d bytes", used)
	expect.That(t, freed >= (8-1)*n, "it freed %d bytes of %d, and has %d labels", freed, 8*n, len(l.reading.Labels))
	runtime.KeepAlive(&l)
}
