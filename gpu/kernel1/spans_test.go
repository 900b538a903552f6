// SPDX-License-Identifier: Apache-2.0

package kernel1

import (
	"testing"

	"g500/internal/expect"
)

// Spans are the run, in order, each in one block.
func TestSpansAreTheRun(t *testing.T) {
	for _, c := range []struct {
		first, bytes, block int64
		want                []span
	}{
		{0, 0, 8, nil},
		{0, 8, 8, []span{{0, 0, 8, 0}}},
		{3, 5, 8, []span{{0, 3, 5, 0}}},
		{3, 6, 8, []span{{0, 3, 5, 0}, {1, 0, 1, 5}}},
		{16, 17, 8, []span{{2, 0, 8, 0}, {3, 0, 8, 8}, {4, 0, 1, 16}}},
		{63 << 30, 1 << 30, blockBytes, []span{{63, 0, 1 << 30, 0}}},
	} {
		expect.Equal(t, spans(c.first, c.bytes, c.block), c.want, c.bytes, "bytes from", c.first, "on, in blocks of", c.block)
	}
}
