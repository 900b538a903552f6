//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

// MessageBytes is the size of a message: a vertex that the receiving rank owns, and a word about it. A weighted message
// has a number beside that, a wide one a rank.
const (
	MessageBytes         = 8
	WeightedMessageBytes = C.sizeof_g500_weighted_message
	WideMessageBytes     = C.sizeof_g500_wide_message
)

// PositionBits is the shift of a graph in which no rank has more than that many hubs.
func PositionBits(hubs int64) int { return int(C.g500_position_bits(C.uint32_t(hubs))) }

// Vertices finds the highest label of the tuples in a run of memory plus one, 0 without tuples.
func (d *Device) Vertices(tuples Memory) (int64, error) {
	list, count := edges(tuples)
	var vertices C.uint64_t
	code := C.g500_find_vertices(list, count, &vertices, d.onStream())
	return int64(vertices), check("finding the highest label", code)
}

// Builder makes one rank's share of a graph: Count all ends that go to this rank; Order; Columns; Rows; then, until all
// ranks are done, Next, Collect all neighbours that go to this rank, Store; at last Finish. Messages come from Bins.
// One rank alone calls CountTuples and CollectTuples instead.
type Builder struct {
	c      *C.g500_builder
	device *Device
	held   *holding
}

// NewBuilder begins the share of a rank of a graph with that many labels.
func (d *Device) NewBuilder(ranks, rank int, vertices int64) (*Builder, error) {
	var c *C.g500_builder
	code := C.g500_builder_create(C.uint32_t(ranks), C.uint32_t(rank), C.uint64_t(vertices), &c, d.onStream())
	if err := check("counting degrees", code); err != nil {
		return nil, d.short(err)
	}
	b := &Builder{c: c, device: d}
	b.held = d.ledger.add(&holding{"kernel 1", wordBytes * vertices / int64(ranks), func() error {
		C.g500_builder_free(c)
		return nil
	}})
	return b, nil
}

// Owned is the number of labels that this rank owns.
func (b *Builder) Owned() int64 { return int64(C.g500_builder_graph(b.c).owned) }

// Free gives everything back but the graph that Finish has handed over.
func (b *Builder) Free() error { return b.device.ledger.remove(b.held) }

// KeepWeights makes it a graph with weights. What is collected comes with them then.
func (b *Builder) KeepWeights() { C.g500_builder_keep_weights(b.c) }

// Count adds up the degrees: count messages of Ends.
func (b *Builder) Count(messages Memory, count int64) error {
	ends, err := list(messages, count)
	if err != nil {
		return err
	}
	return check("counting degrees", C.g500_builder_count(b.c, ends, C.uint64_t(count)))
}

// CountWide is Count for count messages of WideEnds.
func (b *Builder) CountWide(messages Memory, count int64) error {
	ends, err := wideList(messages, count)
	if err != nil {
		return err
	}
	return check("counting degrees", C.g500_builder_count_wide(b.c, ends, C.uint64_t(count)))
}

// CountTuples adds up the degrees, on one rank alone: tuples that fill a run of memory. It does not wait.
func (b *Builder) CountTuples(tuples Memory) error {
	list, count := edges(tuples)
	return check("counting degrees", C.g500_builder_count_tuples(b.c, list, count))
}

// Order numbers the hubs by falling class of degrees. It returns how many they are, and how many of them are no leaves.
func (b *Builder) Order(workBytes int64) (hubs, core int64, err error) {
	var e C.uint64_t
	err = check("ordering the vertices", C.g500_builder_order(b.c, C.uint64_t(workBytes), &e))
	g := C.g500_builder_graph(b.c)
	hubs, core = int64(g.hubs), int64(g.core)
	b.held.bytes += wordBytes * (3*hubs + int64(e)) // tables of the hubs now, columns in the next step
	return hubs, core, b.device.short(err)
}

// Columns takes the memory of the columns, as many as the sum of the degrees. Of the ranks' cores the largest counts.
// From now on messages are wide if the graph is.
func (b *Builder) Columns(shift int, core int64, wide bool) error {
	return b.device.short(check("taking the columns",
		C.g500_builder_columns(b.c, C.uint32_t(shift), C.uint32_t(core), yes(wide))))
}

// Rows takes the working memory of the rows.
func (b *Builder) Rows(workBytes int64) error {
	return b.device.short(check("preparing rows", C.g500_builder_rows(b.c, C.uint64_t(workBytes))))
}

// Next chooses the next piece of rows and returns how many they are, 0 when all are done.
func (b *Builder) Next() (rows int64, err error) {
	var n C.uint32_t
	err = check("choosing rows", C.g500_builder_next(b.c, &n))
	return int64(n), b.device.short(err)
}

// Collect takes what belongs into the rows of the piece: count messages of Neighbours.
func (b *Builder) Collect(messages Memory, count int64) error {
	neighbours, err := list(messages, count)
	if err != nil {
		return err
	}
	return check("collecting neighbours", C.g500_builder_collect(b.c, neighbours, C.uint64_t(count)))
}

// CollectWide is Collect for count messages of WideNeighbours.
func (b *Builder) CollectWide(messages Memory, count int64) error {
	neighbours, err := wideList(messages, count)
	if err != nil {
		return err
	}
	return check("collecting neighbours", C.g500_builder_collect_wide(b.c, neighbours, C.uint64_t(count)))
}

// CollectToldWeighted is Collect for count messages of WeightedNeighbours.
func (b *Builder) CollectToldWeighted(messages Memory, count int64) error {
	neighbours, err := weightedList(messages, count)
	if err != nil {
		return err
	}
	return check("collecting neighbours", C.g500_builder_collect_weighted(b.c, neighbours, C.uint64_t(count)))
}

// CollectTuples takes what belongs into the rows of the piece, on one rank alone: tuples that fill a run of memory. It
// does not wait.
func (b *Builder) CollectTuples(tuples Memory) error {
	list, count := edges(tuples)
	return check("collecting neighbours", C.g500_builder_collect_tuples(b.c, list, nil, count))
}

// CollectWeighted is CollectTuples for tuples with weights, one for each tuple.
func (b *Builder) CollectWeighted(tuples, weights Memory) error {
	list, count := edges(tuples)
	of, err := weightsOf(count, weights)
	if err != nil {
		return err
	}
	return check("collecting neighbours", C.g500_builder_collect_tuples(b.c, list, of, count))
}

// Store sorts and stores the rows of the piece.
func (b *Builder) Store() error { return check("storing rows", C.g500_builder_store(b.c)) }

// Finish hands the graph over.
func (b *Builder) Finish() (*Graph, error) {
	return b.device.newGraph(func(c *C.g500_graph) C.int { return C.g500_builder_finish(b.c, c) })
}

// list is the address of count messages as the C door takes it.
func list(m Memory, count int64) (*C.uint64_t, error) {
	address, _, err := at[C.uint64_t](m, 0, int(count))
	return pointer[C.uint64_t](address), err
}

// wideList is list for wide messages.
func wideList(m Memory, count int64) (*C.g500_wide_message, error) {
	address, _, err := at[C.g500_wide_message](m, 0, int(count))
	return pointer[C.g500_wide_message](address), err
}

// weightedList is list for weighted messages.
func weightedList(m Memory, count int64) (*C.g500_weighted_message, error) {
	address, _, err := at[C.g500_weighted_message](m, 0, int(count))
	return pointer[C.g500_weighted_message](address), err
}
