package graph

// Tuples is one rank's share of the edge list, wherever it lies: the host's memory, a GPU's.
type Tuples interface {
	// Count is the number of tuples.
	Count() int64
	// Host is the share in host memory; tuples that lie elsewhere are copied. It must not be changed.
	Host() ([]Edge, error)
}

// HostTuples are Tuples in host memory.
type HostTuples []Edge

// Count is the number of tuples.
func (t HostTuples) Count() int64 { return int64(len(t)) }

// Host returns the tuples themselves.
func (t HostTuples) Host() ([]Edge, error) { return t, nil }
