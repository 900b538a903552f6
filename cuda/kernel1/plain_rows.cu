// Rows without weights: sorted by local id and rank, without duplicates.
#include <cub/device/device_radix_sort.cuh>

#include <type_traits>

#include "kernel1/entries.cuh"

namespace g500 {

namespace {

// KeyForm is the layout of a key: the row, the neighbour's local id, the neighbour's rank.
struct KeyForm {
	int local_bits, rank_bits;
	u32 first_leaf; // local ids from here on are leaves

	explicit KeyForm(const g500_graph &graph)
		: local_bits((int)graph.shift), rank_bits(graph.ranks > 1 ? bits_for(graph.ranks - 1) : 0),
		  first_leaf(graph.first_leaf) {}

	__device__ u64 key(u32 row, u64 local_id, u64 rank) const {
		return ((u64)row << local_bits | local_id) << rank_bits | rank;
	}
	__device__ u64 row(u64 key) const { return key >> local_bits >> rank_bits; }
	__device__ bool is_leaf(u64 key) const { return (key >> rank_bits & ((1ull << local_bits) - 1)) >= first_leaf; }
	__device__ u64 rank(u64 key) const { return key & ((1ull << rank_bits) - 1); }
	__device__ u64 local_id(u64 key) const { return key >> rank_bits & ((1ull << local_bits) - 1); }
};

// Ids32 and Ids64 are the formats of a graph's neighbours, and of an entry's other end (g500_global_ids).
struct Ids32 {
	using Col = u32;
	using Cols = u32 *;

	static Cols cols(const g500_graph &graph) { return graph.cols; }
	static __device__ u64 key(const KeyForm &form, u32 row, const Entry &entry) {
		return form.key(row, entry.global_id & ((1ull << form.local_bits) - 1), (u64)entry.global_id >> form.local_bits);
	}
	static __device__ Col col(const KeyForm &form, u64 key) {
		return (u32)(form.rank(key) << form.local_bits | form.local_id(key));
	}
};

struct Ids64 {
	struct Col {
		u32 local_id;
		u16 rank;
	};
	using Cols = g500_global_ids;

	static Cols cols(const g500_graph &graph) { return {graph.cols, graph.col_ranks}; }
	static __device__ u64 key(const KeyForm &form, u32 row, const Entry &entry) {
		return form.key(row, entry.global_id, entry.extra);
	}
	static __device__ Col col(const KeyForm &form, u64 key) { return {(u32)form.local_id(key), (u16)form.rank(key)}; }
};

__device__ inline void store_col(const g500_global_ids &cols, u64 slot, const Ids64::Col &col) {
	cols.words[slot] = col.local_id;
	cols.ranks[slot] = col.rank;
}

// KeyCollection is the keys of a piece, in device memory.
template <typename Form>
struct KeyCollection {
	Piece piece;
	KeyForm form;
	u64 *keys;

	__device__ void put(u64 slot, const Rows &rows, const Entry &entry) const {
		__stcs(&keys[slot], Form::key(form, entry.row - rows.first, entry));
	}
};

// SortedKeys is the sorted keys of a group, in runs, one per warp.
template <typename Form>
struct SortedKeys {
	using Cols = typename Form::Cols;

	const u64 *keys;
	u64 entries, runs;
	KeyForm form;
	u32 first_leaf; // lower rows of the group are non-leaf vertices, without edges to leaves (g500_graph)

	__device__ u64 row(u64 i) const { return form.row(keys[i]); }
	__device__ typename Form::Col col(u64 i) const { return Form::col(form, keys[i]); }
	__device__ bool begins_row(u64 i) const { return i == 0 || row(i) != row(i - 1); }

	// Returns whether a key is kept: neither a duplicate, nor a leaf in the row of a non-leaf vertex.
	__device__ bool stays(u64 i) const {
		return i < entries && (i == 0 || keys[i] != keys[i - 1]) && !(row(i) < first_leaf && form.is_leaf(keys[i]));
	}
};

// PlainRows are sorted as keys that contain the complete entry. The sort moves them between two arrays. With 64-bit ids
// the number of a piece's rows is limited by the bits of a key.
template <typename Form>
class PlainRows : public RowFiller {
public:
	PlainRows(Budget &budget, g500_graph *graph, cudaStream_t stream)
		: RowFiller(budget, graph, stream), form_(*graph), key_(budget), spare_(budget) {}

	int collect(const Tuples &tuples) override {
		return collect_entries(tuples, graph_->local_ids, on_device(), collection(), stream_);
	}
	int collect_received(const MessageList<u64> &received) override { return collect_from(received); }
	int collect_received64(const MessageList<Message64> &received) override { return collect_from(received); }

protected:
	u64 entry_bytes() const override { return sizeof(u64); }

	u32 most_rows() const override {
		const int bits = 64 - form_.local_bits - form_.rank_bits;
		return bits < 32 ? 1u << bits : ~0u;
	}

	int allocate_spare(u64 entries) override { return spare_.take(entries); }
	int allocate_entries(u64 capacity) override { return key_.take(capacity); }

	int measure_sort(u64 entries, size_t *bytes) override {
		cub::DoubleBuffer<u64> keys;
		return cub::DeviceRadixSort::SortKeys(nullptr, *bytes, keys, entries, 0, 64, stream_);
	}

	int sort(const Group &group, size_t bytes) override {
		keys_ = cub::DoubleBuffer<u64>(key_.get() + group.begin, spare_.get());
		const int bits = form_.rank_bits + form_.local_bits + bits_for(group.last - group.first - 1);
		G500_LAUNCH_BY("sort_entries (CUB)",
		               cub::DeviceRadixSort::SortKeys(temp_.get(), bytes, keys_, group.entries, 0, bits, stream_));
		return cudaSuccess;
	}

	int count_staying(const Group &group, u64 *counts) override {
		return count_staying_entries(sorted(group), counts, stream_);
	}

	int store_staying(const Group &group, const u64 *before) override {
		return store_rows(sorted(group), before, {graph_->rows + group.first, Form::cols(*graph_)}, stream_);
	}

private:
	template <typename Message>
	int collect_from(const MessageList<Message> &received) {
		constexpr bool has_ids64 = sizeof(Message) == sizeof(Message64);
		if constexpr (has_ids64 != std::is_same_v<Form, Ids64>) return cudaErrorInvalidValue;
		else return collect_entries(received, graph_->local_ids, on_device(), collection(), stream_);
	}
	KeyCollection<Form> collection() { return {state_.piece, form_, key_.get()}; }
	SortedKeys<Form> sorted(const Group &group) {
		return {keys_.Current(), group.entries, runs_of(group.entries), form_, leaves_from(group)};
	}

	const KeyForm form_;
	Scratch<u64> key_, spare_;
	cub::DoubleBuffer<u64> keys_;
};

} // namespace

std::unique_ptr<RowFiller> make_row_filler(bool weighted, Budget &budget, g500_graph *graph, cudaStream_t stream) {
	if (weighted) return make_weighted_rows(budget, graph, stream);
	if (graph->col_ranks) return std::make_unique<PlainRows<Ids64>>(budget, graph, stream);
	return std::make_unique<PlainRows<Ids32>>(budget, graph, stream);
}

} // namespace g500
