// Rows with weights, for shortest paths: by rising weight. Duplicates stay: the lightest of them comes first, and a
// heavier one never helps.
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>

#include "kernel1/entries.cuh"

namespace g500 {

namespace {

constexpr int kWeightBits = 31; // of a weight that is not negative

// WeightedCollection is where the entries of a piece go: a key of row and weight, and a position.
struct WeightedCollection {
	Piece piece;
	u64 *keys;
	u32 *positions;
	ull *count;

	__device__ bool holds(u32 row) const { return row - piece.first < piece.last - piece.first; }
	__device__ void put(u64 slot, const Entry &entry) const {
		__stcs(&keys[slot], (u64)(entry.row - piece.first) << kWeightBits | entry.beside);
		__stcs(&positions[slot], entry.position);
	}
};

// SortedEntries are those of a piece by rising key.
struct SortedEntries {
	using Column = g500_weighted_col;
	using Columns = Column *;

	const u64 *keys;
	const u32 *positions;
	u64 entries, runs;
	u32 core;     // rows of the piece below this one are of the core, and have no leaves
	u32 leaves;   // hub ids from here on are leaves
	u32 hub_mask; // of a position

	__device__ u64 row(u64 i) const { return keys[i] >> kWeightBits; }
	__device__ Column column(u64 i) const {
		return {positions[i], __uint_as_float((u32)keys[i] & ((1u << kWeightBits) - 1))};
	}
	__device__ bool begins_row(u64 i) const { return i == 0 || row(i) != row(i - 1); }
	__device__ bool stays(u64 i) const {
		return i < entries && !(row(i) < core && (positions[i] & hub_mask) >= leaves);
	}
};

class WeightedRows : public RowFiller {
public:
	WeightedRows(Budget &budget, g500_graph *graph, cudaStream_t stream)
		: RowFiller(budget, graph, stream), key_(budget), spare_key_(budget), position_(budget),
		  spare_position_(budget) {}

	int collect(const Tuples &tuples) override { return collect_entries(tuples, graph_->hub_of, collection(), stream_); }
	int collect_told_weighted(const MessageList<WeightedMessage> &told) override {
		return collect_entries(told, graph_->hub_of, collection(), stream_);
	}

protected:
	u64 entry_bytes() const override { return 2 * (sizeof(u64) + sizeof(u32)); }

	int allocate_entries(u64 capacity) override {
		for (auto *keys : {&key_, &spare_key_})
			if (const int code = keys->take(capacity)) return code;
		for (auto *positions : {&position_, &spare_position_})
			if (const int code = positions->take(capacity)) return code;
		return cudaSuccess;
	}

	int measure_sort(u64 entries, size_t *bytes) override {
		cub::DoubleBuffer<u64> keys;
		cub::DoubleBuffer<u32> positions;
		return cub::DeviceRadixSort::SortPairs(nullptr, *bytes, keys, positions, entries, 0, 64, stream_);
	}

	int sort(size_t bytes) override {
		keys_ = cub::DoubleBuffer<u64>(key_.get(), spare_key_.get());
		positions_ = cub::DoubleBuffer<u32>(position_.get(), spare_position_.get());
		const Piece &piece = state_.piece;
		const int bits = kWeightBits + bits_for(piece.last - piece.first - 1);
		G500_LAUNCH_BY("sort_weighted_entries (CUB)",
		               cub::DeviceRadixSort::SortPairs(temp_.get(), bytes, keys_, positions_, piece.entries, 0, bits,
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
		return {state_.piece, key_.get(), position_.get(), &on_device_.get()->collected};
	}
	SortedEntries sorted() {
		const Piece &piece = state_.piece;
		const u32 core = std::clamp(graph_->core, piece.first, piece.last) - piece.first;
		const u32 mask = (u32)((1ull << graph_->shift) - 1);
		return {keys_.Current(), positions_.Current(), piece.entries, runs_of(piece.entries), core, graph_->core, mask};
	}

	Scratch<u64> key_, spare_key_;
	Scratch<u32> position_, spare_position_;
	cub::DoubleBuffer<u64> keys_;
	cub::DoubleBuffer<u32> positions_;
};

} // namespace

std::unique_ptr<RowFiller> make_weighted_rows(Budget &budget, g500_graph *graph, cudaStream_t stream) {
	return std::make_unique<WeightedRows>(budget, graph, stream);
}

} // namespace g500
