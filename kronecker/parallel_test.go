// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"g500/comm/commtest"
	"g500/graph"
	"g500/internal/expect"
)

func TestFillParallelIsFill(t *testing.T) {
	p := Params{20, 16, 2, 3}
	for _, n := range []int{0, 1, chunk - 1, chunk, 3*chunk + 7} {
		want := make([]graph.Edge, n)
		p.Fill(3, want)
		for _, workers := range []int{-1, 1, 2, 3, 16} {
			got := make([]graph.Edge, n)
			expect.NoError(t, p.FillParallel(t.Context(), 3, got, nil, workers, nil), n, "edges", workers, "workers")
			if !slices.Equal(got, want) {
				t.Errorf("%d edges, %d workers: another list than Fill's", n, workers)
			}
		}
	}
}

func TestFillParallelReportsProgress(t *testing.T) {
	dst := make([]graph.Edge, 5*chunk+7)
	var reports []int64 // without a lock: the race detector finds concurrent reports
	progress := func(done int64) { reports = append(reports, done) }
	expect.NoError(t, (Params{10, 16, 2, 3}).FillParallel(t.Context(), 0, dst, nil, 3, progress))
	if len(reports) != 6 || !slices.IsSorted(reports) || reports[5] != int64(len(dst)) {
		t.Errorf("reports %v, want six rising ones up to %d", reports, len(dst))
	}
}

func TestFillParallelStopsWithItsContext(t *testing.T) {
	dst := make([]graph.Edge, 100*chunk)
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("stopped by the test")
	reports := 0
	err := Params{10, 16, 2, 3}.FillParallel(ctx, 0, dst, nil, 2, func(int64) {
		reports++
		cancel(reason)
	})
	if !errors.Is(err, reason) || !strings.HasPrefix(err.Error(), "kronecker: ") {
		t.Errorf("error %v, want one of kronecker that wraps %q", err, reason)
	}
	if reports > 2 {
		t.Errorf("%d chunks of two workers were finished after the end of the context", reports)
	}
}

func TestPanicOfAWorkerIsTheCallers(t *testing.T) {
	commtest.EndsByPanic(t, "TestPanicOfAWorker", func() {
		_ = Params{10, 16, 2, 3}.FillParallel(t.Context(), 0, make([]graph.Edge, 4*chunk), nil, 2, func(int64) {
			panic(commtest.ErrPlanted)
		})
	})
}
