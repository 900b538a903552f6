// SPDX-License-Identifier: Apache-2.0

// Rows with weights, for shortest paths: sorted by weight. Duplicates stay: the lightest one comes first, and heavier
// ones are never on a shortest path.
//
// A radix sort by all bits of row and weight takes more than twice as many passes as one by 24 bits. So a key has as
// many bits of the weight as the row leaves, on a scale with about equally many edges per step; few entries of a row
// have the same key, and these are ordered afterwards. The sort moves edges between the collected entries and their
// place in the graph.

#include "kernel1/entries.cuh"

namespace g500 {

namespace {

// SortedEntries is the entries of a group, sorted by key.
struct SortedEntries {
	const u32 *keys;
	u64 *edges; // in the graph
	u64 entries;
	int weight_bits; // in a key

	__device__ u32 row(u64 i) const { return keys[i] >> weight_bits; }
	__device__ bool begins_run(u64 i) const { return i == 0 || keys[i] != keys[i - 1]; }
	__device__ bool in_run(u64 i, u64 first) const { return i < entries && keys[i] == keys[first]; }

	// Returns the end of the run of equal keys that begins at `first`.
	__device__ u64 end_of_run(u64 first) const {
		return first_not(first, entries, [&](u64 i) { return keys[i] == keys[first]; });
	}
};

// A run of equal keys is ordered by a thread if it has at most kShortRun edges, else by a block.
constexpr u32 kShortRun = G500_SIZE(4, 32);
constexpr u32 kMostLong = kBlock / kShortRun + 1; // long runs that begin at consecutive entries of a block

struct LongRuns {
	u32 count;
	u64 first[kMostLong];
};

// Orders the edges of a run by insertion, if it is short.
__device__ inline void order_run(const SortedEntries &sorted, u64 first, LongRuns &longer) {
	if (sorted.in_run(first + kShortRun, first)) {
		longer.first[atomicAdd(&longer.count, 1)] = first;
		return;
	}
	for (u64 i = first + 1; sorted.in_run(i, first); i++) {
		const u64 edge = sorted.edges[i];
		u64 to = i;
		for (; to > first && weight_of(sorted.edges[to - 1]) > weight_of(edge); to--)
			sorted.edges[to] = sorted.edges[to - 1];
		if (to < i) sorted.edges[to] = edge;
	}
}

__device__ inline void exchange_unless_ordered(u64 *low, u64 *high) {
	const u64 a = *low, b = *high;
	if (!(weight_of(a) > weight_of(b))) return;
	*low = b;
	*high = a;
}

// Returns to every thread of a block whether n edges are ordered, as edges of equal weight are.
__device__ inline bool are_ordered(const u64 *edges, u64 n) {
	bool ordered = true;
	for (u64 i = threadIdx.x + 1; i < n && ordered; i += kBlock)
		ordered = !(weight_of(edges[i - 1]) > weight_of(edges[i]));
	return !__syncthreads_or(!ordered);
}

// Orders n edges by the threads of a block: Batcher's bitonic sort, in which every exchange moves the heavier edge
// upwards, so that missing edges count as the heaviest.
__device__ inline void order_by_block(u64 *edges, u64 n) {
	for (u64 length = 2; length < 2 * n; length *= 2) { // of sorted sequences after this round
		for (u64 distance = length / 2; distance > 0; distance /= 2) {
			for (u64 pair = threadIdx.x; pair < (n + length) / 2; pair += kBlock) {
				const u64 begin = pair / distance * 2 * distance, at = pair % distance, low = begin + at;
				const u64 high = distance == length / 2 ? begin + 2 * distance - 1 - at : low + distance;
				if (high < n) exchange_unless_ordered(&edges[low], &edges[high]);
			}
			__syncthreads();
		}
	}
}

// Orders edges with equal keys by weight, and sets the offsets of the rows.
// Map:    one thread per entry, and one for their end; the first one of a run orders it, or the block if it is long.
// Reads:  4 B per entry, 8 B per edge of a run. Writes: 8 B per row, up to 8 B per edge of a run.
__global__ void __launch_bounds__(kBlock) finish_rows_kernel(SortedEntries sorted, u64 before, u64 *rows, u32 count) {
	G500_SHARED_MEMORY(memory);
	LongRuns &longer = *(LongRuns *)memory;
	if (threadIdx.x == 0) longer.count = 0;
	__syncthreads();
	const u64 i = thread_number<kBlock>();
	if (i <= sorted.entries)
		set_offsets(i, sorted.entries, [&](u64 k) { return sorted.row(k); }, before + i, rows, count);
	if (i < sorted.entries && sorted.begins_run(i)) order_run(sorted, i, longer);
	__syncthreads();
	for (u32 k = 0; k < longer.count; k++) {
		const u64 first = longer.first[k], n = sorted.end_of_run(first) - first;
		if (!are_ordered(sorted.edges + first, n)) order_by_block(sorted.edges + first, n);
	}
}

class WeightedRows : public RowFiller {
public:
	WeightedRows(WeightedEntries &entries, Budget &budget, g500_graph *graph, cudaStream_t stream)
		: RowFiller(budget, graph, stream, {WeightedEntries::kBytes, sizeof(u32)}), entries_(entries),
		  spare_key_(budget), temp_(budget) {
		if (entries.for_both) collected_ = &entries.state;
	}

	int collect(const Tuples &tuples) override { return collect_from(tuples); }
	int collect_received(const void *messages, u64 count) override {
		return collect_from(MessageList<WideMessage>{(const WideMessage *)messages, count});
	}

protected:
	int allocate_entries(u64 capacity) override { return entries_.allocate(capacity); }

	int prepare_sort(u64 largest) override {
		size_t bytes = 0;
		G500_TRY(sort_arrays(nullptr, bytes, {largest, 0, kManyBits}, stream_, keys_, edges_));
		G500_TRY(temp_.alloc(bytes));
		return spare_key_.alloc(largest);
	}

	int store(const Group &group) override {
		u64 *const edges = (u64 *)graph_->weighted_cols + stored_;
		if (const int code = sort(group, edges)) return code;
		const SortedEntries sorted{keys_.now, edges, group.entries, weight_bits(group.rows())};
		const Launch by_entry{blocks_for(group.entries + 1, kBlock), kBlock, stream_, sizeof(LongRuns)};
		G500_LAUNCH(finish_rows_kernel, by_entry, sorted, stored_, graph_->rows + group.first, group.rows());
		stored_ += group.entries;
		return cudaSuccess;
	}

	int count_edges(u64 *edges) const override { return *edges = stored_, cudaSuccess; }

private:
	template <typename List>
	int collect_from(const List &list) {
		const WeightedCollection to = entries_.collection(state_.piece, *graph_);
		return collect_entries(list, *graph_, on_device_, to, stream_);
	}

	// Sorts the entries of a group by key. The edges are then at `edges`.
	int sort(const Group &group, u64 *edges) {
		keys_ = {entries_.keys + group.begin, spare_key_.get()};
		edges_ = {entries_.edges + group.begin, edges};
		if (group.entries == 0) return cudaSuccess;
		const int bits = weight_bits(group.rows()) + bits_for(group.rows() - 1);
		size_t bytes = temp_.bytes();
		G500_LAUNCH_BY("sort_weighted_entries (CUB)",
		               sort_arrays(temp_.get(), bytes, {group.entries, 0, bits}, stream_, keys_, edges_));
		if (edges_.now == edges) return cudaSuccess; // after an odd number of passes
		G500_TRY(cudaMemcpyAsync(edges, edges_.now, group.entries * sizeof *edges, cudaMemcpyDeviceToDevice, stream_));
		return cudaSuccess;
	}

	WeightedEntries &entries_;
	Scratch<u32> spare_key_;
	Scratch<char> temp_;
	Buffers<u32> keys_{};
	Buffers<u64> edges_{};
	u64 stored_ = 0; // edges
};

} // namespace

std::unique_ptr<RowFiller> make_weighted_rows(WeightedEntries &entries, Budget &budget, g500_graph *graph,
                                              cudaStream_t stream) {
	return std::make_unique<WeightedRows>(entries, budget, graph, stream);
}

} // namespace g500
