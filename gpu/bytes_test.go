package gpu

import (
	"testing"

	"g500/bfs"
)

// A graph of 8000 hubs, whose bitmaps have 1000 bytes, and 10,000 labels.
func TestTraffic(t *testing.T) {
	const (
		down, up, last = bfs.TopDownStep, bfs.BottomUpStep, bfs.LabelOrderStep
		bitmap, sweep  = 1000, 4 * 8000
	)
	level := func(step string, frontier, edges int64) bfs.Level {
		return bfs.Level{Step: step, Frontier: frontier, Edges: edges}
	}
	for _, c := range []struct {
		name  string
		steps []bfs.Level
		want  []int64
	}{
		{"nothing was traced", nil, nil},
		{"one level clears a bitmap, lays a vertex out and goes over its edges",
			[]bfs.Level{level(down, 1, 10)}, []int64{bitmap + 32 + 36*10}},
		{"what a top-down level claims is the next frontier",
			[]bfs.Level{level(down, 1, 10), level(down, 7, 0)}, []int64{bitmap + 32 + 36*10 + 16*7, 32 * 7}},
		{"the last pass is no frontier",
			[]bfs.Level{level(down, 1, 10), level(last, 99, 0)},
			[]int64{bitmap + 32 + 36*10, 4*bitmap + 5*8000 + 6*10_000}},
		{"bottom-up reads and writes bitmaps, the first time one more",
			[]bfs.Level{level(up, 1, 0), level(up, 500, 0)}, []int64{bitmap + sweep + 3*bitmap, sweep + 2*bitmap}},
		{"top-down after bottom-up lists the frontier again",
			[]bfs.Level{level(up, 1, 0), level(down, 9, 20)},
			[]int64{bitmap + sweep + 3*bitmap, 2*bitmap + (4+32)*9 + 36*20}},
		{"only the first of all bottom-up levels starts a bitmap",
			[]bfs.Level{level(up, 1, 0), level(down, 9, 0), level(up, 2, 0)},
			[]int64{bitmap + sweep + 3*bitmap, 2*bitmap + (4+32)*9 + 16*2, sweep + 2*bitmap}},
	} {
		t.Run(c.name, func(t *testing.T) {
			traffic{hubs: 8000, labels: 10_000}.count(c.steps)
			for i, want := range c.want {
				if c.steps[i].Bytes != want {
					t.Errorf("step %d moves %d bytes, want %d", i, c.steps[i].Bytes, want)
				}
			}
		})
	}
}

func TestTrafficOfOddBitmaps(t *testing.T) {
	steps := []bfs.Level{{Step: bfs.BottomUpStep}}
	traffic{hubs: 9}.count(steps)
	if want := int64(4*9 + 4*2); steps[0].Bytes != want {
		t.Errorf("%d bytes, want %d: a bitmap of 9 bits takes 2", steps[0].Bytes, want)
	}
}
