package bfs

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"g500/comm"
	"g500/graph/csr"
	"g500/internal/par"
)

// Between hosts ranks of large graphs tell all others only the bits of the vertices with the most neighbours, the first
// hub ids of each. In a bottom-up level nearly every vertex finds a parent among these. Those that do not, the open
// vertices, have their rank ask the owners of their other neighbours; where that would be more than the bits of all
// vertices, ranks tell these.

// hubsTold is how many hub ids of each rank are told: whole words of a bitmap. Each told bit goes to all other hosts,
// and the questions fall by about as much as the told bits grow, so that the least bytes are at a share of the vertices
// that falls with the root of the hosts. On official graphs of scale 16 to 20, on 2 to 64 hosts, it is 1/8 of the
// vertices over that root.
func hubsTold(stride, hosts int) int {
	share := 8 * math.Sqrt(float64(hosts-1))
	return int(float64(stride)/share) / csr.WordBits * csr.WordBits
}

// questionBytes is about what a question and its answer take on average.
const questionBytes = 2

// eachUnknown calls body with the neighbours of a vertex of which this rank does not know whether they are visited.
func (h *Hybrid) eachUnknown(hub csr.Hub, body func(csr.Pos)) {
	row := h.g.Row(hub)
	for i := len(row) - 1; i >= 0; i-- { // by falling hub id
		r, u := h.g.Owner(row[i])
		if int(u) < h.whole.hubs {
			return
		}
		if r != h.g.Rank && !h.before.has(row[i]) {
			body(row[i])
		}
	}
}

// isOpen reports whether a vertex that has found no parent in its row may have neighbours of which this rank does not
// know.
func (h *Hybrid) isOpen(row []csr.Pos) bool {
	if len(row) == 0 {
		return false
	}
	_, last := h.g.Owner(row[len(row)-1])
	return int(last) >= h.whole.hubs
}

// countUnknown counts the unknown neighbours of open vertices.
func (h *Hybrid) countUnknown() (n int64) {
	counts := make([]int64, h.workers*countStride)
	par.For(h.workers, len(h.lanes), 1, func(w, i, _ int) {
		for _, hub := range h.lanes[i].open {
			h.eachUnknown(hub, func(csr.Pos) { counts[w*countStride]++ })
		}
	})
	for _, count := range counts {
		n += count
	}
	return n
}

// settleOpen looks for the parents of open vertices among their unknown neighbours, which are so many on all ranks, and
// returns how many vertices of all ranks it has found. The owners answer by what was visited before the level.
func (h *Hybrid) settleOpen(unknown int64) (int64, error) {
	var err error
	if unknown*questionBytes <= h.whole.untoldBytes() {
		err = h.ask(unknown)
	} else {
		err = h.whole.tellAll(h.before)
		h.whole.carryOver(h.visited, h.before)
	}
	if err != nil {
		return 0, err
	}
	found := []int64{h.probeOpen()}
	err = h.t.AllReduce(found, comm.Sum)
	return found[0], err
}

// probeOpen looks through the rows of open vertices once more, and returns how many it has found.
func (h *Hybrid) probeOpen() (found int64) {
	now := h.own(h.visited)
	for i := range h.lanes {
		for _, hub := range h.lanes[i].open {
			row := h.g.Row(hub)
			switch {
			case h.before.has(row[0]):
				h.first.set(csr.Pos(hub))
			case !h.probe(hub, row[1:]):
				continue
			}
			now.set(csr.Pos(hub))
			found++
		}
	}
	return found
}

// ask brings the bits of all unknown neighbours of open vertices, each of which is asked for once.
func (h *Hybrid) ask(unknown int64) error {
	positions := h.asked[:0]
	for i := range h.lanes {
		for _, hub := range h.lanes[i].open {
			h.eachUnknown(hub, func(p csr.Pos) { positions = append(positions, p) })
		}
	}
	slices.Sort(positions)
	positions = slices.Compact(positions)
	h.asked = positions
	for r := range h.bins {
		h.bins[r], positions = appendQuestions(h.bins[r][:0], positions, h.g.At(r, 0), h.g.Stride)
	}
	got, err := h.exchangeShort(h.bins, unknown)
	if err != nil {
		return err
	}
	own := h.own(h.before)
	for r, message := range got {
		h.answers[r], err = answerAll(h.answers[r][:0], message, own)
		if err != nil {
			return err
		}
	}
	if got, err = h.exchangeShort(h.answers, unknown); err != nil {
		return err
	}
	return h.takeAnswers(h.asked, got, h.before, h.visited)
}

// exchangeShort is an AllToAll of messages with so many items of a few bytes, on all ranks together: from host to host
// where those from rank to rank would be many, and short, but long enough that their lengths do not count beside them.
func (h *Hybrid) exchangeShort(send [][]byte, items int64) ([][]byte, error) {
	ranks := int64(h.t.Size())
	if h.byHost != nil && items >= fewItems*ranks*ranks && items <= pairsInTiers*ranks*ranks {
		return h.whole.tiers.AllToAll(send)
	}
	return h.t.AllToAll(send)
}

// fewItems in a message have some ten bytes.
const fewItems = 8

// takeAnswers sets the bits of positions, which are sorted, that are answered by yes.
func (h *Hybrid) takeAnswers(asked []csr.Pos, answers [][]byte, into ...bitmap) error {
	i := 0
	for r, message := range answers {
		begin := i
		for ; i < len(asked) && asked[i] < h.g.At(r, 0)+csr.Pos(h.g.Stride); i++ {
			k := i - begin
			if k/8 >= len(message) {
				return errQuestions
			}
			if message[k/8]>>(k%8)&1 == 0 {
				continue
			}
			for _, b := range into {
				b.set(asked[i])
			}
		}
	}
	return nil
}

var errQuestions = errors.New("bfs: a message of questions is damaged: ranks run different versions of g500")

// appendQuestions appends the positions from base on, at most so many behind it, as gaps between their hub ids:
// varints. It returns those that follow.
func appendQuestions(message []byte, sorted []csr.Pos, base csr.Pos, stride int) ([]byte, []csr.Pos) {
	for next := base; len(sorted) > 0 && int(sorted[0]-base) < stride; sorted = sorted[1:] {
		message = binary.AppendUvarint(message, uint64(sorted[0]-next))
		next = sorted[0] + 1
	}
	return message, sorted
}

// eachQuestion hands on the hub ids in a message. It ends with an error at one that is not below limit.
func eachQuestion(message []byte, limit int, body func(csr.Hub)) error {
	for next := uint64(0); len(message) > 0; next++ {
		gap, n := binary.Uvarint(message)
		if next += gap; n <= 0 || gap >= uint64(limit) || next >= uint64(limit) {
			return errQuestions
		}
		body(csr.Hub(next))
		message = message[n:]
	}
	return nil
}

// answerAll appends a bit for each question: whether the vertex is in the rank's part of a bitmap.
func answerAll(answer, questions []byte, part bitmap) ([]byte, error) {
	k := 0
	err := eachQuestion(questions, len(part)*csr.WordBits, func(hub csr.Hub) {
		answer = appendBit(answer, k, part.has(csr.Pos(hub)))
		k++
	})
	return answer, err
}

// appendBit appends the k-th bit of a message.
func appendBit(message []byte, k int, bit bool) []byte {
	if k%8 == 0 {
		message = append(message, 0)
	}
	if bit {
		message[len(message)-1] |= 1 << (k % 8)
	}
	return message
}
