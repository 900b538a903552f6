package gpu

import "g500/bfs"

// traffic is the model of the device memory that a search reads and writes, for a graph of that many vertices with an
// edge (hubs) and labels. It follows the comments above the kernels in cuda/search*.cuh.
//
// Bitmaps are counted once where a step goes through them in order. Bits at random places are those of hubs in a
// bottom-up step, which stay in the cache; in a top-down step each is taken to cost a sector, which is the worst case.
// What a vertex costs that its first neighbour does not settle is not counted, since the trace does not tell how many
// there are.
type traffic struct{ hubs, labels int64 }

// Bytes that the kernels move for each of what is counted.
const (
	firstBytes  = 4              // sweep_first, a hub: its first neighbour
	edgeBytes   = 4 + 32         // expand_queue, an edge: its far end, the sector of the bitmap with that vertex' bit
	claimBytes  = 8 + 4 + 4      // expand_queue, a vertex that is reached: an atomic, its parent, its place in the queue
	layOutBytes = 4 + 16 + 8 + 4 // lay_out_queue, a vertex of the frontier: queue, its row's ends; offset, queue again
	relistBytes = 4              // rebuild_queue, a vertex of the frontier: its place in the queue
	pairBytes   = 2 * 2          // lay_side_by_side, a byte of a bitmap: two bitmaps read, and written side by side
	settleBytes = 5              // write_labels, a hub: its first neighbour's label, its part of a run, two bits
	dealBytes   = 2 + 4          // write_labels, a label: its slot, the result
	bitsPerByte = 8
)

// count fills in the bytes of each step of a search.
func (t traffic) count(steps []bfs.Level) {
	var before bfs.Level
	swept := false // there was a bottom-up step
	for i := range steps {
		step := &steps[i]
		switch step.Step {
		case bfs.TopDownStep:
			step.Bytes = t.topDown(*step, before.Step == bfs.BottomUpStep, claimed(steps[i+1:]))
		case bfs.BottomUpStep:
			step.Bytes = t.bottomUp(!swept)
			swept = true
		case bfs.LabelOrderStep:
			step.Bytes = pairBytes*t.bitmap() + settleBytes*t.hubs + dealBytes*t.labels
		}
		if i == 0 {
			step.Bytes += t.bitmap() // is cleared
		}
		before = *step
	}
}

// claimed is the number of vertices that a level reaches: the next one's frontier.
func claimed(rest []bfs.Level) int64 {
	if len(rest) == 0 || rest[0].Step == bfs.LabelOrderStep {
		return 0
	}
	return rest[0].Frontier
}

// topDown lists the frontier first where a bottom-up level has left it in two bitmaps.
func (t traffic) topDown(level bfs.Level, relist bool, claimed int64) int64 {
	bytes := edgeBytes*level.Edges + claimBytes*claimed + layOutBytes*level.Frontier
	if relist {
		bytes += 2*t.bitmap() + relistBytes*level.Frontier
	}
	return bytes
}

// bottomUp reads a bitmap and writes one; the first such level also starts that of by_other.
func (t traffic) bottomUp(first bool) int64 {
	bytes := firstBytes*t.hubs + 2*t.bitmap()
	if first {
		bytes += t.bitmap()
	}
	return bytes
}

// bitmap is the size of one.
func (t traffic) bitmap() int64 { return (t.hubs + bitsPerByte - 1) / bitsPerByte }
