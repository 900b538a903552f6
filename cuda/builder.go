// SPDX-License-Identifier: Apache-2.0

//go:build cuda && cgo

package cuda

// #include "g500cuda.h"
import "C"

import "unsafe"

// LocalIDBits returns the Shift of a graph in which no rank has more than most non-isolated vertices.
func LocalIDBits(most int64) int { return int(C.g500_local_id_bits(C.uint32_t(most))) }

// Vertices returns the highest label of the tuples in memory plus one, 0 without tuples.
func (d *Device) Vertices(tuples Memory) (int64, error) {
	list, count := edges(tuples)
	var vertices C.uint64_t
	code := C.g500_find_vertices(nil, list, count, &vertices, d.onStream())
	return int64(vertices), check("finding the highest label", code)
}

// Builder makes one rank's share of a graph. The steps are CountAll, CountTuples and AddCounts, or Count for all ends
// received; Order, AllocateCols and Rows; then, until all ranks are done, Next, Collect for all neighbours received,
// and Store; at last Finish. One rank alone only calls CountTuples, and CollectTuples instead of Collect. Free frees
// everything except the finished graph.
type Builder struct {
	Allocated
	c       *C.g500_builder
	entries int64 // after Order: sum of the degrees
}

// NewBuilder begins the share of a rank of a graph with that many labels.
func (d *Device) NewBuilder(ranks, rank int, vertices int64) (*Builder, error) {
	var c *C.g500_builder
	code := C.g500_builder_create(C.uint32_t(ranks), C.uint32_t(rank), C.uint64_t(vertices), &c, d.onStream())
	if err := check("counting degrees", code); err != nil {
		return nil, d.Explain(err)
	}
	held := d.hold("kernel 1", wordBytes*vertices/int64(ranks), func() { C.g500_builder_free(c) })
	return &Builder{Allocated: held, c: c}, nil
}

// Vertices is Device.Vertices without an allocation, which would wait for copies.
func (b *Builder) Vertices(tuples Memory) (int64, error) {
	list, count := edges(tuples)
	var vertices C.uint64_t
	code := C.g500_find_vertices(b.c, list, count, &vertices, b.device.onStream())
	return int64(vertices), check("finding the highest label", code)
}

// Grow raises the number of labels, if there are fewer, on one rank alone and before Order.
func (b *Builder) Grow(vertices int64) error {
	err := check("counting degrees", C.g500_builder_grow(b.c, C.uint64_t(vertices)))
	b.held.bytes = max(b.held.bytes, wordBytes*vertices)
	return b.device.Explain(err)
}

// Graph returns the graph so far, which the builder frees: Ranks and Owned, and after Order also NonIsolated, NonLeaves
// and LocalIDs.
func (b *Builder) Graph() *Graph {
	return &Graph{Allocated{device: b.device}, C.g500_builder_graph(b.c)}
}

// KeepWeights selects a graph with weights, which are then collected with the neighbours. typical is about their
// median, 0 if unknown: it has an influence on speed only.
func (b *Builder) KeepWeights(typical float32) {
	C.g500_builder_keep(b.c, C.G500_WEIGHTED, C.float(typical))
}

// KeepDirections selects a directed graph, before Order: a row has only the ends of edges from its vertex, and no
// vertex is a leaf. Several ranks collect neighbours from messages of Bins.OneWay.
func (b *Builder) KeepDirections() { C.g500_builder_keep(b.c, C.G500_DIRECTED, 0) }

// KeepPacked selects packed rows, with 32-bit ids and without weights, before AllocateCols.
func (b *Builder) KeepPacked() { C.g500_builder_keep(b.c, C.G500_PACKED, 0) }

// PackedBound returns an upper bound of the bytes of packed rows, after AllocateCols; 0 for plain rows.
func (b *Builder) PackedBound() (bytes int64, err error) {
	var n C.uint64_t
	err = check("bounding packed rows", C.g500_builder_packed_bound(b.c, &n))
	return int64(n), err
}

// Count adds count messages of Bins.Ends, Messages64, to the degrees.
func (b *Builder) Count(messages Memory, count int64) error {
	ends := array[C.g500_wide_message](messages, 0, count)
	return check("counting degrees", C.g500_builder_count64(b.c, ends, C.uint64_t(count)))
}

// CountTuples adds the tuples in memory to the counts of CountAll or, on one rank alone, to the degrees. It does not
// wait.
func (b *Builder) CountTuples(tuples Memory) error {
	list, count := edges(tuples)
	return check("counting degrees", C.g500_builder_count_tuples(b.c, list, count))
}

// CountAll returns a 32-bit counter for each label of all ranks, in slices of that many for each rank.
func (b *Builder) CountAll(slice int64) (counts Memory, err error) {
	var at *C.uint32_t
	code := C.g500_builder_count_all(b.c, C.uint32_t(slice), &at)
	bytes := wordBytes * slice * int64(b.Graph().Ranks())
	return b.device.At(unsafe.Pointer(at), bytes), b.device.Explain(check("counting degrees", code))
}

// AddCounts sets the degrees to the sums of counts, a slice from each rank, and frees the memory of CountAll.
func (b *Builder) AddCounts(counts Memory) error {
	return check("counting degrees", C.g500_builder_add_counts(b.c, pointer[C.uint32_t](counts.address)))
}

// Order gives the vertices their local ids.
func (b *Builder) Order(workBytes int64) error {
	var entries C.uint64_t
	err := check("ordering the vertices", C.g500_builder_order(b.c, C.uint64_t(workBytes), &entries))
	b.entries = int64(entries)
	b.held.bytes += wordBytes * 3 * b.Graph().NonIsolated()
	return b.device.Explain(err)
}

// CopyOrder returns a builder of another graph of the same tuples, in the state after Order. It must be called before
// AllocateCols.
func (b *Builder) CopyOrder() (*Builder, error) {
	var c *C.g500_builder
	if err := check("copying the order of vertices", C.g500_builder_copy_order(b.c, &c)); err != nil {
		return nil, b.device.Explain(err)
	}
	g := b.Graph()
	bytes := wordBytes * (3*g.NonIsolated() + g.Owned())
	return &Builder{b.device.hold("kernel 1", bytes, func() { C.g500_builder_free(c) }), c, b.entries}, nil
}

// KeepLabels64 selects labels of more than 32 bits, on several ranks and before AllocateCols.
func (b *Builder) KeepLabels64() { C.g500_builder_keep(b.c, C.G500_LABELS64, 0) }

// AllocateCols allocates the arrays of neighbours, for as many as the sum of the degrees. nonLeaves is the largest
// number of NonLeaves on any rank. ids64 selects 64-bit ids, which need KeepLabels64.
func (b *Builder) AllocateCols(shift int, nonLeaves int64, ids64 bool) error {
	part64 := C.uint32_t(0)
	if ids64 {
		part64 = C.g500_part64(C.uint32_t(nonLeaves))
	}
	b.held.bytes += wordBytes * b.entries
	return b.device.Explain(check("allocating the neighbours",
		C.g500_builder_allocate_cols(b.c, C.uint32_t(shift), C.uint32_t(nonLeaves), part64)))
}

// Rows allocates the working memory of rows.
func (b *Builder) Rows(workBytes int64) error {
	return b.device.Explain(check("preparing rows", C.g500_builder_rows(b.c, C.uint64_t(workBytes))))
}

// RowsForBoth is Rows for entries, collected with weights, that will also make the rows of a weighted builder with the
// same order, which must exist until Finish. It is for one rank alone, and if memory is short it returns OutOfMemory
// without an effect.
func (b *Builder) RowsForBoth(weighted *Builder, workBytes int64) error {
	code := C.g500_builder_rows_for_both(b.c, weighted.c, C.uint64_t(workBytes))
	if code == 0 {
		weighted.held.bytes += weighted.EntryBytes()
	}
	return b.device.Explain(check("preparing rows", code))
}

// EntryBytes returns the memory of all entries with weights, after Order.
func (b *Builder) EntryBytes() int64 { return (WeightBytes + 2*wordBytes) * b.entries }

// Collected reports whether another builder has collected the entries, after Rows. Collect must not be called then.
func (b *Builder) Collected() bool { return C.g500_builder_collected(b.c) != 0 }

// Next chooses the next rows to make and returns their number, 0 if all are done. bytes is the memory for packed rows
// and their entries; other rows have the memory of Rows.
func (b *Builder) Next(bytes int64) (rows int64, err error) {
	var n C.uint32_t
	err = check("choosing rows", C.g500_builder_next(b.c, C.uint64_t(bytes), &n))
	return int64(n), b.device.Explain(err)
}

// Collect takes the neighbours in the chosen rows from count messages of Bins.Ends, or Messages64 of Bins.Neighbours.
func (b *Builder) Collect(k MessageKind, messages Memory, count int64) error {
	from := unsafe.Pointer(array[byte](messages, 0, count*k.Bytes()))
	return check("collecting neighbours", C.g500_builder_collect(b.c, from, C.uint64_t(count)))
}

// CollectTuples takes the neighbours in the chosen rows from the tuples in memory, on one rank alone, without waiting.
// weights are empty unless the graph has weights.
func (b *Builder) CollectTuples(tuples, weights Memory) error {
	list, count := edges(tuples)
	code := C.g500_builder_collect_tuples(b.c, list, weightsOf(count, weights), count)
	return check("collecting neighbours", code)
}

// Store sorts and stores the chosen rows.
func (b *Builder) Store() error { return check("storing rows", C.g500_builder_store(b.c)) }

// Finish returns the graph.
func (b *Builder) Finish() (*Graph, error) {
	return b.device.newGraph(func(c *C.g500_graph) C.int { return C.g500_builder_finish(b.c, c) })
}
