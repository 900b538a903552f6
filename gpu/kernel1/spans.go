// SPDX-License-Identifier: Apache-2.0

package kernel1

// blockBytes is the size of the blocks of edge tuples in host memory. Each is allocated separately because pinning
// memory takes long; between two blocks progress is reported and an interruption takes effect.
const blockBytes = 1 << 30

// span is a run of bytes in one block.
type span struct {
	block        int
	offset       int64 // in the block
	bytes, after int64 // of this span, and of the spans before it
}

// spans divides a run of bytes into one span for each block.
func spans(first, bytes, block int64) (all []span) {
	for after := int64(0); after < bytes; {
		at := first + after
		s := span{block: int(at / block), offset: at % block, after: after}
		s.bytes = min(block-s.offset, bytes-after)
		all = append(all, s)
		after += s.bytes
	}
	return all
}
