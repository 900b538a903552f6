// SPDX-License-Identifier: Apache-2.0

package record

import (
	"math"
	"slices"
	"strings"
	"testing"

	"g500/internal/expect"
)

// valueColumn is the first column, from 0, of values in the block.
const valueColumn = 32

// 64 searches whose statistics a run of the Graph500 reference code printed give that run's BFS lines to the byte.
func TestOfficialSample(t *testing.T) {
	got, want := written(t, (*Run).WriteOfficial, sample(t)), expect.Read(t, "testdata/sample_official.txt")
	expect.Equal(t, got, want)
	expect.Equal(t, heads(written(t, (*Run).WriteOfficial, small())), heads(want), "the keys of another run")
	both := expect.Read(t, "testdata/official_both.txt")
	expect.Equal(t, heads(written(t, (*Run).WriteOfficial, withPaths())), heads(both), "the keys of both kernels")
}

func heads(block string) []string {
	var h []string
	for _, line := range lines(block) {
		h = append(h, line[:valueColumn])
	}
	return h
}

// The block has the keys that the specification requires of a BFS run. It may have others.
func TestSpecNames(t *testing.T) {
	for _, key := range strings.Fields(`SCALE edgefactor NBFS construction_time
		bfs_min_time bfs_firstquartile_time bfs_median_time bfs_thirdquartile_time bfs_max_time
		bfs_mean_time bfs_stddev_time
		bfs_min_nedge bfs_firstquartile_nedge bfs_median_nedge bfs_thirdquartile_nedge bfs_max_nedge
		bfs_mean_nedge bfs_stddev_nedge
		bfs_min_TEPS bfs_firstquartile_TEPS bfs_median_TEPS bfs_thirdquartile_TEPS bfs_max_TEPS
		bfs_harmonic_mean_TEPS bfs_harmonic_stddev_TEPS`) {
		expect.Contains(t, "\n"+written(t, (*Run).WriteSpec, small()), "\n"+key+":")
	}
}

// The wanted texts are the output of printf in C.
func TestCFloat(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		want   string
	}{
		{0.00418746, 6, "0.00418746"}, {0.0001, 6, "0.0001"}, {0.00001, 6, "1e-05"},
		{7.79939e-06, 6, "7.79939e-06"}, {9.0474e+07, 6, "9.0474e+07"}, {814320, 6, "814320"},
		{16239, 6, "16239"}, {123456.7, 6, "123457"}, {999999.4, 6, "999999"}, {999999.5, 6, "1e+06"},
		{1e6, 6, "1e+06"}, {1234567, 6, "1.23457e+06"}, {1.5e300, 6, "1.5e+300"}, {0, 6, "0"}, {-1, 6, "-1"},
		{math.Inf(1), 6, "inf"}, {math.Inf(-1), 6, "-inf"}, {1234567, 11, "1234567"},
		{1073731075.5, 11, "1073731075.5"}, {137437972330, 11, "1.3743797233e+11"},
	} {
		if got := cFloat(c.x, c.digits); got != c.want {
			t.Errorf("%%.%dg of %v: got %s, want %s", c.digits, c.x, got, c.want)
		}
	}
}

// withPaths is the small run with SSSP as a second kernel, with other times, edge counts and validation times.
func withPaths() *Run {
	run := small()
	paths := KernelRun{Kernel: SSSP, Keys: 5, ConstructionSeconds: 1, Searches: slices.Clone(run.Kernels[0].Searches)}
	for i := range paths.Searches {
		s := &paths.Searches[i]
		s.Seconds, s.ValidateSeconds, s.Edges = 2*s.Seconds, 3*s.ValidateSeconds, s.Edges+1+int64(i)
	}
	run.Kernels = append(run.Kernels, paths)
	return run
}

// alone is the run with one of its kernels only.
func alone(run *Run, kernel Kernel) *Run {
	one := *run
	one.Kernels = []KernelRun{*run.KernelRun(kernel)}
	return &one
}

// Work for both kernels counts once in the construction time of the run.
func TestConstructionCountsSharedWorkOnce(t *testing.T) {
	run := withPaths()
	apart := run.ConstructionSeconds()
	run.Kernels[1].ConstructionIncludesEarlier = true
	if shared := run.ConstructionSeconds(); apart != 1.5 || shared != 1 {
		t.Errorf("construction takes %v s apart and %v s shared, want 1.5 and 1", apart, shared)
	}
}
