// SPDX-License-Identifier: Apache-2.0

// Kernel 1 on one rank, step by step: count degrees; order the vertices by degree (order.cuh); sort the ends into rows,
// piece by piece (rows.cu).
//
// A single rank counts and collects tuples. Several ranks with memory for a word per label of all ranks each count the
// ends of their tuples at all labels, and exchange and add up the counts; with 64-bit labels they may count messages
// instead. Rows are made from messages (kernel1.h).
//
// Memory in bytes, for L owned labels, V vertices with an edge and D, the sum of their degrees (two for each tuple that
// is not a self-loop). The graph: 4 D for neighbours, 8 V for offsets, 4 V and 4 L for the two tables. The number of
// distinct edges is known only at the end, so the array of neighbours is allocated for D; official graphs of scale 26
// leave about 2% of it unused. In addition 4 L, and 4.5 for each of up to 2^27 listed ends (degrees.cuh); then 16 L.
// Then 8 per entry of a piece and once more for a group of entries (rows.cuh). With weights: 8 D for neighbours, 12 per
// entry and 4 for a group; with 64-bit ids 6 D. If entries stay for weighted rows: 12 D, and 16 for a group.
#include <algorithm>
#include <climits>
#include <new>
#include <memory>

#include "common/bitmap.cuh"
#include "kernel1/degrees.cuh"
#include "kernel1/entries.cuh"
#include "kernel1/order.cuh"
#include "kernel1/packed_rows.cuh"

struct g500_builder {
	g500_graph graph{};
	cudaStream_t stream = nullptr;
	g500::Budget budget{};
	g500::DegreeCounter degrees;
	g500::DegreeCounter all; // of all labels, for the tuples of this rank
	g500::Slices slices{1, 0}; // of all
	bool weighted = false, packed = false;
	float typical_weight = 1; // of a weighted graph; finite and positive
	std::unique_ptr<g500::WeightedEntries> entries; // of a weighted graph, from its rows or those for both graphs on
	std::unique_ptr<g500::RowFiller> filler;        // uses graph, budget and entries

	~g500_builder() { g500_graph_free(&graph); }
};

using namespace g500;

// Sets a bit for each owned label that is a vertex with an edge; in a directed graph with an edge that begins there.
// Map:    one thread per owned label. Reads: 4 B per label; in a directed graph 16 random B. Writes: 1 bit per label.
static __global__ void find_connected_kernel(g500_graph graph, u32 *bits) {
	const u32 i = thread_number<kBlock>(), v = i < graph.owned ? graph.local_ids[i] : kNoLocalId;
	const bool begins = v != kNoLocalId && (!graph.directed || graph.rows[v] < graph.rows[v + 1]);
	const u32 connected = __ballot_sync(~0u, begins);
	if (i % kLanes == 0 && i < graph.owned) bits[i / kLanes] = connected;
}

// Counts leaves whose neighbour is a leaf. One thread per leaf.
static __global__ void count_leaf_ends_kernel(g500_graph g, u32 local_mask, ull *ends) {
	const u64 v = g.first_leaf + thread_number<kBlock>();
	const bool any = v < g.non_isolated && g.rows[v] < g.rows[v + 1];
	const u32 *const row = !any ? nullptr : g.packed ? words_at(g.packed[v]) : g.cols + g.rows[v];
	add_up(any && (*row & local_mask) >= g.first_leaf, ends);
}

template <typename T>
static int copy(T **to, const T *from, u64 n, cudaStream_t stream) {
	G500_TRY(allocate(to, n));
	return cudaMemcpyAsync(*to, from, n * sizeof(T), cudaMemcpyDeviceToDevice, stream);
}

int g500_find_vertices(g500_builder *builder, const g500_edge *d_edges, uint64_t count, uint64_t *vertices,
                       void *stream) {
	Array<ull> found;
	if (!builder) G500_TRY(found.alloc(1));
	ull *const word = builder ? builder->degrees.word() : found.get();
	const Launch how{blocks_for(count, kListTile), kBlock, (cudaStream_t)stream};
	G500_TRY(cudaMemsetAsync(word, 0, sizeof *word, how.stream));
	G500_LAUNCH(find_vertices_kernel, how, Tuples{d_edges, count}, word);
	return read_back(vertices, word, sizeof *vertices, how.stream);
}

int g500_builder_create(uint32_t ranks, uint32_t rank, uint64_t vertices, g500_builder **builder, void *stream) {
	*builder = nullptr;
	std::unique_ptr<g500_builder> made(new (std::nothrow) g500_builder);
	if (made == nullptr) return cudaErrorMemoryAllocation;
	if (rank >= ranks) return cudaErrorInvalidValue;
	made->stream = (cudaStream_t)stream;
	made->graph.ranks = ranks;
	made->graph.rank = rank;
	G500_TRY(g500_builder_grow(made.get(), vertices));
	*builder = made.release();
	return cudaSuccess;
}

void g500_builder_free(g500_builder *builder) { delete builder; }

int g500_builder_grow(g500_builder *builder, uint64_t vertices) {
	g500_graph &graph = builder->graph;
	const u64 owned = (vertices + graph.ranks - 1 - graph.rank) / graph.ranks;
	if (owned > INT_MAX) return cudaErrorInvalidValue; // CUB before 13 scans at most 2^31-1 items
	if (const int code = builder->degrees.grow((u32)owned, builder->stream)) return code;
	graph.vertices = std::max(graph.vertices, vertices);
	graph.owned = std::max(graph.owned, (u32)owned);
	return cudaSuccess;
}

void g500_builder_keep(g500_builder *builder, int forms, float typical) {
	builder->weighted |= (forms & G500_WEIGHTED) != 0;
	// Half of its reciprocal must be finite and positive, too.
	if (typical > 1e-37f && typical < 1e37f) builder->typical_weight = typical;
	builder->packed |= (forms & G500_PACKED) != 0;
	builder->graph.labels64 |= (forms & G500_LABELS64) != 0;
	builder->graph.directed |= (forms & G500_DIRECTED) != 0;
}

int g500_builder_count64(g500_builder *builder, const g500_wide_message *d_messages, uint64_t count) {
	return builder->degrees.count(ReceivedEnds{{d_messages, count}}, builder->stream);
}

int g500_builder_count_tuples(g500_builder *builder, const g500_edge *d_edges, uint64_t count) {
	DegreeCounter &counter = builder->slices.slice > 0 ? builder->all : builder->degrees;
	if (builder->slices.ranks != builder->graph.ranks) return cudaErrorInvalidValue;
	return counter.count(TupleEnds{{d_edges, count}, builder->slices}, builder->stream);
}

int g500_builder_count_all(g500_builder *builder, uint32_t slice, uint32_t **counts) {
	builder->slices = {builder->graph.ranks, slice};
	const int code = builder->all.grow(builder->graph.ranks * slice, builder->stream);
	*counts = builder->all.degrees();
	return code;
}

int g500_builder_add_counts(g500_builder *builder, const uint32_t *d_counts) {
	builder->all.free_lists();
	builder->all.free();
	return builder->degrees.add(d_counts, builder->slices, builder->stream);
}

int g500_builder_order(g500_builder *builder, uint64_t temp_bytes, uint64_t *entries) {
	g500_graph &graph = builder->graph;
	builder->budget = {temp_bytes};
	DegreeCounter &counter = builder->degrees;
	counter.free_lists();
	if (const int code = order_vertices(counter.degrees(), builder->budget, &graph, builder->stream)) return code;
	counter.free();
	if (graph.directed) graph.first_leaf = graph.non_isolated; // edges to a vertex of degree 1 are not edges from it
	return sum_of_degrees(graph, entries, builder->stream);
}

int g500_builder_copy_order(const g500_builder *from, g500_builder **builder) {
	*builder = nullptr;
	std::unique_ptr<g500_builder> made(new (std::nothrow) g500_builder);
	if (made == nullptr) return cudaErrorMemoryAllocation;
	const g500_graph &ordered = from->graph;
	g500_graph &graph = made->graph;
	made->stream = from->stream;
	graph = ordered;
	graph.rows = nullptr, graph.labels = graph.local_ids = nullptr;
	G500_TRY(copy(&graph.rows, ordered.rows, graph.non_isolated + 1ull, made->stream));
	G500_TRY(copy(&graph.labels, ordered.labels, graph.non_isolated, made->stream));
	G500_TRY(copy(&graph.local_ids, ordered.local_ids, graph.owned, made->stream));
	*builder = made.release();
	return cudaSuccess;
}

int g500_builder_allocate_cols(g500_builder *builder, uint32_t shift, uint32_t first_leaf, uint32_t part64) {
	g500_graph &graph = builder->graph;
	const bool ids64 = part64 > 0, labels64 = graph.labels64;
	if (shift > 31 || (labels64 && (graph.ranks == 1 || builder->weighted))) return cudaErrorInvalidValue;
	if (ids64 && !labels64) return cudaErrorInvalidValue;
	graph.shift = shift;
	graph.part64 = part64;
	graph.first_leaf = first_leaf;
	if (builder->packed) {
		if (labels64 || builder->weighted) return cudaErrorInvalidValue;
		graph.chunks = new g500_chunks;
		return allocate(&graph.packed, graph.non_isolated);
	}
	u64 total = 0;
	if (const int code = sum_of_degrees(graph, &total, builder->stream)) return code;
	if (ids64) G500_TRY(allocate(&graph.col_ranks, total));
	G500_TRY(builder->weighted ? allocate(&graph.weighted_cols, total) : allocate(&graph.cols, total));
	return labels64 ? G500_START(number_labels_kernel, thread_for(graph.owned, builder->stream), graph) : cudaSuccess;
}

int g500_builder_rows(g500_builder *builder, uint64_t temp_bytes) {
	builder->budget = {temp_bytes};
	g500_graph *const graph = &builder->graph;
	if (builder->weighted && !builder->entries)
		builder->entries.reset(new WeightedEntries(builder->typical_weight, false));
	builder->filler = builder->weighted
		? make_weighted_rows(*builder->entries, builder->budget, graph, builder->stream)
		: make_rows(builder->budget, graph, builder->stream);
	return builder->filler->prepare();
}

int g500_builder_rows_for_both(g500_builder *builder, g500_builder *weighted, uint64_t temp_bytes) {
	if (builder->graph.ranks != 1 || builder->weighted || builder->packed) return cudaErrorInvalidValue;
	if (!weighted->weighted) return cudaErrorInvalidValue;
	builder->budget = {temp_bytes};
	auto entries = std::make_unique<WeightedEntries>(weighted->typical_weight, true);
	auto filler = make_plain_rows_for_both(*entries, builder->budget, &builder->graph, builder->stream);
	if (const int code = filler->prepare(true)) return code;
	builder->filler = std::move(filler);
	weighted->entries = std::move(entries);
	return cudaSuccess;
}

int g500_builder_collected(const g500_builder *builder) { return builder->filler->collected() != nullptr; }

int g500_builder_next(g500_builder *builder, uint64_t bytes, uint32_t *rows) {
	const int code = builder->filler->next(bytes);
	*rows = builder->filler->piece().last - builder->filler->piece().first;
	return code;
}

int g500_builder_collect(g500_builder *builder, const void *d_messages, uint64_t count) {
	return builder->filler->collect_received(d_messages, count);
}

int g500_builder_collect_tuples(g500_builder *builder, const g500_edge *d_edges, const float *d_weights,
                                uint64_t count) {
	if (builder->graph.ranks != 1) return cudaErrorInvalidValue;
	if (count == 0 || builder->filler->piece().entries == 0) return cudaSuccess;
	return builder->filler->collect(Tuples{d_edges, count, d_weights});
}

int g500_builder_store(g500_builder *builder) { return builder->filler->store(); }

const g500_graph *g500_builder_graph(const g500_builder *builder) { return &builder->graph; }

int g500_builder_finish(g500_builder *builder, g500_graph *graph) {
	if (const int code = builder->filler->finish()) return code;
	*graph = builder->graph;
	builder->graph = {};
	return cudaSuccess;
}

int g500_builder_packed_bound(g500_builder *builder, uint64_t *bytes) {
	const g500_graph &graph = builder->graph;
	*bytes = 0;
	return builder->packed ? bound_packed(graph, 0, graph.non_isolated, bytes, builder->stream) : cudaSuccess;
}

uint32_t g500_packed_chunks(const g500_graph *graph) { return graph->chunks ? (uint32_t)graph->chunks->of.size() : 0; }

void *g500_packed_chunk(const g500_graph *graph, uint32_t number, uint64_t *bytes) {
	*bytes = graph->chunks->lengths[number] * sizeof(u32);
	return graph->chunks->of[number];
}

uint64_t g500_packed_bytes(const g500_graph *graph) {
	return graph->chunks ? graph->chunks->words * sizeof(u32) : 0;
}

void g500_graph_free(g500_graph *graph) {
	cudaFree(graph->rows);
	cudaFree(graph->cols);
	cudaFree(graph->packed);
	delete graph->chunks;
	cudaFree(graph->col_ranks);
	cudaFree(graph->weighted_cols);
	cudaFree(graph->labels);
	cudaFree(graph->local_ids);
	*graph = {};
}

int g500_find_connected(const g500_graph *graph, uint64_t *bits, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	const u64 words = blocks_for(graph->owned, 64);
	Array<u64> found;
	G500_TRY(found.alloc_zeroed(words, stream));
	G500_LAUNCH(find_connected_kernel, thread_for(graph->owned, stream), *graph, (u32 *)found.get());
	return read_back(bits, found, words * sizeof *bits, stream);
}

int g500_count_leaf_ends(const g500_graph *graph, uint64_t *ends, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	const u32 leaves = graph->non_isolated - std::min(graph->non_isolated, graph->first_leaf);
	const u32 local_mask = graph->col_ranks || graph->ranks == 1 ? ~0u : (1u << graph->shift) - 1;
	Array<ull> found;
	G500_TRY(found.alloc_zeroed(1, stream));
	G500_LAUNCH(count_leaf_ends_kernel, thread_for(leaves, stream), *graph, local_mask, found.get());
	return read_back(ends, found, sizeof *ends, stream);
}

// A search sweeps kPad ids at a time, which must not belong to two ranks.
uint32_t g500_part64(uint32_t non_leaf) {
	constexpr uint32_t kReport = 1024; // bits, for a FarBlock
	return (non_leaf + kPad - 1) / kPad * kPad + kReport;
}

uint32_t g500_local_id_bits(uint32_t non_isolated) {
	return bits_for(non_isolated == 0 ? kPad - 1 : (non_isolated - 1) | (kPad - 1));
}
