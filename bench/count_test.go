// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"testing"

	"g500/internal/expect"
	"g500/record"
)

// Without validation the counted edges and vertices are the validator's, in a large and in a small component, on any
// number of ranks and in several messages. Such a run has rates, but it is not VALID.
func TestCountedEdges(t *testing.T) {
	countedTuples = 1000
	t.Cleanup(func() { countedTuples = 1 << 20 })
	for _, kernel := range []string{"bfs", "sssp"} {
		for _, ranks := range []int{1, 3, 5} {
			c := fileOfRoots(t, "220\n616\n458")
			c.Search.Kernel = kernel
			validated := mustRun(t, ranks, hybrid(c)).Kernels[0].Searches
			c.Search.Validate = false
			s := hybrid(c)
			s.CountEdges = true
			run := mustRun(t, ranks, s)
			for i, got := range run.Kernels[0].Searches {
				expect.Equal(t, [2]int64{got.Edges, got.Reached}, [2]int64{validated[i].Edges, validated[i].Reached}, kernel)
				expect.Equal(t, got.ValidateSeconds, record.NotValidated)
			}
			if st := run.Statistics(run.Kernels[0]); run.Status != record.Unvalidated || st.TEPS == nil || st.Edges.Min != 1 ||
				st.ValidateSeconds != nil {
				t.Errorf("%s on %d ranks: %s, %+v", kernel, ranks, run.Verdict(), st)
			}
		}
	}
}
