// SPDX-License-Identifier: Apache-2.0

package net

import (
	"fmt"
	"iter"
	"slices"
)

// Plan is the sizes and numbers of messages to measure.
type Plan struct {
	Sizes   []int // of messages, in bytes, from small to large
	Repeats int   // round trips of small messages; 10% as many windows
}

// DefaultPlan returns sizes from a word to more than a cache holds.
func DefaultPlan() Plan {
	return Plan{Sizes: []int{8, 1 << 10, 1 << 16, 1 << 20, 1 << 23}, Repeats: 100}
}

const (
	largest     = 1 << 30
	windowBytes = 32 << 20 // of a window's messages together
	windowMost  = 64       // messages of a window
	fewest      = 5        // repeats of long messages
	longBytes   = 1 << 16  // size from which the time grows with the size
)

// Check returns an error that names an invalid setting.
func (p Plan) Check() error {
	if len(p.Sizes) == 0 || !slices.IsSorted(p.Sizes) || p.Sizes[0] < 8 || p.Sizes[len(p.Sizes)-1] > largest {
		return fmt.Errorf("net: the sizes %v cannot be measured: give them from small to large, from 8 to %d bytes",
			p.Sizes, largest)
	}
	if p.Repeats < 1 || p.Repeats > 1e6 {
		return fmt.Errorf("net: %d repeats cannot be measured: choose 1 to 1000000", p.Repeats)
	}
	return nil
}

// BufferBytes returns the bytes of the messages that a rank sends at once; it needs as many to receive.
func (p Plan) BufferBytes() int64 {
	size := int64(0)
	for _, bytes := range p.Sizes {
		size = max(size, int64(bytes)*int64(window(bytes)))
	}
	return size
}

// window returns the number of messages in flight together.
func window(bytes int) int { return min(max(windowBytes/bytes, 1), windowMost) }

// trips returns the number of repeats for messages of a length, fewer for long ones.
func (p Plan) trips(bytes int) int {
	return min(p.Repeats, max(fewest, p.Repeats*longBytes/max(bytes, longBytes)))
}

// windows returns the number of repeats for windows.
func (p Plan) windows() int { return min(p.Repeats, max(fewest, p.Repeats/10)) }

// rounds returns the pairs in the order of measurement, the rank that leads first. Pairs of one round are measured at
// the same time, and have no common rank. A round exists only while it is measured: there are as many pairs as the
// square of the number of ranks.
func rounds(ranks int) iter.Seq[[][2]int] {
	return func(yield func([][2]int) bool) {
		last := ranks - 1 + ranks%2 // if the number of ranks is odd, one that does not exist
		for sum := range last {
			round := tournament(ranks, last, sum)
			back := make([][2]int, len(round))
			for i, pair := range round {
				back[i] = [2]int{pair[1], pair[0]}
			}
			if !yield(round) || !yield(back) {
				return
			}
		}
	}
}

// tournament returns one round, in which no rank has two peers, of rounds that pair each two ranks once: ranks except
// the last one are on a circle, and two are a pair in the round whose number is their sum modulo the circle. A rank
// without a peer is paired with the last one.
func tournament(ranks, last, sum int) (round [][2]int) {
	for a := range last {
		b := (sum - a + last) % last
		if a == b {
			b = last
		}
		if a < b && b < ranks {
			round = append(round, [2]int{a, b})
		}
	}
	return round
}
