#include "search/leaf_queries.cuh"

#include "search/ids64.cuh"

namespace g500 {

namespace {

constexpr int kLeafThreads = 256;

// Calls act with the global id of a leaf's neighbour if this rank has to query it. Neighbours that are leaves
// themselves are not queried. One thread per leaf.
template <typename Form, typename Act>
__device__ inline void for_queried_neighbour(const Graph &g, const Ranks &ranks, Act act) {
	const u32 leaf = g.non_leaf + thread_number<kLeafThreads>();
	if (leaf >= g.with_leaves) return;
	const auto global_id = load_global_id(neighbours<Form>(g) + g.rows[leaf]);
	const bool replicated = local_id_in(ranks, global_id) < ranks.replicated_hubs;
	if (!replicated && !g.is_leaf(global_id) && gets_messages(ranks, rank_of_id(ranks, global_id))) act(global_id);
}

// Marks the vertices to query and counts them by rank.
template <typename Form>
__global__ void __launch_bounds__(kLeafThreads)
count_leaf_queries(const __grid_constant__ Graph g, const __grid_constant__ Ranks ranks, u32 *marks, ull *counts) {
	for_queried_neighbour<Form>(g, ranks, [&](auto global_id) {
		const u32 bit = 1u << bit_of(global_id);
		if (atomicOr(marks + word_of(global_id), bit) & bit) return;
		atomicAdd(counts + rank_of_id(ranks, global_id), 1);
	});
}

// Lists the marked vertices and clears the marks.
template <typename Form>
__global__ void __launch_bounds__(kLeafThreads)
list_leaf_queries(const __grid_constant__ Graph g, const __grid_constant__ Ranks ranks, u32 *marks, ull *left) {
	for_queried_neighbour<Form>(g, ranks, [&](auto global_id) {
		const u32 bit = 1u << bit_of(global_id), r = rank_of_id(ranks, global_id);
		if (!(atomicAnd(marks + word_of(global_id), ~bit) & bit)) return;
		u32 *list = (u32 *)(ranks.query.of_leaves.words + ranks.query.of_leaves.begin[r]);
		list[atomicAdd(left + r, ~0ull) - 1] = local_id_in(ranks, global_id);
	});
}

// Returns the index of each rank's first word, and the number of all words.
std::vector<u64> starts_of(const u64 *counts, u32 ranks) {
	std::vector<u64> starts(ranks + 1);
	for (u32 r = 0; r < ranks; r++) starts[r + 1] = starts[r] + counts[r];
	return starts;
}

} // namespace

// Copies words from host memory; null fills the table with kNone.
int LeafQueries::Table::fill(const std::vector<u64> &starts, const u64 *from, QueryTable &view,
                               cudaStream_t stream) {
	const u64 bytes = starts.back() * sizeof(u64);
	G500_TRY(words.alloc(starts.back()));
	G500_TRY(begin.alloc(starts.size()));
	if (from) G500_TRY(cudaMemcpyAsync(words, from, bytes, cudaMemcpyHostToDevice, stream));
	else G500_TRY(cudaMemsetAsync(words, 0xff, bytes, stream));
	G500_TRY(cudaMemcpyAsync(begin, starts.data(), starts.size() * sizeof(u64), cudaMemcpyHostToDevice, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	view = {words, begin};
	return cudaSuccess;
}

int LeafQueries::find(const Graph &g, Ranks &ranks, u32 *marks, u64 *counts, cudaStream_t stream) {
	const u32 n = ranks.count, leaves = g.with_leaves - g.non_leaf;
	const Launch by_leaf{blocks_for(leaves, kLeafThreads), kLeafThreads, stream};
	const u64 bytes = n * sizeof(u64);
	Array<ull> by_rank;
	G500_TRY(by_rank.alloc_zeroed(n, stream));
	const auto count = g.col_ranks ? count_leaf_queries<Ids64> : count_leaf_queries<ManyRanks>;
	const auto list = g.col_ranks ? list_leaf_queries<Ids64> : list_leaf_queries<ManyRanks>;
	if (leaves) G500_LAUNCH(count, by_leaf, g, ranks, marks, by_rank.get());
	G500_TRY(read_back(counts, by_rank, bytes, stream));
	for (u32 r = 0; r < n; r++) counts[r] = (counts[r] + 1) / 2;
	if (const int code = own.fill(starts_of(counts, n), nullptr, ranks.query.of_leaves, stream)) return code;
	if (leaves) G500_LAUNCH(list, by_leaf, g, ranks, marks, by_rank.get());
	return cudaStreamSynchronize(stream);
}

int LeafQueries::take(const u64 *counts, const u64 *words, Ranks &ranks, cudaStream_t stream) {
	return of_others.fill(starts_of(counts, ranks.count), words, ranks.query.for_leaves, stream);
}

} // namespace g500
