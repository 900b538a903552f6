// Rows with weights, for shortest paths: sorted by weight. Duplicates stay: the lightest one comes first, and heavier
// ones are never on a shortest path.
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>

#include "kernel1/entries.cuh"

namespace g500 {

namespace {

constexpr int kWeightBits = 31; // of a non-negative weight

// WeightedCollection is the entries of a piece: a key of row and weight, and a global id.
struct WeightedCollection {
	Piece piece;
	u64 *keys;
	u32 *global_ids;
	ull *count;

	__device__ bool holds(u32 row) const { return row - piece.first < piece.last - piece.first; }
	__device__ void put(u64 slot, const Entry &entry) const {
		__stcs(&keys[slot], (u64)(entry.row - piece.first) << kWeightBits | entry.extra);
		__stcs(&global_ids[slot], entry.global_id);
	}
};

// SortedEntries is the entries of a piece, sorted by key.
struct SortedEntries {
	using Col = g500_weighted_col;
	using Cols = Col *;

	const u64 *keys;
	const u32 *global_ids;
	u64 entries, runs;
	u32 first_leaf; // lower rows of the piece are non-leaf vertices, without edges to leaves
	u32 leaves;     // local ids from here on are leaves
	u32 local_mask; // of a global id

	__device__ u64 row(u64 i) const { return keys[i] >> kWeightBits; }
	__device__ Col col(u64 i) const {
		return {global_ids[i], __uint_as_float((u32)keys[i] & ((1u << kWeightBits) - 1))};
	}
	__device__ bool begins_row(u64 i) const { return i == 0 || row(i) != row(i - 1); }
	__device__ bool stays(u64 i) const {
		return i < entries && !(row(i) < first_leaf && (global_ids[i] & local_mask) >= leaves);
	}
};

class WeightedRows : public RowFiller {
public:
	WeightedRows(Budget &budget, g500_graph *graph, cudaStream_t stream)
		: RowFiller(budget, graph, stream), key_(budget), spare_key_(budget), global_id_(budget),
		  spare_global_id_(budget) {}

	int collect(const Tuples &tuples) override {
		return collect_entries(tuples, graph_->local_ids, collection(), stream_);
	}
	int collect_received_weighted(const MessageList<WeightedMessage> &received) override {
		return collect_entries(received, graph_->local_ids, collection(), stream_);
	}

protected:
	u64 entry_bytes() const override { return 2 * (sizeof(u64) + sizeof(u32)); }

	int allocate_entries(u64 capacity) override {
		for (auto *keys : {&key_, &spare_key_})
			if (const int code = keys->take(capacity)) return code;
		for (auto *global_ids : {&global_id_, &spare_global_id_})
			if (const int code = global_ids->take(capacity)) return code;
		return cudaSuccess;
	}

	int measure_sort(u64 entries, size_t *bytes) override {
		cub::DoubleBuffer<u64> keys;
		cub::DoubleBuffer<u32> global_ids;
		return cub::DeviceRadixSort::SortPairs(nullptr, *bytes, keys, global_ids, entries, 0, 64, stream_);
	}

	int sort(size_t bytes) override {
		keys_ = cub::DoubleBuffer<u64>(key_.get(), spare_key_.get());
		global_ids_ = cub::DoubleBuffer<u32>(global_id_.get(), spare_global_id_.get());
		const Piece &piece = state_.piece;
		const int bits = kWeightBits + bits_for(piece.last - piece.first - 1);
		G500_LAUNCH_BY("sort_weighted_entries (CUB)",
		               cub::DeviceRadixSort::SortPairs(temp_.get(), bytes, keys_, global_ids_, piece.entries, 0, bits,
		                                               stream_));
		return cudaSuccess;
	}

	int count_staying(u64 *counts) override { return count_staying_entries(sorted(), counts, stream_); }

	int store_staying(const u64 *before) override {
		const RowOutput<g500_weighted_col *> to = {graph_->rows + state_.piece.first, graph_->edges,
		                                         graph_->weighted_cols};
		return store_rows(sorted(), before, to, stream_);
	}

private:
	WeightedCollection collection() {
		return {state_.piece, key_.get(), global_id_.get(), &on_device_.get()->collected};
	}
	SortedEntries sorted() {
		const Piece &piece = state_.piece;
		const u32 first_leaf = std::clamp(graph_->first_leaf, piece.first, piece.last) - piece.first;
		const u32 mask = (u32)((1ull << graph_->shift) - 1);
		return {keys_.Current(), global_ids_.Current(), piece.entries, runs_of(piece.entries), first_leaf,
		        graph_->first_leaf, mask};
	}

	Scratch<u64> key_, spare_key_;
	Scratch<u32> global_id_, spare_global_id_;
	cub::DoubleBuffer<u64> keys_;
	cub::DoubleBuffer<u32> global_ids_;
};

} // namespace

std::unique_ptr<RowFiller> make_weighted_rows(Budget &budget, g500_graph *graph, cudaStream_t stream) {
	return std::make_unique<WeightedRows>(budget, graph, stream);
}

} // namespace g500
