// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"g500/internal/expect"
)

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
		if g.Vertices() != len(ends) || len(g.Labels) != len(ends) || g.Edges() != int64(len(want)) {
			t.Fatalf("%d vertices, %d labels, %d edges, want %d and %d", g.Vertices(), len(g.Labels), g.Edges(), len(ends),
				len(want))
		}
		var written strings.Builder
		if err := g.WriteLabels(&written); err != nil || int64(written.Len()) > g.LabelBytes() ||
			g.LabelBytes() > 3*int64(written.Len()) {
			t.Errorf("labels have %d bytes, the estimate is %d (%v)", written.Len(), g.LabelBytes(), err)
		}
		expect.Equal(t, slices.IsSorted(g.Labels), more == "", more, "labels are sorted")
		for a, w := range weightedArcs(t, g) {
			if edge := [2]uint64{g.Labels[a.from], g.Labels[a.to]}; want[edge] != w {
				t.Fatalf("edge %v has weight %v, want %v", edge, w, want[edge])
			}
		}
		one, err := mustParse(t, "file:"+path+options+more).Make(t.Context(), 1, 0)
		if err != nil || !same(one, g) || !slices.Equal(one.Labels, g.Labels) {
			t.Errorf("with %q one worker makes another graph (%v)", more, err)
		}
	}
	g := made(t, "file:testdata/cases/ldbc.e,labels=renumber")
	var file strings.Builder
	if err := g.WriteLabels(&file); err != nil || file.String() != "6\n10\n12\n" {
		t.Errorf("labels %q, %v", file.String(), err)
	}
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
	if used := after.TotalAlloc - before.TotalAlloc; used > (8+4+1)*n { // labels and vertices
		t.Errorf("renumbering took %d bytes", used)
	}
	if freed := int64(before.HeapAlloc) - int64(kept.HeapAlloc); freed < (8-1)*n {
		t.Errorf("renumbering freed %d bytes of %d, and has %d labels", freed, 8*n, len(l.reading.Labels))
	}
	runtime.KeepAlive(&l)
}
