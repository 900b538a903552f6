// SPDX-License-Identifier: Apache-2.0

package graph

// Tuples is one rank's share of the edge list, in the memory of the host or of a GPU.
type Tuples interface {
	// Len returns the number of tuples of the share.
	Len() int64
	// Host returns the share in host memory, copied from a GPU if necessary. It must not be changed.
	Host() ([]Edge, error)
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
type HostTuples []Edge

// Len returns the number of tuples.
func (t HostTuples) Len() int64 { return int64(len(t)) }

// Host returns the tuples themselves.
func (t HostTuples) Host() ([]Edge, error) { return t, nil }

// Directed returns false: Arcs makes arcs of tuples.
func (t HostTuples) Directed() bool { return false }

// WeightedTuples are Tuples with one weight each.
type WeightedTuples interface {
	Tuples
	// HostWeights returns the weights in host memory, in the order of Host. They must not be changed.
	HostWeights() ([]float32, error)
}

// HostWeightedTuples are WeightedTuples in host memory; both slices have the same length.
type HostWeightedTuples struct {
	HostTuples
	Weights []float32
}

// HostWeights returns the weights themselves.
func (t HostWeightedTuples) HostWeights() ([]float32, error) { return t.Weights, nil }

// Arcs returns tuples as arcs, with weights if the tuples have them.
func Arcs(t Tuples) Tuples {
	if weighted, is := t.(WeightedTuples); is {
		return weightedArcs{weighted}
	}
	return arcs{t}
}

type arcs struct{ Tuples }

func (arcs) Directed() bool { return true }

type weightedArcs struct{ WeightedTuples }

func (weightedArcs) Directed() bool { return true }

// Share is the largest share of a graph that a rank may have, from which memory is estimated.
type Share struct {
	Ranks     int   // of the job
	Vertices  int64 // labels that the rank owns
	Tuples    int64 // of the edge list
	Ends      int64 // of all ranks' tuples, at vertices that the rank owns
	Positions int64 // of all ranks' non-isolated vertices
	IDs64     bool  // packed global ids need 64 bits
}
