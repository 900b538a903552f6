package formats

import "sync/atomic"

// Repeats counts the edges that a simple graph does not have.
type Repeats struct {
	Loops      int64 `json:"self_loops"` // edges from a vertex to itself
	Duplicates int64 `json:"duplicates"` // copies of edges, in either direction if undirected
}

// census has counts of the tuples of a list.
type census struct {
	loops, others int64 // tuples with equal and with different ends
	mirrored      bool  // the list has each of the others equally often in both directions
}

func (l *list) census(workers int) census {
	var loops, checksum atomic.Int64
	l.eachChunk(workers, func(_ int64, c *chunk) {
		same, sum := int64(0), uint64(0)
		for _, e := range c.pairs {
			switch {
			case e.u == e.v:
				same++
			case e.u < e.v:
				sum += mix(uint64(e.u)<<32 | uint64(e.v))
			default:
				sum -= mix(uint64(e.v)<<32 | uint64(e.u))
			}
		}
		loops.Add(same)
		checksum.Add(int64(sum))
	})
	return census{loops.Load(), l.tuples() - loops.Load(), checksum.Load() == 0}
}

// keptRepeats counts the self-loops and duplicates in the rows.
func (b *builder) keptRepeats() {
	if !b.keepLoops && !b.keepDuplicates {
		return
	}
	var loops, copies atomic.Int64
	b.g.eachRows(b.workers, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			before := -1
			for _, to := range b.g.Row(v) {
				switch int(to) {
				case v:
					loops.Add(1)
				case before:
					copies.Add(1)
				}
				before = int(to)
			}
		}
	})
	b.g.loops = loops.Load()
	b.g.Repeats = Repeats{loops.Load(), copies.Load() / b.sides()}
}

// droppedRepeats adds the self-loops and duplicates of the input that the rows, made of a number of entries, lack. If a
// file lists each undirected edge from both ends, as DIMACS does, the second tuple is no duplicate.
func (b *builder) droppedRepeats(input census, entries int64) {
	if b.keepLoops {
		entries -= input.loops - b.g.loops
	}
	b.g.Loops = input.loops
	b.g.Duplicates += (entries - b.g.Entries()) / b.sides()
	if input.mirrored && !b.directed && !b.keepDuplicates {
		b.g.Duplicates -= input.others / 2
	}
}

// sides returns the number of entries of an edge with different ends.
func (b *builder) sides() int64 {
	if b.directed {
		return 1
	}
	return 2
}
