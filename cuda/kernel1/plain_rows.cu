// Rows without weights: by rising position, without duplicates.
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <type_traits>

#include "kernel1/entries.cuh"

namespace g500 {

namespace {

// KeyForm says which bits of a key are what: the row, the column's hub id, the column's rank.
struct KeyForm {
	int local_bits, rank_bits;
	u32 first_leaf; // hub ids from here on are leaves

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

// Narrow and Wide are how a graph has its columns, and an entry the other end (g500_global_ids).
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

// KeyCollection is where the keys of a piece go, in device memory, and the number of those that are there.
template <typename Form>
struct KeyCollection {
	Piece piece;
	KeyForm form;
	u64 *keys;
	ull *count;

	__device__ bool holds(u32 row) const { return row - piece.first < piece.last - piece.first; }
	__device__ void put(u64 slot, const Entry &entry) const {
		__stcs(&keys[slot], Form::key(form, entry.row - piece.first, entry));
	}
};

// SortedKeys are the keys of a piece in rising order, in runs, of which a warp takes one.
template <typename Form>
struct SortedKeys {
	using Cols = typename Form::Cols;

	const u64 *keys;
	u64 entries, runs;
	KeyForm form;
	u32 first_leaf; // rows of the piece below this one are of the core, and have no leaves (g500_graph)

	__device__ u64 row(u64 i) const { return form.row(keys[i]); }
	__device__ typename Form::Col col(u64 i) const { return Form::col(form, keys[i]); }
	__device__ bool begins_row(u64 i) const { return i == 0 || row(i) != row(i - 1); }

	// Whether a key stays: a duplicate does not, nor a leaf in a row of the core.
	__device__ bool stays(u64 i) const {
		return i < entries && (i == 0 || keys[i] != keys[i - 1]) && !(row(i) < first_leaf && form.is_leaf(keys[i]));
	}
};

// PlainRows are sorted as keys that are all of an entry. There are two arrays of them: the sort moves them from one to
// the other and back. In a wide graph rows are counted from the first of a piece, which has no more than keys have bits
// for.
template <typename Form>
class PlainRows : public RowFiller {
public:
	PlainRows(Budget &budget, g500_graph *graph, cudaStream_t stream)
		: RowFiller(budget, graph, stream), form_(*graph), key_(budget), spare_(budget) {}

	int collect(const Tuples &tuples) override {
		return collect_entries(tuples, graph_->local_ids, collection(), stream_);
	}
	int collect_received(const MessageList<u64> &received) override { return collect_from(received); }
	int collect_received64(const MessageList<Message64> &received) override { return collect_from(received); }

protected:
	u64 entry_bytes() const override { return 2 * sizeof(u64); }

	u32 most_rows() const override {
		const int bits = 64 - form_.local_bits - form_.rank_bits;
		return bits < 32 ? 1u << bits : ~0u;
	}

	int allocate_entries(u64 capacity) override {
		if (const int code = key_.take(capacity)) return code;
		return spare_.take(capacity);
	}

	int measure_sort(u64 entries, size_t *bytes) override {
		cub::DoubleBuffer<u64> keys;
		return cub::DeviceRadixSort::SortKeys(nullptr, *bytes, keys, entries, 0, 64, stream_);
	}

	int sort(size_t bytes) override {
		keys_ = cub::DoubleBuffer<u64>(key_.get(), spare_.get());
		const u64 entries = state_.piece.entries;
		G500_LAUNCH_BY("sort_entries (CUB)",
		               cub::DeviceRadixSort::SortKeys(temp_.get(), bytes, keys_, entries, 0, key_bits(), stream_));
		return cudaSuccess;
	}

	int count_staying(u64 *counts) override { return count_staying_entries(sorted(), counts, stream_); }

	int store_staying(const u64 *before) override {
		u64 *const rows = graph_->rows + state_.piece.first;
		return store_rows(sorted(), before, {rows, graph_->edges, Form::cols(*graph_)}, stream_);
	}

private:
	template <typename Message>
	int collect_from(const MessageList<Message> &received) {
		constexpr bool has_ids64 = sizeof(Message) == sizeof(Message64);
		if constexpr (has_ids64 != std::is_same_v<Form, Ids64>) return cudaErrorInvalidValue;
		else return collect_entries(received, graph_->local_ids, collection(), stream_);
	}
	KeyCollection<Form> collection() { return {state_.piece, form_, key_.get(), &on_device_.get()->collected}; }
	int key_bits() const {
		return form_.rank_bits + form_.local_bits + bits_for(state_.piece.last - state_.piece.first - 1);
	}
	SortedKeys<Form> sorted() {
		const Piece &piece = state_.piece;
		const u32 first_leaf = std::clamp(graph_->first_leaf, piece.first, piece.last) - piece.first;
		return {keys_.Current(), piece.entries, runs_of(piece.entries), form_, first_leaf};
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
