package sssp

import "sync/atomic"

// scatterBatch is how many edges take their places before any of them is written: an atomic operation waits for all
// writes before it, and these go all over memory.
const scatterBatch = 64

// scatter puts edges into rows, beside other workers.
type scatter struct {
	edges []edge
	next  []int64 // of each row: the place that is free
	batch [scatterBatch]edge
	at    [scatterBatch]int64
	n     int
}

// add puts an edge into a row, at the latest when flush is called.
func (s *scatter) add(row hub, e edge) {
	s.batch[s.n], s.at[s.n] = e, atomic.AddInt64(&s.next[row], 1)-1
	if s.n++; s.n == scatterBatch {
		s.flush()
	}
}

func (s *scatter) flush() {
	for i, at := range s.at[:s.n] {
		s.edges[at] = s.batch[i]
	}
	s.n = 0
}
