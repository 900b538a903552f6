// Rows with weights, for shortest paths: sorted by weight. Duplicates stay: the lightest one comes first, and heavier
// ones are never on a shortest path.
//
// A radix sort by all bits of row and weight takes twice as many passes as one by 32 bits. So a key has as many bits of
// the weight as the row leaves; few entries have the same key, and these are ordered afterwards.
#include <cub/device/device_radix_sort.cuh>

#include "kernel1/entries.cuh"

namespace g500 {

namespace {

#ifdef G500_EMULATED
constexpr int kKeyBits = 12;
#else
constexpr int kKeyBits = 32;
#endif
constexpr int kWeightBits = 31; // of a non-negative weight

// Returns the number of high bits of a weight in the keys of a group with that many rows.
__host__ __device__ inline int weight_bits(u32 rows) {
	const int left = kKeyBits - bits_for(rows - 1);
	return left < 0 ? 0 : left < kWeightBits ? left : kWeightBits;
}

// An edge is its weight's bits, then the neighbour's global id.
__device__ inline u32 weight_of(u64 edge) { return (u32)(edge >> 32); }
__device__ inline u32 global_id_of(u64 edge) { return (u32)edge; }

// WeightedCollection is the entries of a piece: a key of row and weight, and an edge.
struct WeightedCollection {
	Piece piece;
	u32 *keys;
	u64 *edges;

	__device__ void put(u64 slot, const Rows &rows, const Entry &entry) const {
		const int bits = weight_bits(rows.count);
		__stcs(&keys[slot], (entry.row - rows.first) << bits | entry.extra >> (kWeightBits - bits));
		__stcs(&edges[slot], (u64)entry.extra << 32 | entry.global_id);
	}
};

// SortedEntries is the entries of a group, sorted by key.
struct SortedEntries {
	using Col = g500_weighted_col;
	using Cols = Col *;

	const u32 *keys;
	const u64 *edges;
	u64 entries, runs;
	int weight_bits; // in a key
	u32 first_leaf;  // lower rows of the group are non-leaf vertices, without edges to leaves
	u32 leaves;      // local ids from here on are leaves
	u32 local_mask;  // of a global id

	__device__ u32 row(u64 i) const { return keys[i] >> weight_bits; }
	__device__ Col col(u64 i) const { return {global_id_of(edges[i]), __uint_as_float(weight_of(edges[i]))}; }
	__device__ bool begins_row(u64 i) const { return i == 0 || row(i) != row(i - 1); }
	__device__ bool stays(u64 i) const {
		return i < entries && !(row(i) < first_leaf && (global_id_of(edges[i]) & local_mask) >= leaves);
	}
};

// Orders edges with equal keys by weight, by insertion. That is quadratic in their number, which is high if a row is
// long and its group has many rows, so that keys have few bits of the weight.
// Map:    one thread per edge; the first one of a run orders it.
// Reads:  4 B per edge, 8 B per edge of a run. Writes: up to 8 B per edge of a run.
__global__ void order_equal_keys_kernel(const u32 *keys, u64 *edges, u64 entries) {
	const u64 first = (u64)blockIdx.x * kBlock + threadIdx.x;
	if (first >= entries || (first > 0 && keys[first] == keys[first - 1])) return;
	for (u64 i = first + 1; i < entries && keys[i] == keys[first]; i++) {
		const u64 edge = edges[i];
		u64 to = i;
		for (; to > first && weight_of(edges[to - 1]) > weight_of(edge); to--) edges[to] = edges[to - 1];
		edges[to] = edge;
	}
}

class WeightedRows : public RowFiller {
public:
	WeightedRows(Budget &budget, g500_graph *graph, cudaStream_t stream)
		: RowFiller(budget, graph, stream), key_(budget), spare_key_(budget), edge_(budget), spare_edge_(budget) {}

	int collect(const Tuples &tuples) override {
		return collect_entries(tuples, graph_->local_ids, on_device(), collection(), stream_);
	}
	int collect_received_weighted(const MessageList<WeightedMessage> &received) override {
		return collect_entries(received, graph_->local_ids, on_device(), collection(), stream_);
	}

protected:
	u64 entry_bytes() const override { return sizeof(u32) + sizeof(u64); }

	int allocate_spare(u64 entries) override {
		if (const int code = spare_key_.take(entries)) return code;
		return spare_edge_.take(entries);
	}
	int allocate_entries(u64 capacity) override {
		if (const int code = key_.take(capacity)) return code;
		return edge_.take(capacity);
	}

	int measure_sort(u64 entries, size_t *bytes) override {
		return cub::DeviceRadixSort::SortPairs(nullptr, *bytes, keys_, edges_, entries, 0, 32, stream_);
	}

	int sort(const Group &group, size_t bytes) override {
		keys_ = cub::DoubleBuffer<u32>(key_.get() + group.begin, spare_key_.get());
		edges_ = cub::DoubleBuffer<u64>(edge_.get() + group.begin, spare_edge_.get());
		const u32 rows = group.last - group.first;
		const int bits = weight_bits(rows) + bits_for(rows - 1);
		G500_LAUNCH_BY("sort_weighted_entries (CUB)",
		               cub::DeviceRadixSort::SortPairs(temp_.get(), bytes, keys_, edges_, group.entries, 0, bits,
		                                               stream_));
		const Launch by_edge{blocks_for(group.entries, kBlock), kBlock, stream_};
		G500_LAUNCH(order_equal_keys_kernel, by_edge, keys_.Current(), edges_.Current(), group.entries);
		return cudaSuccess;
	}

	int count_staying(const Group &group, u64 *counts) override {
		return count_staying_entries(sorted(group), counts, stream_);
	}

	int store_staying(const Group &group, const u64 *before) override {
		return store_rows(sorted(group), before, {graph_->rows + group.first, graph_->weighted_cols}, stream_);
	}

private:
	WeightedCollection collection() { return {state_.piece, key_.get(), edge_.get()}; }
	SortedEntries sorted(const Group &group) {
		return {keys_.Current(), edges_.Current(), group.entries, runs_of(group.entries),
		        weight_bits(group.last - group.first), leaves_from(group), graph_->first_leaf,
		        (u32)((1ull << graph_->shift) - 1)};
	}

	Scratch<u32> key_, spare_key_;
	Scratch<u64> edge_, spare_edge_;
	cub::DoubleBuffer<u32> keys_;
	cub::DoubleBuffer<u64> edges_;
};

} // namespace

std::unique_ptr<RowFiller> make_weighted_rows(Budget &budget, g500_graph *graph, cudaStream_t stream) {
	return std::make_unique<WeightedRows>(budget, graph, stream);
}

} // namespace g500
