package graph_test

import (
	"bytes"
	"testing"
	"unsafe"

	"g500/graph"
)

func TestEdgeKeepsItsLabels(t *testing.T) {
	labels := []graph.Global{0, 1, 1<<16 - 1, 1 << 16, 1<<32 - 1, 1 << 32, 0x123456789ABC, 1<<47 - 1, 1 << 47, 1<<48 - 1}
	for _, u := range labels {
		for _, v := range labels {
			e := graph.NewEdge(u, v)
			if e.U() != u || e.V() != v {
				t.Errorf("<%#x, %#x> came back as <%#x, %#x>", u, v, e.U(), e.V())
			}
			if e.SelfLoop() != (u == v) {
				t.Errorf("<%#x, %#x>: self-loop is %v", u, v, e.SelfLoop())
			}
		}
	}
}

func FuzzEdge(f *testing.F) {
	f.Add(uint64(0), uint64(1<<48-1))
	f.Fuzz(func(t *testing.T, u, v uint64) {
		u, v = u%(1<<48), v%(1<<48)
		e := graph.NewEdge(graph.Global(u), graph.Global(v))
		if uint64(e.U()) != u || uint64(e.V()) != v {
			t.Errorf("<%#x, %#x> came back as <%#x, %#x>", u, v, e.U(), e.V())
		}
	})
}

// A tuple in memory is the official packed record: the low 32 bits of both labels, then the high 16 bits of the
// first and of the second, all little-endian.
func TestEdgeIsTheOfficialRecord(t *testing.T) {
	if one := uint16(1); *(*byte)(unsafe.Pointer(&one)) != 1 {
		t.Skip("this machine is big-endian; only its edge files are official, not its memory")
	}
	edges := []graph.Edge{
		graph.NewEdge(299, 797),
		graph.NewEdge(0x112233445566, 0x778899AABBCC),
	}
	want := []byte{
		0x2B, 0x01, 0, 0, 0x1D, 0x03, 0, 0, 0, 0, 0, 0,
		0x66, 0x55, 0x44, 0x33, 0xCC, 0xBB, 0xAA, 0x99, 0x22, 0x11, 0x88, 0x77,
	}
	got := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(edges))), len(edges)*graph.EdgeBytes)
	if !bytes.Equal(got, want) {
		t.Errorf("bytes % X, want % X", got, want)
	}
}
