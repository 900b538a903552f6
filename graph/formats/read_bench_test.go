// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"cmp"
	"os"
	"runtime"
	"testing"

	"g500/internal/expect"
)

// BenchmarkReadText reads a text file into a list of tuples, on all cores. G500_GRAPH names the file, such as
// /tmp/web.txt; the default is small.
func BenchmarkReadText(b *testing.B) {
	path := cmp.Or(os.Getenv("G500_GRAPH"), "testdata/cases/sssp-hang-grid.gr.gz")
	b.SetBytes(expect.Value(os.Stat(path))(b).Size())
	for b.Loop() {
		s := expect.Value(Parse("file:" + path))(b)
		l := expect.Value(s.kind.make(task{Spec: s, ctx: b.Context(), workers: runtime.NumCPU()}))(b)
		b.ReportMetric(float64(l.tuples()), "tuples")
	}
}
