//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import (
	"fmt"
	"unsafe"
)

// MostRanks bounds the ranks that messages are binned for.
const MostRanks = C.G500_MOST_RANKS

// Bins sorts messages by the ranks that they go to. Its methods write them to the beginning of into, and return the
// number of bytes for each rank.
type Bins struct {
	c      *C.g500_bins
	device *Device
	held   *holding
	counts []C.uint64_t
}

// NewBins prepares bins for that many ranks.
func (d *Device) NewBins(ranks int) (*Bins, error) {
	if ranks > MostRanks {
		return nil, fmt.Errorf("cuda: %d ranks are too many for messages between GPUs, %d is the most",
			ranks, MostRanks)
	}
	var c *C.g500_bins
	if err := check("preparing bins", C.g500_bins_create(C.uint32_t(ranks), &c, d.onStream())); err != nil {
		return nil, d.short(err)
	}
	b := &Bins{c: c, device: d, counts: make([]C.uint64_t, ranks)}
	b.held = d.ledger.add(&holding{"bins", 0, func() error {
		C.g500_bins_free(c)
		return nil
	}})
	return b, nil
}

// Free gives the memory back.
func (b *Bins) Free() error { return b.device.ledger.remove(b.held) }

// Ends makes two messages of each tuple <u, v> that is no self-loop: u and v's label for the owner of u, v and u's
// label for that of v. The tuples fill a run of memory.
func (b *Bins) Ends(tuples, into Memory) (bytes []int64, err error) {
	from, count := edges(tuples)
	messages, err := list(into, 2*int64(count))
	if err != nil {
		return nil, err
	}
	return b.filled(MessageBytes, C.g500_bin_ends(b.c, from, count, messages, &b.counts[0]))
}

// WeightedEnds is Ends with the weights of the tuples, in weighted messages.
func (b *Bins) WeightedEnds(tuples, weights, into Memory) (bytes []int64, err error) {
	from, count := edges(tuples)
	of, err := weightsOf(count, weights)
	if err != nil {
		return nil, err
	}
	messages, err := weightedList(into, 2*int64(count))
	if err != nil {
		return nil, err
	}
	return b.filled(WeightedMessageBytes, C.g500_bin_weighted_ends(b.c, from, of, count, messages, &b.counts[0]))
}

// WideEnds is Ends in wide messages, for labels of any size: with a label's number go the rank that has it.
func (b *Bins) WideEnds(tuples, into Memory) (bytes []int64, err error) {
	from, count := edges(tuples)
	messages, err := wideList(into, 2*int64(count))
	if err != nil {
		return nil, err
	}
	return b.filled(WideMessageBytes, C.g500_bin_wide_ends(b.c, from, count, messages, &b.counts[0]))
}

// Neighbours makes a message of each of count messages that this rank got from Ends: the position of this rank's end,
// for the owner of the other end. The builder has ordered the hubs and has its columns.
func (b *Bins) Neighbours(of *Builder, ends Memory, count int64, into Memory) (bytes []int64, err error) {
	from, err := list(ends, count)
	if err != nil {
		return nil, err
	}
	messages, err := list(into, count)
	if err != nil {
		return nil, err
	}
	graph := C.g500_builder_graph(of.c)
	code := C.g500_bin_neighbours(b.c, graph, from, C.uint64_t(count), messages, &b.counts[0])
	return b.filled(MessageBytes, code)
}

// WeightedNeighbours is Neighbours of messages from WeightedEnds: it passes the weights on.
func (b *Bins) WeightedNeighbours(of *Builder, ends Memory, count int64, into Memory) (bytes []int64, err error) {
	from, err := weightedList(ends, count)
	if err != nil {
		return nil, err
	}
	messages, err := weightedList(into, count)
	if err != nil {
		return nil, err
	}
	graph := C.g500_builder_graph(of.c)
	code := C.g500_bin_weighted_neighbours(b.c, graph, from, C.uint64_t(count), messages, &b.counts[0])
	return b.filled(WeightedMessageBytes, code)
}

// WideNeighbours is Neighbours of messages from WideEnds, in such messages.
func (b *Bins) WideNeighbours(of *Builder, ends Memory, count int64, into Memory) (bytes []int64, err error) {
	from, err := wideList(ends, count)
	if err != nil {
		return nil, err
	}
	messages, err := wideList(into, count)
	if err != nil {
		return nil, err
	}
	graph := C.g500_builder_graph(of.c)
	code := C.g500_bin_wide_neighbours(b.c, graph, from, C.uint64_t(count), messages, &b.counts[0])
	return b.filled(WideMessageBytes, code)
}

// Positions are a list of them in the form of a graph: a 32-bit word each, and, where the graph is wide, its rank in a
// half word beside that. Labels that are looked up take the places of the words; the ranks are theirs, too.
type Positions struct{ Words, Ranks Memory }

// positions are n positions at these addresses.
func (d *Device) positions(c C.g500_positions, n int64) Positions {
	p := Positions{Words: d.run(unsafe.Pointer(c.words), wordBytes*n)}
	if c.ranks != nil {
		p.Ranks = d.run(unsafe.Pointer(c.ranks), rankBytes*n)
	}
	return p
}

// at is a list of count positions from number first on, as the C door takes it.
func (p Positions) at(first, count int64) (C.g500_positions, error) {
	words, _, err := at[C.uint32_t](p.Words, first, int(count))
	c := C.g500_positions{words: pointer[C.uint32_t](words)}
	if err == nil && p.Ranks.Bytes() > 0 {
		ranks, _, failed := at[C.uint16_t](p.Ranks, first, int(count))
		c.ranks, err = pointer[C.uint16_t](ranks), failed
	}
	return c, err
}

// Questions makes a question for the label at each of the positions number first to first+count-1 that another rank
// owns: the labels that LookUp leaves out. Positions that are NoVertex are passed over.
func (b *Bins) Questions(g *Graph, positions Positions, first, count int64, into Memory) (bytes []int64, err error) {
	from, err := positions.at(first, count)
	if err != nil {
		return nil, err
	}
	messages, err := list(into, count)
	if err != nil {
		return nil, err
	}
	code := C.g500_bin_questions(b.c, g.c, from, C.uint64_t(count), messages, &b.counts[0])
	return b.filled(MessageBytes, code)
}

// filled turns counts of messages of a size into bytes.
func (b *Bins) filled(message int64, code C.int) ([]int64, error) {
	bytes := make([]int64, len(b.counts))
	for r, n := range b.counts {
		bytes[r] = message * int64(n)
	}
	return bytes, check("binning messages", code)
}

// LookUp stores the labels at those of count positions, from number first on, that this rank owns; where a position is
// NoVertex, so is the label. Labels are 32-bit words at the numbers of the positions, whose words they may be.
func (g *Graph) LookUp(positions Positions, first, count int64, labels Memory) error {
	from, err := positions.at(first, count)
	if err != nil {
		return err
	}
	into, _, err := at[C.uint32_t](labels, first, int(count))
	if err != nil {
		return err
	}
	return check("looking labels up", C.g500_look_up(g.c, from, C.uint64_t(count),
		pointer[C.uint32_t](into), g.device.onStream()))
}

// Answer turns count questions to this rank into answers, in place.
func (g *Graph) Answer(messages Memory, count int64) error {
	questions, err := list(messages, count)
	if err != nil {
		return err
	}
	return check("answering", C.g500_answer(g.c, questions, C.uint64_t(count), g.device.onStream()))
}

// TakeAnswers stores the labels of count answers as 32-bit words, each at the number of its question; question 0 is
// number first of labels.
func (g *Graph) TakeAnswers(messages Memory, count int64, labels Memory, first int64) error {
	answers, err := list(messages, count)
	if err != nil {
		return err
	}
	into, _, err := at[C.uint32_t](labels, first, 0)
	if err != nil {
		return err
	}
	code := C.g500_take_answers(answers, C.uint64_t(count), pointer[C.uint32_t](into), g.device.onStream())
	return check("taking answers", code)
}
