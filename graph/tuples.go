package graph

// Tuples is one rank's share of the edge list, wherever it lies: the host's memory, a GPU's.
type Tuples interface {
	// Host is the share in host memory; tuples that lie elsewhere are copied. It must not be changed.
	Host() ([]Edge, error)
}

// HostTuples are Tuples in host memory.
type HostTuples []Edge

// Host returns the tuples themselves.
func (t HostTuples) Host() ([]Edge, error) { return t, nil }
