// SPDX-License-Identifier: Apache-2.0

// Rows without weights: sorted by local id and rank, without duplicates.

#include <algorithm>

#include "kernel1/entries.cuh"
#include "kernel1/packed_rows.cuh"

namespace g500 {

namespace {

// KeyForm is the layout of a key: the row, the neighbour's local id, the neighbour's rank.
struct KeyForm {
	int local_bits, rank_bits;
	bool ids64; // ranks of neighbours have words of their own (g500_global_ids)

	explicit KeyForm(const g500_graph &graph)
		: local_bits((int)graph.shift), rank_bits(graph.ranks > 1 ? bits_for(graph.ranks - 1) : 0),
		  ids64(graph.col_ranks != nullptr) {}

	template <bool kIds64>
	__device__ u64 key(u32 row, const Entry &to) const {
		const u64 local_id = kIds64 ? to.global_id : to.global_id & ((1ull << local_bits) - 1);
		const u64 rank = kIds64 ? to.extra : (u64)to.global_id >> local_bits;
		return ((u64)row << local_bits | local_id) << rank_bits | rank;
	}
	__device__ u64 row(u64 key) const { return key >> local_bits >> rank_bits; }
	// Returns the entry of a packed row's block.
	__device__ u32 entry(u64 key) const { return (u32)(key & ((1ull << (local_bits + rank_bits)) - 1)); }
	__device__ u64 rank(u64 key) const { return key & ((1ull << rank_bits) - 1); }
	__device__ u64 local_id(u64 key) const { return key >> rank_bits & ((1ull << local_bits) - 1); }

	// Stores the neighbour in a key.
	__device__ void store(const g500_global_ids &cols, u64 slot, u64 key) const {
		cols.words[slot] = (u32)(ids64 ? local_id(key) : rank(key) << local_bits | local_id(key));
		if (ids64) cols.ranks[slot] = (u16)rank(key);
	}
};

// KeyCollection is the keys of a piece, in device memory.
template <bool kIds64>
struct KeyCollection {
	Piece piece;
	LeafRule leaves;
	KeyForm form;
	u64 *keys;

	// Appends a block's entries to the groups, whose first rows are given.
	template <typename Split, typename At>
	__device__ void append(const Split &split, At at, const u32 *first) const {
		const auto key_of = [&](int k, u32 group) { return form.key<kIds64>(at(k).row - first[group], at(k)); };
		split.template write<u64>(key_of, [&](u32, u64 slot, u64 key) {
			if (slot < piece.entries) __stcs(&keys[slot], key);
		});
	}
};

constexpr u64 kRun = 512; // sorted keys per warp

inline u64 runs_of(u64 entries) { return (entries + kRun - 1) / kRun; }

// SortedKeys is the sorted keys of a group, in runs, one per warp.
struct SortedKeys {
	const u64 *keys;
	u64 entries, runs;
	u32 rows; // of the group
	KeyForm form;

	__device__ u32 row(u64 i) const { return (u32)form.row(keys[i]); }
	__device__ bool stays(u64 i) const { return i < entries && (i == 0 || keys[i] != keys[i - 1]); } // no duplicate
};

// Counts the distinct keys in each run.
// Map:    one warp per run. Reads: 8 B per key. Writes: 8 B per run.
__global__ void count_staying_kernel(SortedKeys sorted, u64 *staying) {
	const u64 run = warp_number<kBlock>();
	if (run >= sorted.runs) return;
	u32 count = 0;
#pragma unroll 4
	for (u64 k = lane_of_thread(); k < kRun; k += kLanes)
		count += __popc(__ballot_sync(~0u, sorted.stays(run * kRun + k)));
	if (lane_of_thread() == 0) staying[run] = count;
}

// Writes the neighbours and row offsets of distinct keys; rows are from the group's first one on. With by_group, cols
// has only the edges of the group, as entries of packed rows.
// Map:    one warp per run, and one more warp; before[run] edges are stored before a run.
// Reads:  8 B per key and run. Writes: a neighbour per edge, 8 B per row.
__global__ void store_rows_kernel(SortedKeys sorted, const u64 *before, u64 *rows, g500_global_ids cols,
                                  bool by_group) {
	const u64 run = warp_number<kBlock>();
	if (run > sorted.runs) return;
	u64 at = before[run];
	const u64 first = by_group ? before[0] : 0;
#pragma unroll 4
	for (u64 k = lane_of_thread(); k < kRun; k += kLanes) {
		const u64 i = run * kRun + k;
		const bool stays = sorted.stays(i);
		const u64 slot = append_in_warp(__ballot_sync(~0u, stays), at);
		if (stays && by_group) cols.words[slot - first] = sorted.form.entry(sorted.keys[i]);
		else if (stays) sorted.form.store(cols, slot, sorted.keys[i]);
		if (stays || i == sorted.entries)
			set_offsets(i, sorted.entries, [&](u64 k) { return sorted.row(k); }, slot, rows, sorted.rows);
	}
}

// PlainRows are sorted as keys that contain the complete entry. The sort moves them between two arrays. With 64-bit ids
// the number of a piece's rows is limited by the bits of a key.
class PlainRows : public RowFiller {
public:
	PlainRows(Budget &budget, g500_graph *graph, cudaStream_t stream, Sizes sizes = {sizeof(u64), sizeof(u64)})
		: RowFiller(budget, graph, stream, sizes), form_(*graph), key_(budget), spare_(budget), temp_(budget),
		  staying_(budget) {
		const int bits = 64 - form_.local_bits - form_.rank_bits;
		if (bits < 32) most_rows_ = 1u << bits;
	}

	int collect(const Tuples &tuples) override {
		return collect_entries(tuples, *graph_, on_device_, collection<false>(), stream_);
	}
	int collect_received(const void *messages, u64 count) override {
		const MessageList<u64> narrow{(const u64 *)messages, count};
		const MessageList<WideMessage> wide{(const WideMessage *)messages, count};
		if (!graph_->labels64) return collect_entries(narrow, *graph_, on_device_, collection<false>(), stream_);
		if (!form_.ids64) return collect_entries(wide, *graph_, on_device_, collection<false>(), stream_);
		return collect_entries(wide, *graph_, on_device_, collection<true>(), stream_);
	}

protected:
	int allocate_entries(u64 capacity) override { return key_.alloc(capacity); }

	// CUB's temporary memory is sized for an upper bound of the number of entries.
	int prepare_sort(u64 largest) override {
		G500_TRY(staying_.alloc(runs_of(largest) + 1));
		G500_TRY(cudaMemsetAsync(staying_.get(), 0, sizeof(u64), stream_));
		size_t for_sort = 0, for_sum = 0;
		G500_TRY(sort_arrays(nullptr, for_sort, {largest, 0, 64}, stream_, keys_));
		G500_TRY(sum_up(nullptr, for_sum, staying_.get(), runs_of(largest) + 1, stream_));
		G500_TRY(temp_.alloc(std::max({for_sort, for_sum, packing_bytes(largest)})));
		return spare_.alloc(largest);
	}

	// staying_ begins with the number of edges stored so far.
	int store(const Group &group) override {
		if (const int code = load(group)) return code;
		size_t bytes = temp_.bytes();
		const int bits = form_.rank_bits + form_.local_bits + bits_for(group.rows() - 1);
		const Sorted by{group.entries, 0, bits};
		if (group.entries > 0)
			G500_LAUNCH_BY("sort_entries (CUB)", sort_arrays(temp_.get(), bytes, by, stream_, keys_));
		const SortedKeys sorted{keys_.now, group.entries, runs_of(group.entries), group.rows(), form_};
		u64 *const before = staying_.get();
		if (sorted.runs > 0)
			G500_LAUNCH(count_staying_kernel, thread_for(sorted.runs * kLanes, stream_), sorted, before + 1);
		G500_LAUNCH_BY("sum_staying (CUB)", sum_up(temp_.get(), bytes, before, sorted.runs + 1, stream_));
		G500_LAUNCH(store_rows_kernel, thread_for((sorted.runs + 1) * kLanes, stream_), sorted, before,
		            graph_->rows + group.first, cols(), graph_->packed != nullptr);
		if (const int code = pack(group, before + sorted.runs)) return code;
		if (sorted.runs > 0)
			G500_TRY(cudaMemcpyAsync(before, before + sorted.runs, sizeof *before, cudaMemcpyDeviceToDevice, stream_));
		return cudaSuccess;
	}

	int count_edges(u64 *edges) const override { return read_back(edges, staying_.get(), sizeof *edges, stream_); }

	// Sets keys_ to the keys of a group, and space for as many.
	virtual int load(const Group &group) {
		keys_ = {key_.get() + group.begin, spare_.get()};
		return cudaSuccess;
	}

	virtual g500_global_ids cols() const { return {graph_->cols, graph_->col_ranks}; } // the destination of neighbours
	// Packs the stored rows of a group, whose last edge is before *end.
	virtual int pack(const Group &, const u64 *) { return cudaSuccess; }

	const KeyForm form_;
	Scratch<u64> key_, spare_;
	Buffers<u64> keys_{};
	Scratch<char> temp_;

private:
	template <bool kIds64>
	KeyCollection<kIds64> collection() { return {state_.piece, LeafRule(*graph_), form_, key_.get()}; }

	Scratch<u64> staying_; // kept edges before each run of sorted keys, and after the last one
};

// Makes the keys of weighted entries.
// Map:    one thread per entry. Reads: 12 B per entry. Writes: 8 B per entry.
__global__ void make_keys_kernel(const u32 *weighted_keys, const u64 *edges, u64 entries, int weight_bits,
                                 KeyForm form, u64 *keys) {
	const u64 i = thread_number<kBlock>();
	if (i >= entries) return;
	keys[i] = form.key<false>(weighted_keys[i] >> weight_bits, {0, global_id_of(edges[i]), 0});
}

// PlainRowsForBoth collects entries with weights, all in one piece. They stay for weighted rows; keys are made for a
// group at a time.
class PlainRowsForBoth : public PlainRows {
public:
	PlainRowsForBoth(WeightedEntries &entries, Budget &budget, g500_graph *graph, cudaStream_t stream)
		: PlainRows(budget, graph, stream, {WeightedEntries::kBytes, 2 * sizeof(u64)}), entries_(entries) {}

	int collect(const Tuples &tuples) override {
		const WeightedCollection to = entries_.collection(state_.piece, *graph_);
		return collect_entries(tuples, *graph_, on_device_, to, stream_);
	}

protected:
	int allocate_entries(u64 capacity) override { return entries_.allocate(capacity); }
	int prepare_sort(u64 largest) override {
		G500_TRY(key_.alloc(largest));
		return PlainRows::prepare_sort(largest);
	}
	int load(const Group &group) override {
		entries_.state = state_; // of the only piece with rows
		keys_ = {key_.get(), spare_.get()};
		if (group.entries == 0) return cudaSuccess;
		return G500_START(make_keys_kernel, thread_for(group.entries, stream_), entries_.keys + group.begin,
		                  entries_.edges + group.begin, group.entries, weight_bits(group.rows()), form_, key_.get());
	}

private:
	WeightedEntries &entries_;
};

// PackedRows stores the rows of a group in the array that sorting has left, and packs them from there. A group has at
// least as many keys as rows. Each piece has all memory that the packed rows so far have left, because all tuples are
// read for a piece.
class PackedRows : public PlainRows {
public:
	using PlainRows::PlainRows;

protected:
	int allocate_entries(u64) override { return cudaSuccess; }
	int choose_piece(u32 first, u64 bytes) override {
		u64 packed = 0, needed = 0;
		for (u64 most = bytes / sizes_.entry;; most = (u64)((double)state_.piece.entries * bytes / needed)) {
			if (const int code = choose(first, std::min(most, most_sorted_))) return code;
			if (const int code = bound_packed(*graph_, state_.piece.first, state_.piece.last, &packed, stream_)) return code;
			needed = state_.piece.entries * sizes_.entry + packed;
			if (needed <= bytes) break;
		}
		graph_->chunks->expect(packed / sizeof(u32));
		budget_ = {bytes};
		return key_.alloc(state_.piece.entries);
	}
	int free_entries() override {
		G500_TRY(cudaStreamSynchronize(stream_));
		key_.free();
		return cudaSuccess;
	}
	g500_global_ids cols() const override { return {(u32 *)keys_.other, nullptr}; }
	int pack(const Group &group, const u64 *end) override {
		const IdForm ids{(u32)form_.local_bits, (u32)form_.rank_bits};
		u32 *const words = cols().words;
		const GroupRows rows{graph_->rows + group.first, end, words, group.rows(), ids, group.entries,
		                     (u32 *)keys_.now, words + group.entries, graph_->packed + group.first};
		return pack_rows(rows, temp_.get(), temp_.bytes(), graph_->chunks, stream_);
	}
};

} // namespace

std::unique_ptr<RowFiller> make_rows(Budget &budget, g500_graph *graph, cudaStream_t stream) {
	if (graph->packed) return std::make_unique<PackedRows>(budget, graph, stream);
	return std::make_unique<PlainRows>(budget, graph, stream);
}

std::unique_ptr<RowFiller> make_plain_rows_for_both(WeightedEntries &entries, Budget &budget, g500_graph *graph,
                                                    cudaStream_t stream) {
	return std::make_unique<PlainRowsForBoth>(entries, budget, graph, stream);
}

} // namespace g500
