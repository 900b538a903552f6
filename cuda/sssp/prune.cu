// SPDX-License-Identifier: Apache-2.0

// Pruning (ADR 19) removes edges that are on no shortest path from any root: those longer than the path through a hub.
// Most of the remaining graph is trees. They are stripped, and follow the non-tree subgraph in degree order. The steps:
// distances from a hub, for the margin; edges to keep; vertices to strip; the new order and rows.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "common/cub.cuh"
#include "kernel1/build.cuh"
#include "sssp/found.cuh"
#include "sssp/search.cuh"
#include "sssp/strip.cuh"

namespace g500::sssp {

namespace {

// Counts the kept edges of each row, or with kStores stores them in new rows. Rows are sorted by weight: no edge longer
// than the path through the hub is kept.
// Map:    one warp per vertex outside trees. Reads: 8 B and a sector of distances per edge. Writes: 12 B per vertex, or
//         8 B per kept edge.
template <bool kStores>
__global__ void keep_kernel(Graph g, State s, double margin, float farthest, Kept kept, u32 *degrees) {
	const u32 v = warp_number<kThreads>();
	if (v >= g.own_non_tree) return;
	Col *const to = kStores ? kept.cols + kept.rows[v] : nullptr;
	const double own = distance_in(s.distance[g.base + v]);
	u32 n = 0;
	for (u64 i = g.rows[v]; i < g.rows[v + 1]; i += 32) {
		const u64 at = i + lane_of_thread();
		const bool any = at < g.rows[v + 1];
		const Col c = any ? g.cols[at] : Col{v, 0};
		const bool near = any && !(c.weight > own + farthest + margin);
		const bool stays = near && !(c.weight > own + distance_in(s.distance[c.global_id]) + margin);
		const u32 place = append_in_warp(__ballot_sync(~0u, stays), n);
		if (kStores && stays) to[place] = c;
		if (!__any_sync(~0u, near)) break;
	}
	if (!kStores && lane_of_thread() == 0) kept.rows[v + 1] = degrees[v] = n;
}

// OrderKey sorts by depth first; leaves of trees have depth kLeafDepth or kOldLeafDepth. Vertices outside trees keep
// their order. Other vertices are sorted by the vertex above them, so that neighbours in the order read the same
// distances.
struct OrderKey {
	__device__ static u64 of(u32 depth, u32 second) { return (u64)depth << 32 | second; }
	__device__ static u32 depth(u64 key) { return (u32)(key >> 32); }
};
constexpr int kOrderKeyBits = 40;

// Computes the key of each vertex, by old id.
__global__ void order_keys_kernel(Graph g, Stripped tree, u64 *keys, u32 *ids) {
	const u32 v = thread_number<kThreads>();
	if (v >= g.non_isolated) return;
	const u32 depth = tree.depth[v];
	const bool leaf = depth > 0 && !tree.inner[v];
	keys[v] = OrderKey::of(leaf ? max(depth, kLeafDepth) : depth, depth > 0 ? tree.above[v].global_id : v);
	ids[v] = v;
}

// Stores the new ids, and the first new id of each depth.
__global__ void number_kernel(Graph g, Renumbering by, const u64 *keys, u32 *begins) {
	const u32 v = thread_number<kThreads>();
	if (v >= g.non_isolated) return;
	const u32 depth = OrderKey::depth(keys[v]);
	by.new_id[g.base + by.old_id[v]] = g.base + v;
	if (v == 0 || depth != OrderKey::depth(keys[v - 1])) begins[depth] = v;
}

// Stores the length of each new row; or with kStores the new rows, and labels in the new order. Rows outside trees have
// the kept edges to vertices outside trees. One warp per vertex.
template <bool kStores>
__global__ void new_rows_kernel(Graph g, Kept kept, Stripped tree, Renumbering by, g500_graph to) {
	const u32 v = warp_number<kThreads>();
	if (v >= g.non_isolated) return;
	const u32 old = by.old_id[v];
	const bool is_in_tree = v >= by.non_tree, had_row = !is_in_tree && old < g.own_non_tree;
	const u64 end = is_in_tree ? 1 : had_row ? kept.rows[old + 1] : 0;
	const Col *const from = is_in_tree ? tree.above + old : kept.cols;
	Col *const row = kStores ? to.weighted_cols + to.rows[v] : nullptr;
	u32 length = 0;
	for (u64 i = had_row ? kept.rows[old] : 0; i < end; i += 32) {
		const u64 at = i + lane_of_thread();
		Col c = at < end ? from[at] : Col{kNone, 0};
		if (at < end) c.global_id = by.new_id[c.global_id];
		const bool stays = at < end && (is_in_tree || g.local_id(c.global_id) < by.non_tree);
		const u32 place = append_in_warp(__ballot_sync(~0u, stays), length);
		if (kStores && stays) row[place] = c;
	}
	if (lane_of_thread() != 0) return;
	if constexpr (!kStores) {
		to.rows[v + 1] = length;
	} else {
		const u32 label = to.labels[v] = g.labels[g.base + old];
		to.local_ids[label / to.ranks] = v;
	}
}

// Survey is the result.
struct Survey {
	u32 farthest; // bits of the largest distance outside trees
	u32 hops;     // edges on the longest path of the hub's tree outside trees
	u32 changed;  // a depth has changed in the last step
};

// Stores the parents of the hub's tree, in place of the search's format.
// Map:    one thread per vertex outside trees. Reads: as write_result_kernel. Writes: 4 B per vertex.
__global__ void find_parents_kernel(Graph g, State s, Policy policy) {
	const u32 local_id = thread_number<kThreads>(), v = g.base + local_id;
	if (local_id >= g.own_non_tree) return;
	const NonTreeEntry entry(g, s, policy, v, true);
	s.parent[v] = entry.word == kInfinite ? kNone : entry.find_parent(g, s, v);
}

// Computes the depth of each vertex outside trees, of all ranks, whose parent has a depth. The hub is its own parent.
// Map:    one thread per global id. Reads: 16 B per vertex. Writes: 4 B per vertex, once.
// Races:  a depth is written once; a thread that reads it too early succeeds in a later step.
__global__ void deepen_kernel(Graph g, State s, u64 places, u32 *depths, Survey *survey) {
	const u32 v = thread_number<kThreads>();
	if (v >= places || !g.is_outside_trees(v) || depths[v] != kNone) return;
	const u32 word = s.distance[v] & ~kFinal, parent = s.parent[v];
	if (word == kInfinite || parent == kNone) return;
	const u32 above = parent == v ? 0 : *(volatile u32 *)&depths[parent];
	if (above == kNone) return;
	const u32 depth = parent == v ? 0 : above + 1;
	depths[v] = depth;
	atomicMax(&survey->hops, depth);
	atomicMax(&survey->farthest, word);
	survey->changed = 1;
}

// Pruner holds the data of all steps. On several ranks each step leaves words of this rank's part for the others.
class Pruner {
public:
	Pruner(const PathsMemory &search, cudaStream_t stream)
		: g_(search.graph), s_(search.state), ranks_(search.ranks.count), places_(search.places()), stream_(stream) {}

	int keep(double margin, float farthest) {
		G500_TRY(held_.alloc_zeroed(stream_, g_.non_isolated, tree_.degree, tree_.round, tree_.listed, tree_.depth,
		                            tree_.inner));
		G500_TRY(held_.alloc(g_.non_isolated, tree_.above));
		G500_TRY(held_.alloc_zeroed(stream_, (u64)g_.own_non_tree + 1, kept_.rows));
		const Launch a_warp_each = warps(g_.own_non_tree);
		const auto counts = keep_kernel<false>, stores = keep_kernel<true>;
		G500_LAUNCH_BY("count_kept_kernel", launch(counts, a_warp_each, g_, s_, margin, farthest, kept_, tree_.degree));
		u64 total = 0;
		G500_TRY(add_up(kept_.rows, g_.own_non_tree, &total));
		G500_TRY(held_.alloc(total, kept_.cols));
		G500_LAUNCH_BY("keep_kernel", launch(stores, a_warp_each, g_, s_, margin, farthest, kept_, nullptr));
		if (ranks_ > 1) G500_LAUNCH(lay_out_leaves_kernel, threads((u64)g_.mask + 1), g_, words());
		return cudaStreamSynchronize(stream_);
	}

	int order(u32 *non_tree) {
		*non_tree = 0;
		G500_TRY(ranks_ == 1 ? strip() : strip_ends(g_, kept_, tree_, places_, words(), stream_));
		std::fill(begins_, begins_ + kDepths, kNone);
		const int code = g_.non_isolated > 0 ? renumber() : cudaSuccess;
		*non_tree = std::min({begins_[1], begins_[kLeafDepth], begins_[kOldLeafDepth], g_.non_isolated});
		return code;
	}

	// Replaces the old graph by the new one.
	int store(u32 non_tree, g500_graph *graph, g500_tree_levels *levels) {
		u64 *rows;
		if (const int code = allocate(&rows, (u64)g_.non_isolated + 1)) return code;
		g500_graph made = *graph;
		made.first_leaf = non_tree;
		made.rows = rows;
		made.weighted_cols = nullptr;
		made.labels = nullptr;
		int code = fill(made);
		if (!code) code = cudaStreamSynchronize(stream_);
		const g500_graph &old = code ? made : *graph;
		cudaFree(old.rows);
		cudaFree(old.weighted_cols);
		cudaFree(old.labels);
		if (code) return code;
		*graph = made;
		fill_levels(levels);
		return cudaSuccess;
	}

private:
	int strip() {
		G500_TRY(held_.alloc(g_.non_isolated, new_id_));
		return g_.non_isolated > 0 ? strip_trees(g_, kept_, tree_, stream_) : cudaSuccess;
	}

	int renumber() {
		Array<u64> first_keys, spare_keys;
		Array<u32> spare_ids, device_begins;
		G500_TRY(first_keys.alloc(g_.non_isolated));
		G500_TRY(spare_keys.alloc(g_.non_isolated));
		G500_TRY(held_.alloc(g_.non_isolated, old_id_));
		G500_TRY(spare_ids.alloc(g_.non_isolated));
		Buffers<u64> keys{first_keys.get(), spare_keys.get()};
		Buffers<u32> ids{spare_ids.get(), old_id_};
		G500_LAUNCH(order_keys_kernel, threads(g_.non_isolated), g_, tree_, keys.now, ids.now);
		G500_TRY(with_memory(Array<char>(), "sort_by_depth (CUB)", stream_, [&](void *memory, size_t &bytes) {
			return sort_arrays(memory, bytes, {g_.non_isolated, 0, kOrderKeyBits}, stream_, keys, ids);
		}));
		if (ids.now != old_id_)
			G500_TRY(cudaMemcpyAsync(old_id_, ids.now, g_.non_isolated * sizeof(u32), cudaMemcpyDeviceToDevice, stream_));
		G500_TRY(device_begins.alloc(kDepths));
		G500_TRY(cudaMemsetAsync(device_begins, 0xff, sizeof begins_, stream_));
		G500_LAUNCH(number_kernel, threads(g_.non_isolated), g_, by(0), keys.now, device_begins.get());
		return read_back(begins_, device_begins, sizeof begins_, stream_);
	}

	int fill(g500_graph &made) {
		G500_TRY(cudaMemsetAsync(made.rows, 0, sizeof(u64), stream_));
		const Launch a_warp_each = warps(g_.non_isolated);
		const Renumbering ids = by(made.first_leaf);
		G500_LAUNCH_BY("count_rows_kernel", launch(new_rows_kernel<false>, a_warp_each, g_, kept_, tree_, ids, made));
		G500_TRY(add_up(made.rows, g_.non_isolated, &made.edges));
		G500_TRY(allocate(&made.weighted_cols, made.edges));
		G500_TRY(allocate(&made.labels, g_.non_isolated));
		return G500_START_BY("store_new_rows_kernel",
		                     launch(new_rows_kernel<true>, a_warp_each, g_, kept_, tree_, ids, made));
	}

	// Stores the levels of inner vertices of trees; none on several ranks.
	void fill_levels(g500_tree_levels *levels) const {
		*levels = {0, {std::min(begins_[1], g_.non_isolated)}}; // begins_[1] may be kNone
		for (u32 depth = 1; depth < kLeafDepth && begins_[depth] != kNone; depth++)
			levels->begin[levels->levels++] = begins_[depth];
		levels->begin[levels->levels] = std::min({begins_[kLeafDepth], begins_[kOldLeafDepth], g_.non_isolated});
	}

	// Replaces n lengths after a 0 by their prefix sums.
	int add_up(u64 *lengths, u32 n, u64 *total) {
		G500_TRY(with_memory(Array<char>(), "sum_lengths (CUB)", stream_, [&](void *memory, size_t &bytes) {
			return sum_up(memory, bytes, lengths, n + 1, stream_);
		}));
		return read_back(total, lengths + n, sizeof *total, stream_);
	}

	Launch threads(u64 n) const { return thread_for(n, stream_); }
	Launch warps(u64 n) const { return threads(32 * n); }
	Renumbering by(u32 non_tree) const { return {old_id_, words(), non_tree}; }
	// By global id: on several ranks the array of parents, which no search needs any more.
	u32 *words() const { return ranks_ == 1 ? new_id_ : s_.parent; }

	const Graph g_;
	const State s_;
	const u32 ranks_;
	const u64 places_; // number of global ids of all ranks
	const cudaStream_t stream_;
	u32 begins_[kDepths]; // first new id of each depth, or kNone
	Arrays held_;
	Kept kept_{};
	Stripped tree_{};
	u32 *old_id_ = nullptr, *new_id_ = nullptr;
};

} // namespace

} // namespace g500::sssp

using namespace g500;
using namespace g500::sssp;

struct g500_pruning : Pruner {
	using Pruner::Pruner;
};

static const PathsMemory &of(g500_searching *search) { return static_cast<PathsMemory &>(*search); }

int g500_pruning_create(g500_searching *search, double margin, float farthest, g500_pruning **out, void *stream) {
	*out = nullptr;
	std::unique_ptr<g500_pruning> made(new (std::nothrow) g500_pruning(of(search), (cudaStream_t)stream));
	if (!made) return cudaErrorMemoryAllocation;
	G500_TRY(made->keep(margin, farthest));
	*out = made.release();
	return cudaSuccess;
}

void g500_pruning_free(g500_pruning *pruning) { delete pruning; }

int g500_pruning_order(g500_pruning *pruning, uint32_t *non_tree) { return pruning->order(non_tree); }

int g500_pruning_store(g500_pruning *pruning, uint32_t non_tree, g500_graph *graph, g500_tree_levels *levels) {
	return pruning->store(non_tree, graph, levels);
}

int g500_sssp_write_parents(g500_searching *search, void *stream) {
	const PathsMemory &s = of(search);
	const cudaStream_t on = (cudaStream_t)stream;
	G500_LAUNCH(find_parents_kernel, thread_for(s.graph.own_non_tree, on), s.graph, s.state, s.policy);
	return cudaStreamSynchronize(on);
}

int g500_sssp_survey(g500_searching *search, float *farthest, uint32_t *hops, void *on) {
	const PathsMemory &s = of(search);
	const cudaStream_t stream = (cudaStream_t)on;
	const u64 places = s.places();
	Array<u32> depths;
	Array<Survey> on_device;
	Survey found;
	*farthest = 0;
	*hops = 0;
	if (s.graph.non_tree == 0) return cudaSuccess;
	G500_TRY(depths.alloc(places));
	G500_TRY(cudaMemsetAsync(depths, 0xff, places * sizeof(u32), stream));
	G500_TRY(on_device.alloc_zeroed(1, stream));
	do {
		G500_TRY(cudaMemsetAsync(&on_device.get()->changed, 0, sizeof(u32), stream));
		G500_LAUNCH(deepen_kernel, thread_for(places, stream), s.graph, s.state, places, depths.get(), on_device.get());
		G500_TRY(read_back(&found, on_device, sizeof found, stream));
	} while (found.changed);
	std::memcpy(farthest, &found.farthest, sizeof *farthest);
	*farthest += s.graph.heaviest; // a leaf may be farther
	*hops = found.hops + 1;
	return cudaSuccess;
}
