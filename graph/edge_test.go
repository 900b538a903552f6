package graph_test

import (
	"bytes"
	"testing"
	"unsafe"

	"g500/graph"
)

func FuzzEdge(f *testing.F) {
	labels := []int64{0, 1, 1<<16 - 1, 1 << 16, 1<<32 - 1, 1 << 32, 0x123456789ABC, 1<<47 - 1, 1 << 47, 1<<48 - 1}
	for _, u := range labels {
		for _, v := range labels {
			f.Add(u, v)
		}
	}
	f.Fuzz(func(t *testing.T, x, y int64) {
		u, v := graph.Global(x&(1<<48-1)), graph.Global(y&(1<<48-1))
		if e := graph.NewEdge(u, v); e.U() != u || e.V() != v || e.SelfLoop() != (u == v) {
			t.Errorf("<%#x, %#x> is stored as <%#x, %#x>, self-loop %v", u, v, e.U(), e.V(), e.SelfLoop())
		}
	})
}

// A tuple in memory is the official packed record: the low 32 bits of both labels, then their high 16 bits, all
// little-endian.
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
