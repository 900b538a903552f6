// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"math/bits"

	"g500/graph"
	"g500/partition"
)

// grid divides the local ids of every rank into blocks of 2^shift consecutive ones. Blocks are numbered by rank, then
// local id. The row of a vertex is its number in its block.
type grid struct {
	layout partition.Cyclic
	shift  int
	each   int   // blocks of each rank
	ends   int64 // of a rank, on average
}

// blockEnds is the number of tuple ends at the vertices of a block, on average. A worker sorts them in its L2 cache. A
// variable for tests.
var blockEnds = 1 << 17

const (
	maxBlocks = 1 << 13 // of all ranks, unless rows would have more than rowBits: a worker writes to all in turn
	rowBits   = 16
)

// newGrid returns blocks for a number of ends of all ranks' tuples.
func newGrid(layout partition.Cyclic, ends int64) grid {
	most, ranks := layout.Count(0), layout.Ranks()
	vertices := float64(layout.Vertices()) * float64(blockEnds) / float64(max(ends, 1))
	shift := min(max(bits.Len64(uint64(vertices))-1, 0), rowBits)
	for shift < rowBits && ranks*blocksOf(most, shift) > maxBlocks {
		shift++
	}
	return grid{layout, shift, blocksOf(most, shift), ends / int64(ranks)}
}

// dealerBytes is the size of a worker's bin and indices for a block, at most.
const dealerBytes = binEnds*(2+8) + 16

// dealerShare is the memory of all dealers, in bytes per end. A variable for tests.
var dealerShare = int64(2)

// maxDealers is the largest number of a rank's workers that deal ends.
const maxDealers = 256

// dealers returns the number of a rank's workers that deal ends. Each has a bin for every block of all ranks, so fewer
// workers deal if there are many ranks.
func (g *grid) dealers(workers int) int {
	most := dealerShare * g.ends / (dealerBytes * int64(max(g.blocks(), 1)))
	return int(min(int64(workers), max(most, 1), maxDealers))
}

// blocksOf returns the number of blocks of a number of local ids.
func blocksOf(locals, shift int) int { return (locals + 1<<shift - 1) >> shift }

// blocks returns the number of blocks of all ranks.
func (g *grid) blocks() int { return g.layout.Ranks() * g.each }

// block returns the block of a vertex.
func (g *grid) block(v graph.Global) int {
	rank, l := g.layout.Split(v)
	return rank*g.each + int(l>>(g.shift&31))
}

// locate sets the blocks and the rows of vertices.
func (g *grid) locate(vertices []graph.Global, blocks []uint32, rows []uint16) {
	layout, each, shift := g.layout, uint32(g.each), g.shift&31
	mask := graph.Local(1)<<shift - 1
	blocks, rows = blocks[:len(vertices)], rows[:len(vertices)]
	for i, v := range vertices {
		rank, l := layout.Split(v)
		blocks[i], rows[i] = uint32(rank)*each+uint32(l>>shift), uint16(l&mask)
	}
}

// locals returns the local ids [lo, hi) of a rank's block, if the rank has that many in all.
func (g *grid) locals(block, count int) (lo, hi int) {
	return min(block<<g.shift, count), min((block+1)<<g.shift, count)
}
