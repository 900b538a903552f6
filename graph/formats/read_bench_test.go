package formats

import (
	"os"
	"runtime"
	"testing"
)

// BenchmarkReadText reads a text file into a list of tuples, on all cores. G500_GRAPH names the file, such as
// /tmp/web.txt; the default is small.
func BenchmarkReadText(b *testing.B) {
	path := os.Getenv("G500_GRAPH")
	if path == "" {
		path = "testdata/cases/sssp-hang-grid.gr.gz"
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	for b.Loop() {
		s, err := Parse("file:" + path)
		if err != nil {
			b.Fatal(err)
		}
		l, err := s.kind.make(task{Spec: s, ctx: b.Context(), workers: runtime.NumCPU()})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(l.tuples()), "tuples")
	}
}
