package validate

import (
	"fmt"
	"runtime"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/internal/expect"
	"g500/kronecker"
	"g500/partition"
)

// TestMemory compares Memory with the bytes that New allocates in total, which is at least its peak. On one rank, where
// there are no ghosts to estimate, Memory must also be close.
func TestMemory(t *testing.T) {
	const scale = 16
	edges := make([]graph.Edge, 16<<scale)
	kronecker.Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}.Fill(0, edges)
	for _, ranks := range []int{1, 4} {
		t.Run(fmt.Sprintf("%d ranks", ranks), func(t *testing.T) {
			var before, after runtime.MemStats
			expect.NoError(t, comm.Loopback(ranks, func(tr comm.Transport) error {
				if tr.Rank() == 0 {
					runtime.ReadMemStats(&before)
				}
				if err := tr.Barrier(); err != nil {
					return err
				}
				own := graph.HostTuples(part(edges, tr.Rank(), ranks))
				_, err := New(tr, partition.NewCyclic(1<<scale, ranks), own, 1)
				return err
			}))
			runtime.ReadMemStats(&after)
			took := int64(after.TotalAlloc-before.TotalAlloc) / int64(ranks)
			tuples := int64(16<<scale) / int64(ranks)
			share := graph.Share{Ranks: ranks, Vertices: 1 << scale / int64(ranks), Tuples: tuples, Ends: 2 * tuples}
			if ranks > 1 {
				share.Ends += share.Ends / 8
			}
			limit := Memory(share)
			t.Logf("New took %d bytes per rank, Memory says %d", took, limit)
			if took > limit {
				t.Errorf("New took %d bytes per rank, Memory says at most %d", took, limit)
			}
			if ranks == 1 && took < limit*3/4 {
				t.Errorf("New took %d bytes, Memory says %d, much more", took, limit)
			}
		})
	}
}
