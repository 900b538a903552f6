//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "fmt"

// MostRanks bounds the ranks that messages are binned for.
const MostRanks = C.G500_MOST_RANKS

// Bins puts messages in the order of the ranks that they go to. Its methods write them to the beginning of into and
// return how many bytes there are for each rank.
type Bins struct {
	c      *C.g500_bins
	device *Device
	held   *holding
	counts []C.uint64_t
}

// NewBins prepares bins for that many ranks.
func (d *Device) NewBins(ranks int) (*Bins, error) {
	if ranks > MostRanks {
		return nil, fmt.Errorf("cuda: %d ranks are too many for messages between GPUs, %d is the most", ranks, MostRanks)
	}
	var c *C.g500_bins
	if err := check("preparing bins", C.g500_bins_create(C.uint32_t(ranks), &c)); err != nil {
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
// label for that of v. The tuples are numbers first to first+count-1.
func (b *Bins) Ends(tuples Memory, first, count int64, into Memory) (bytes []int64, err error) {
	edges, _, err := at[C.g500_edge](tuples, first, int(count))
	if err != nil {
		return nil, err
	}
	messages, err := list(into, 2*count)
	if err != nil {
		return nil, err
	}
	return b.filled(C.g500_bin_ends(b.c, pointer[C.g500_edge](edges), C.uint64_t(count), messages, &b.counts[0], b.device.onStream()))
}

// Neighbours passes count messages of Ends on to the owners of the other ends, with the positions of the near ones.
// The builder has ordered the hubs and has its columns.
func (b *Bins) Neighbours(of *Builder, told Memory, count int64, into Memory) (bytes []int64, err error) {
	from, err := list(told, count)
	if err != nil {
		return nil, err
	}
	messages, err := list(into, count)
	if err != nil {
		return nil, err
	}
	graph := C.g500_builder_graph(of.c)
	return b.filled(C.g500_bin_neighbours(b.c, graph, from, C.uint64_t(count), messages, &b.counts[0], b.device.onStream()))
}

// Questions asks other ranks for the labels at positions number first to first+count-1, but for those that are NoVertex.
func (b *Bins) Questions(g *Graph, positions Memory, first, count int64, into Memory) (bytes []int64, err error) {
	from, _, err := at[C.uint32_t](positions, first, int(count))
	if err != nil {
		return nil, err
	}
	messages, err := list(into, count)
	if err != nil {
		return nil, err
	}
	return b.filled(C.g500_bin_questions(b.c, g.c, pointer[C.uint32_t](from), C.uint64_t(count), messages, &b.counts[0], b.device.onStream()))
}

// filled turns counts of messages into bytes.
func (b *Bins) filled(code C.int) ([]int64, error) {
	bytes := make([]int64, len(b.counts))
	for r, n := range b.counts {
		bytes[r] = MessageBytes * int64(n)
	}
	return bytes, check("binning messages", code)
}

// LookUp stores the labels of those of count positions, from number first on, that are this rank's, or NoVertex. Labels
// are 32-bit words with the numbers of the positions, and may take their places.
func (g *Graph) LookUp(positions Memory, first, count int64, labels Memory) error {
	from, _, err := at[C.uint32_t](positions, first, int(count))
	if err != nil {
		return err
	}
	into, _, err := at[C.uint32_t](labels, first, int(count))
	if err != nil {
		return err
	}
	return check("looking labels up", C.g500_look_up(g.c, pointer[C.uint32_t](from), C.uint64_t(count), pointer[C.uint32_t](into), g.device.onStream()))
}

// Answer turns count questions to this rank into answers, in place.
func (g *Graph) Answer(messages Memory, count int64) error {
	questions, err := list(messages, count)
	if err != nil {
		return err
	}
	return check("answering", C.g500_answer(g.c, questions, C.uint64_t(count), g.device.onStream()))
}

// TakeAnswers stores the labels of count answers: 32-bit words, from number first on, for questions from there on.
func (g *Graph) TakeAnswers(messages Memory, count int64, labels Memory, first int64) error {
	answers, err := list(messages, count)
	if err != nil {
		return err
	}
	into, _, err := at[C.uint32_t](labels, first, 0)
	if err != nil {
		return err
	}
	return check("taking answers", C.g500_take_answers(answers, C.uint64_t(count), pointer[C.uint32_t](into), g.device.onStream()))
}
