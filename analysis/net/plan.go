package net

import (
	"fmt"
	"slices"
)

// Plan is what is measured.
type Plan struct {
	Sizes    []int // of messages, in bytes, from small to large
	Repeats  int   // round trips of small messages; a tenth as many windows
	Together bool  // pairs that have no rank in common are measured at the same time
}

// DefaultPlan measures from a word to what no cache holds for long.
func DefaultPlan() Plan {
	return Plan{Sizes: []int{8, 1 << 10, 1 << 16, 1 << 20, 1 << 23}, Repeats: 100}
}

const (
	largest     = 1 << 30
	windowBytes = 32 << 20 // of a window's messages together
	windowMost  = 64       // messages of a window
	fewest      = 5        // repeats of whatever takes long
	longBytes   = 1 << 16  // from here on, messages take longer with their length
)

// Check says what cannot be measured.
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

// Room is the memory for messages that a rank needs, in bytes, twice.
func (p Plan) Room(ranks int) int64 {
	room := int64(0)
	for _, bytes := range p.Sizes {
		room = max(room, int64(bytes)*int64(window(bytes)), int64(ranks)*int64(part(bytes, ranks)))
	}
	return room
}

// window is the number of messages that are under way together.
func window(bytes int) int { return min(max(windowBytes/bytes, 1), windowMost) }

// part is what each rank sends to each where all send so many bytes, in whole words.
func part(bytes, ranks int) int { return max(bytes/ranks/8*8, 8) }

// trips is the number of repeats for messages of a length: fewer for those that take long.
func (p Plan) trips(bytes int) int {
	return min(p.Repeats, max(fewest, p.Repeats*longBytes/max(bytes, longBytes)))
}

// windows is the same for windows.
func (p Plan) windows() int { return min(p.Repeats, max(fewest, p.Repeats/10)) }

// rounds are the pairs in the order of their turns, the rank that leads first. Those of one round are measured at the
// same time, and no rank is in two of them.
func (p Plan) rounds(ranks int) (all [][][2]int) {
	for _, round := range tournament(ranks) {
		if !p.Together {
			for _, pair := range round {
				all = append(all, [][2]int{pair}, [][2]int{{pair[1], pair[0]}})
			}
			continue
		}
		back := slices.Clone(round)
		for i, pair := range back {
			back[i] = [2]int{pair[1], pair[0]}
		}
		all = append(all, round, back)
	}
	return all
}

// tournament has each two ranks meet once, in rounds in which no rank has two peers: the ranks but the last in a
// circle, and those whose numbers have the same sum, modulo the circle, meet. Whoever would meet itself meets the last.
func tournament(ranks int) (rounds [][][2]int) {
	last := ranks - 1 + ranks%2 // with an odd number of ranks, one that is none
	for sum := range last {
		var round [][2]int
		for a := range last {
			b := (sum - a + last) % last
			if a == b {
				b = last
			}
			if a < b && b < ranks {
				round = append(round, [2]int{a, b})
			}
		}
		rounds = append(rounds, round)
	}
	return rounds
}
