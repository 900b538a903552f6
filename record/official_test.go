// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"io"
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

// A run with both kernels has the keys of the reference code in its order and columns. The lines of each kernel are the
// same as in a run of that kernel alone.
func TestBlockOfBothKernels(t *testing.T) {
	run := withPaths()
	block := written(t, (*Run).WriteOfficial, run)
	expect.Equal(t, heads(block), heads(expect.Read(t, "testdata/official_both.txt")))
	for name, write := range map[string]func(*Run, io.Writer) error{
		"official": (*Run).WriteOfficial, "spec": (*Run).WriteSpec,
	} {
		all := lines(written(t, write, run))
		for _, k := range []Kernel{BFS, SSSP} {
			n := 0
			for _, line := range lines(written(t, write, alone(run, k))) {
				if !strings.HasPrefix(line, string(k)) {
					continue
				}
				if n++; !slices.Contains(all, line) {
					t.Errorf("%s, kernel %s: no line %q in the block of both", name, k, line)
				}
			}
			if n < 21 { // times, rates and validation, seven lines each
				t.Errorf("%s, kernel %s: %d lines", name, k, n)
			}
		}
	}
	run.Kernels[1].Searches = run.Kernels[1].Searches[1:]
	if run.Settle(); run.Status != Incomplete {
		t.Errorf("a run that lacks a search of shortest paths is %s", run.Status)
	}
}

// The figures of kernel 3 follow from its own searches. The wanted values were computed by hand.
func TestLinesOfShortestPaths(t *testing.T) {
	run := withPaths()
	for i := range run.Kernels {
		run.Kernels[i].Keys, run.Kernels[i].Searches = 2, run.Kernels[i].Searches[:2]
	}
	for i := range run.Kernels[1].Searches {
		s := &run.Kernels[1].Searches[i]
		s.Seconds, s.Edges, s.ValidateSeconds = float64(i+1), 600, float64(i+5)
	}
	block := written(t, (*Run).WriteOfficial, run)
	for key, want := range map[string]string{
		"sssp min_time:": "1", "sssp max_time:": "2", "sssp mean_time:": "1.5", "sssp min_TEPS:": "300",
		"sssp max_TEPS:": "600", "sssp harmonic_mean_TEPS:     !": "400", "sssp min_validate:": "5",
		"sssp max_validate:": "6",
	} {
		if line := fmt.Sprintf("%-32s%s\n", key, want); !strings.Contains(block, line) {
			t.Errorf("no line %q in\n%s", line, block)
		}
	}
}
