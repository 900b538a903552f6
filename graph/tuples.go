// SPDX-License-Identifier: Apache-2.0

package graph

// Tuples is one rank's share of the edge list, in the memory of the host or of a GPU.
type Tuples interface {
	// Len returns the number of tuples of the share.
	Len() int64
	// Host returns the share in host memory, copied from a GPU if necessary, and the weights only if weighted is set and
	// the tuples have them. The slices must not be changed.
	Host(weighted bool) (HostTuples, error)
	// Directed reports whether the tuples are arcs of a directed graph, from U to V. It is the same on all ranks.
	Directed() bool
}

// Range is the part of the edge list that a rank generates or reads.
type Range struct {
	First, Count int64 // tuples
	Weighted     bool  // they have weights
	Directed     bool  // they are arcs
}

// TupleReader fills into with consecutive tuples of a part of the edge list, from number first of the part on, and
// weights, which is empty or of the same length, with their weights.
type TupleReader = func(first int64, into []Edge, weights []float32) error

// HostTuples are Tuples in host memory.
type HostTuples struct {
	Edges   []Edge
	Weights []float32 // one for each edge; nil only if no rank has weights
	Arcs    bool      // edges are arcs
}

// NewHostTuples allocates the tuples of a range.
func NewHostTuples(r Range) HostTuples {
	t := HostTuples{Edges: make([]Edge, r.Count), Arcs: r.Directed}
	if r.Weighted {
		t.Weights = make([]float32, r.Count)
	}
	return t
}

// Len returns the number of tuples.
func (t HostTuples) Len() int64 { return int64(len(t.Edges)) }

// Host returns the tuples themselves.
func (t HostTuples) Host(weighted bool) (HostTuples, error) {
	if !weighted {
		t.Weights = nil
	}
	return t, nil
}

// Directed reports whether the tuples are arcs.
func (t HostTuples) Directed() bool { return t.Arcs }

// Read is a TupleReader of the tuples.
func (t HostTuples) Read(first int64, into []Edge, weights []float32) error {
	part := t.Cut(int(first), int(first)+len(into))
	copy(into, part.Edges)
	copy(weights, part.Weights)
	return nil
}

// Cut returns the tuples from lo to hi.
func (t HostTuples) Cut(lo, hi int) HostTuples {
	t.Edges = t.Edges[lo:hi]
	if t.Weights != nil {
		t.Weights = t.Weights[lo:hi]
	}
	return t
}

// Share is the largest share of a graph that a rank may have, from which memory is estimated.
type Share struct {
	Ranks     int   // of the job
	Vertices  int64 // labels that the rank owns
	Tuples    int64 // of the edge list
	Ends      int64 // of all ranks' tuples, at vertices that the rank owns
	Positions int64 // of all ranks' non-isolated vertices
	IDs64     bool  // packed global ids need 64 bits
}
