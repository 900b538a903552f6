package kronecker

import (
	"context"
	"fmt"
	"sync"

	"g500/graph"
	"g500/internal/par"
)

// chunk is the number of edges between two checks of the context and two reports of progress: a few milliseconds of
// work, and 768 KiB of tuples.
const chunk = 1 << 16

// FillParallel is Fill with several workers, or FillWeighted unless weights is nil. Fewer than one worker count as one.
// progress may be nil; else a worker calls it after each chunk with the number of finished edges of dst, one worker at
// a time and with rising numbers. If ctx ends first, the error wraps its cause, and the contents of dst are undefined.
func (p Params) FillParallel(
	ctx context.Context, first int64, dst []graph.Edge, weights []float32, workers int, progress func(done int64),
) error {
	var mu sync.Mutex
	done := 0
	par.For(workers, len(dst), chunk, func(_, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		if weights == nil {
			p.Fill(first+int64(lo), dst[lo:hi])
		} else {
			p.FillWeighted(first+int64(lo), dst[lo:hi], weights[lo:hi])
		}
		mu.Lock()
		defer mu.Unlock()
		if done += hi - lo; progress != nil {
			progress(int64(done))
		}
	})
	if done < len(dst) {
		return fmt.Errorf("kronecker: generation stopped after %d of %d edges: %w", done, len(dst), context.Cause(ctx))
	}
	return nil
}
