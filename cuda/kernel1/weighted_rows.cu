// Rows with weights, for shortest paths: sorted by weight. Duplicates stay: the lightest one comes first, and heavier
// ones are never on a shortest path.
#include <cub/device/device_radix_sort.cuh>

#include "kernel1/entries.cuh"

namespace g500 {

namespace {

constexpr int kWeightBits = 31; // of a non-negative weight

// WeightedCollection is the entries of a piece: a key of row and weight, and a global id.
struct WeightedCollection {
	Piece piece;
	u64 *keys;
	u32 *global_ids;

	__device__ void put(u64 slot, u32 row, const Entry &entry) const {
		__stcs(&keys[slot], (u64)row << kWeightBits | entry.extra);
		__stcs(&global_ids[slot], entry.global_id);
	}
};

// SortedEntries is the entries of a group, sorted by key.
struct SortedEntries {
	using Col = g500_weighted_col;
	using Cols = Col *;

	const u64 *keys;
	const u32 *global_ids;
	u64 entries, runs;
	u32 first_leaf; // lower rows of the group are non-leaf vertices, without edges to leaves
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
		return collect_entries(tuples, graph_->local_ids, on_device(), collection(), stream_);
	}
	int collect_received_weighted(const MessageList<WeightedMessage> &received) override {
		return collect_entries(received, graph_->local_ids, on_device(), collection(), stream_);
	}

protected:
	u64 entry_bytes() const override { return sizeof(u64) + sizeof(u32); }

	int allocate_spare(u64 entries) override {
		if (const int code = spare_key_.take(entries)) return code;
		return spare_global_id_.take(entries);
	}
	int allocate_entries(u64 capacity) override {
		if (const int code = key_.take(capacity)) return code;
		return global_id_.take(capacity);
	}

	int measure_sort(u64 entries, size_t *bytes) override {
		cub::DoubleBuffer<u64> keys;
		cub::DoubleBuffer<u32> global_ids;
		return cub::DeviceRadixSort::SortPairs(nullptr, *bytes, keys, global_ids, entries, 0, 64, stream_);
	}

	int sort(const Group &group, size_t bytes) override {
		keys_ = cub::DoubleBuffer<u64>(key_.get() + group.begin, spare_key_.get());
		global_ids_ = cub::DoubleBuffer<u32>(global_id_.get() + group.begin, spare_global_id_.get());
		const int bits = kWeightBits + bits_for(group.last - group.first - 1);
		G500_LAUNCH_BY("sort_weighted_entries (CUB)",
		               cub::DeviceRadixSort::SortPairs(temp_.get(), bytes, keys_, global_ids_, group.entries, 0, bits,
		                                               stream_));
		return cudaSuccess;
	}

	int count_staying(const Group &group, u64 *counts) override {
		return count_staying_entries(sorted(group), counts, stream_);
	}

	int store_staying(const Group &group, const u64 *before) override {
		return store_rows(sorted(group), before, {graph_->rows + group.first, graph_->weighted_cols}, stream_);
	}

private:
	WeightedCollection collection() { return {state_.piece, key_.get(), global_id_.get()}; }
	SortedEntries sorted(const Group &group) {
		return {keys_.Current(), global_ids_.Current(), group.entries, runs_of(group.entries), leaves_from(group),
		        graph_->first_leaf, (u32)((1ull << graph_->shift) - 1)};
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
