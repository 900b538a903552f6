package kronecker

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"g500/graph"
)

// chunk is the number of edges between two looks at the context and two reports of progress: some milliseconds
// of work, and 768 KiB of tuples.
const chunk = 1 << 16

// FillParallel is Fill on several cores, or FillWeighted unless weights is nil. Fewer than one worker count as one.
// progress may be nil; else it is called after each chunk with the number of edges of dst that are done, by one worker
// at a time and each time with a larger number. If ctx ends first, the error wraps its cause, and the contents of dst
// are undefined.
func (p Params) FillParallel(
	ctx context.Context, first int64, dst []graph.Edge, weights []float32, workers int, progress func(done int64),
) error {
	var next atomic.Int64
	done := tally{report: progress}
	team, ctx := errgroup.WithContext(ctx)
	for range max(workers, 1) {
		team.Go(func() error {
			for {
				at := next.Add(chunk) - chunk
				if at >= int64(len(dst)) {
					return nil
				}
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				end := min(at+chunk, int64(len(dst)))
				if weights == nil {
					p.Fill(first+at, dst[at:end])
				} else {
					p.FillWeighted(first+at, dst[at:end], weights[at:end])
				}
				done.add(int(end - at))
			}
		})
	}
	if err := team.Wait(); err != nil {
		return fmt.Errorf("kronecker: generation stopped after %d of %d edges: %w", done.edges, len(dst), err)
	}
	return nil
}

// tally adds up what the workers have done and reports each new sum, one at a time.
type tally struct {
	mu     sync.Mutex
	edges  int64
	report func(edges int64)
}

func (t *tally) add(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.edges += int64(n)
	if t.report != nil {
		t.report(t.edges)
	}
}
