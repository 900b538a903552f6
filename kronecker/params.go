// SPDX-License-Identifier: Apache-2.0

package kronecker

import (
	"fmt"
	"math"

	"g500/graph"
)

// Params are the parameters of a graph. The official graphs have EdgeFactor 16 and seeds 2 and 3.
type Params struct {
	Scale      int    // log2 of the number of vertices, 1 to graph.MaxScale
	EdgeFactor int64  // edge tuples per vertex
	Seed1      uint64 // seeds of the random number generator
	Seed2      uint64
}

// Vertices returns N = 2^Scale.
func (p Params) Vertices() graph.Global { return 1 << p.Scale }

// Edges returns M = EdgeFactor * N, the number of edge tuples.
func (p Params) Edges() int64 { return p.EdgeFactor << p.Scale }

// Validate returns an error that names a parameter out of range and its range. All seeds are valid. The other methods
// require valid parameters.
func (p Params) Validate() error {
	if p.Scale < 1 || p.Scale > graph.MaxScale {
		return fmt.Errorf("kronecker: scale %d is out of range: choose 1 to %d", p.Scale, graph.MaxScale)
	}
	if most := int64(math.MaxInt64) >> p.Scale; p.EdgeFactor < 1 || p.EdgeFactor > most {
		return fmt.Errorf("kronecker: edge factor %d is out of range at scale %d: choose 1 to %d",
			p.EdgeFactor, p.Scale, most)
	}
	return nil
}
