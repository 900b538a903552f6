//go:build cuda && cgo

package kernel1

import (
	"g500/cuda"
	"g500/gpu/device"
	"g500/graph"
)

// Bitmap is a bit for each owned label.
type Bitmap []uint64

func (b Bitmap) Has(l graph.Local) bool { return b[l/64]>>(l%64)&1 == 1 }

// Connected marks the vertices that have a hub id.
func Connected(g *cuda.Graph) (Bitmap, error) {
	bits := make(Bitmap, (g.Owned()+63)/64)
	err := device.EachWord(g.HubOf(), g.Owned(), func(first int64, words []uint32) {
		for i, hub := range words {
			if hub != cuda.NoVertex {
				place := first + int64(i)
				bits[place/64] |= 1 << (place % 64)
			}
		}
	})
	return bits, err
}

// MostQueued vertices do not fit into a frontier: places in it are counted in 28 bits, beside edges. Only where all
// levels go top-down may a frontier hold all that a rank has.
const MostQueued = 1 << 28
