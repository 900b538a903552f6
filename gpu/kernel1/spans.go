package kernel1

// Edge tuples in host memory lie in blocks, each of which is taken by itself: pinning memory takes long, and in between
// progress is told and an interruption heeded.
const blockBytes = 1 << 30

// span is a run of bytes in one block.
type span struct {
	block        int
	offset       int64 // in the block
	bytes, after int64 // of the run, and of the spans before it
}

// spans cuts a run of bytes into those of each block.
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
