package comm

import (
	"testing"

	"g500/internal/expect"
)

// Parts do not overlap, and append to a part does not overwrite the next one.
func TestInboxParts(t *testing.T) {
	var b inbox
	sizes := []int64{3, 0, 8, 17}
	parts := b.take(sizes)
	for r, p := range parts {
		for i := range p {
			p[i] = byte(r + 1)
		}
		_ = append(p, 0xEE)
	}
	for r, p := range parts {
		if len(p) != int(sizes[r]) {
			t.Errorf("part %d has %d bytes, want %d", r, len(p), sizes[r])
		}
		for i, v := range p {
			if v != byte(r+1) {
				t.Errorf("byte %d of part %d is overwritten", i, r)
			}
		}
	}
}

// The memory is reused until it is released.
func TestInboxMemory(t *testing.T) {
	rank := &loopback{}
	large := []int64{8 << 20}
	rank.inbox.take(large)
	allocations := testing.AllocsPerRun(10, func() {
		rank.inbox.take([]int64{8})
		rank.inbox.take(large)
	})
	if allocations != 0 {
		t.Errorf("calls that need at most the memory of the first allocate %v times", allocations)
	}
	Release(rank)
	if rank.inbox.words != nil || rank.inbox.parts != nil {
		t.Error("Release does not free the memory")
	}
	expect.Equal(t, len(rank.inbox.take(large)[0]), 8<<20)
}
