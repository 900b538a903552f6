package kronecker

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"g500/graph"
)

func TestFillParallelIsFill(t *testing.T) {
	p := Params{20, 16, 2, 3}
	for _, n := range []int{0, 1, chunk - 1, chunk, 3*chunk + 7} {
		want := make([]graph.Edge, n)
		p.Fill(3, want)
		for _, workers := range []int{-1, 1, 2, 3, 16} {
			got := make([]graph.Edge, n)
			if err := p.FillParallel(context.Background(), 3, got, nil, workers, nil); err != nil {
				t.Fatalf("%d edges, %d workers: %v", n, workers, err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d edges, %d workers: another list than Fill's", n, workers)
			}
		}
	}
}

func TestFillParallelTellsProgress(t *testing.T) {
	dst := make([]graph.Edge, 5*chunk+7)
	var told []int64 // unguarded: the race detector sees to it that reports come one at a time
	progress := func(done int64) { told = append(told, done) }
	if err := (Params{10, 16, 2, 3}).FillParallel(context.Background(), 0, dst, nil, 3, progress); err != nil {
		t.Fatal(err)
	}
	if len(told) != 6 || !slices.IsSorted(told) || told[5] != int64(len(dst)) {
		t.Errorf("reports %v, want six rising ones up to %d", told, len(dst))
	}
}

func TestFillParallelStopsWithItsContext(t *testing.T) {
	dst := make([]graph.Edge, 100*chunk)
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("the user lost patience")
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
