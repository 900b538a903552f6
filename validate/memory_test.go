// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"fmt"
	"runtime"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/partition"
)

// TestMemory compares Memory with the bytes that New allocates in total, which is at least its peak. On one rank, where
// there are no ghosts to estimate, Memory must also be close.
func TestMemory(t *testing.T) {
	const scale = 16
	_, official := enginetest.Official(scale, 0, 1)
	edges := official.HostTuples
	for _, ranks := range []int{1, 4} {
		t.Run(fmt.Sprintf("%d ranks", ranks), func(t *testing.T) {
			var before, after runtime.MemStats
			enginetest.OnRanks(t, ranks, func(t testing.TB, tr comm.Transport) {
				if tr.Rank() == 0 {
					runtime.ReadMemStats(&before)
				}
				expect.NoError(t, tr.Barrier())
				own := graph.HostTuples(part(edges, tr.Rank(), ranks))
				expect.NoError(t, expect.Err(New(tr, partition.NewCyclic(1<<scale, ranks), own, 1)))
			})
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
