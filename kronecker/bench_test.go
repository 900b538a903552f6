// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"fmt"
	"testing"

	"g500/graph"
)

// BenchmarkFill measures the speed of one core.
func BenchmarkFill(b *testing.B) {
	for _, scale := range []int{20, 26, 40} {
		b.Run(fmt.Sprint("scale=", scale), func(b *testing.B) {
			p := Params{Scale: scale, EdgeFactor: 16, Seed1: 2, Seed2: 3}
			dst := make([]graph.Edge, 1<<16)
			for i := range b.N {
				p.Fill(int64(i*len(dst)), dst)
			}
			b.ReportMetric(float64(b.N)*float64(len(dst))/b.Elapsed().Seconds(), "edges/s")
		})
	}
}
