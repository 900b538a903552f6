// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"slices"

	"g500/comm"
	"g500/graph/csr"
)

// Ranks on one node share the bitmaps visited and before, each of which has a part per rank. Only its owner writes a
// part, except where all ranks claim vertices by edges of the frontier. All ranks swap the bitmaps in the same levels.
// Each level ends with a reduction, so a rank begins to write words in a level only after all have read them in the one
// before; meet separates other reads and writes. A search ends after all ranks have read the bits of other parts,
// because they then resolve labels of parents together.
//
// A vertex gets the parent of the rank that claims it first, so parents vary from search to search.

// lineWords is the length of a cache line.
const lineWords = 64 / 8

// makeBitmaps makes the bitmaps visited and before.
func (h *Hybrid[P]) makeBitmaps() (err error) {
	words := (int(h.g.None())/csr.WordBits + lineWords) / lineWords * lineWords
	var both []uint64
	if h.mayShare() {
		both, h.unmap, err = bounds.Share(h.t, 2*words)
	}
	if h.shared = both != nil; !h.shared {
		both = make([]uint64, 2*words)
	}
	h.visited, h.before = both[:words:words], both[words:]
	return err
}

// mayShare reports whether there are several ranks, all on one node.
func (h *Hybrid[P]) mayShare() bool { return h.t.Size() > 1 && slices.Max(h.t.Nodes()) == 0 }

// Note implements bench.Noter.
func (h *Hybrid[P]) Note() string {
	if h.shared || !h.mayShare() {
		return ""
	}
	return "the ranks cannot share memory (in containers: give them one PID namespace), so that searches take longer"
}

// cleared returns the part of the visited bitmap that this rank clears before a search.
func (h *Hybrid[P]) cleared() bitmap {
	if h.shared {
		return h.own(h.visited)
	}
	return h.visited
}

// meet waits for all ranks that share bitmaps.
func (h *Hybrid[P]) meet() error {
	if !h.shared {
		return nil
	}
	_, err := comm.Reduce(h.t, 0, comm.Max)
	return err
}

// gather synchronizes the visited bitmaps of all ranks, after a reduction.
func (h *Hybrid[P]) gather() error {
	if h.shared {
		return nil
	}
	return h.gatherer.gather(h.visited)
}
