package graph

// Tuples is one rank's share of the edge list, wherever it lies: the host's memory, a GPU's.
type Tuples interface {
	// Len is the number of tuples of the share.
	Len() int64
	// Host is the share in host memory; tuples that lie elsewhere are copied. It must not be changed.
	Host() ([]Edge, error)
}

// HostTuples are Tuples in host memory.
type HostTuples []Edge

// Len is the number of tuples.
func (t HostTuples) Len() int64 { return int64(len(t)) }

// Host returns the tuples themselves.
func (t HostTuples) Host() ([]Edge, error) { return t, nil }

// WeightedTuples are Tuples with a weight each.
type WeightedTuples interface {
	Tuples
	// HostWeights are the weights in host memory, in the order of Host. They must not be changed.
	HostWeights() ([]float32, error)
}

// HostWeightedTuples are WeightedTuples in host memory; both slices are equally long.
type HostWeightedTuples struct {
	HostTuples
	Weights []float32
}

// HostWeights returns the weights themselves.
func (t HostWeightedTuples) HostWeights() ([]float32, error) { return t.Weights, nil }
