// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"g500/graph"
	"g500/partition"
)

// packedID is the packed global id of a vertex: the rank of its owner in the high 32 bits, its local id in the low
// ones. Following parents with packed ids takes no division.
type packedID uint64

// noVertex is not a vertex, because no job has that many ranks.
const noVertex = ^packedID(0)

func (p packedID) rank() int          { return int(p >> 32) }
func (p packedID) local() graph.Local { return graph.Local(p) }

// idMap converts labels to packed ids and back.
type idMap struct {
	layout   partition.Layout
	vertices graph.Global
	alone    bool // one rank: a label is the packed id, because Local is monotone and onto [0, N)
}

// valid reports whether v is a vertex.
func (m idMap) valid(v graph.Global) bool { return uint64(v) < uint64(m.vertices) }

func (m idMap) pack(v graph.Global) packedID {
	if m.alone {
		return packedID(v)
	}
	return packedID(m.layout.Owner(v))<<32 | packedID(m.layout.Local(v))
}

func (m idMap) label(p packedID) graph.Global { return m.layout.Global(p.rank(), p.local()) }
