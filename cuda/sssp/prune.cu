// Pruning, step by step (prune.cuh): edges that stay; trees; the new order and rows.
#include "sssp/prune.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <vector>

#include "sssp/search.cuh"

namespace g500::sssp {

namespace {

constexpr u32 kAllLanes = 0xffffffff;

// Allocates an array of the graph, which g500_graph_free gives back: n elements, in whole pieces as kernel 1 does.
template <typename T>
int allocate(T **array, u64 n) {
	constexpr u64 kPiece = 2 << 20;
	const cudaError_t code = cudaMalloc(array, (n * sizeof(T) / kPiece + 1) * kPiece);
	if (code != cudaSuccess) cudaGetLastError(); // the next launch would report it once more
	return code;
}

__device__ inline u32 thread_number() { return blockIdx.x * kThreads + threadIdx.x; }
__device__ inline u32 warp_of_grid() { return thread_number() / 32; }

// Does something with each edge of a row that stays: act(place among those, column), by the lanes of a warp. Rows rise
// by weight: beyond the hub's distances of both ends none stays. Returns how many there are.
template <typename Act>
__device__ u32 for_kept(const Graph &g, const State &s, double margin, float farthest, u32 v, Act act) {
	const double own = distance_in(s.distance[v]);
	u32 kept = 0;
	for (u64 i = g.rows[v]; i < g.rows[v + 1]; i += 32) {
		const u64 at = i + lane_of_thread();
		const bool any = at < g.rows[v + 1];
		const Column c = any ? g.cols[at] : Column{v, 0};
		const bool near = any && !(c.weight > own + farthest + margin);
		const bool stays = near && !(c.weight > own + distance_in(s.distance[c.position]) + margin);
		const u32 staying = __ballot_sync(kAllLanes, stays);
		if (stays) act(kept + __popc(staying & lanes_below()), c);
		kept += __popc(staying);
		if (!__any_sync(kAllLanes, near)) break;
	}
	return kept;
}

// count_kept: the edges that stay of each row.
// Map:    one warp a vertex of the core. Reads: 8 B an edge and a sector of distances. Writes: 12 B a vertex.
__global__ void count_kept_kernel(Graph g, State s, double margin, float farthest, u64 *rows, u32 *degrees) {
	const u32 v = warp_of_grid();
	if (v >= g.core) return;
	const u32 kept = for_kept(g, s, margin, farthest, v, [](u32, const Column &) {});
	if (lane_of_thread() == 0) rows[v] = degrees[v] = kept;
}

// keep: the edges that stay, in rows of their own. The same again.
__global__ void keep_kernel(Graph g, State s, double margin, float farthest, Kept kept) {
	const u32 v = warp_of_grid();
	if (v >= g.core) return;
	Column *const to = kept.cols + kept.rows[v];
	for_kept(g, s, margin, farthest, v, [&](u32 place, const Column &c) { to[place] = c; });
}

// list_ends: the vertices of the core that have one edge.
// Map:    one thread a vertex of the core. Reads: 4 B a vertex. Writes: 8 B a vertex of them.
__global__ void list_ends_kernel(Stripped tree, u32 core, u32 *list, ull *length) {
	const u32 v = thread_number();
	if (v >= core || tree.degree[v] != 1) return;
	tree.listed[v] = 1;
	list[atomicAdd(length, 1)] = v;
}

// The edge of a vertex that has one left in a round: its neighbour was not stripped before.
__device__ inline Column last_edge(const Kept &kept, const Stripped &tree, u32 v, u32 round) {
	for (u64 i = kept.rows[v];; i++) {
		const u32 of = *(volatile u32 *)&tree.round[kept.cols[i].position];
		if (of == 0 || of == round) return kept.cols[i];
	}
}

// strip: takes the listed vertices off the core, and lists those that have one edge left then. Of two that have each
// other only, the one with the lower hub id stays.
// Map:    one thread a listed vertex. Reads: a row. Writes: 12 B a vertex.
// Races:  whether the neighbour is listed, too, was settled before. One thread sees its degree come to one.
__global__ void strip_kernel(Kept kept, Stripped tree, StripRound by) {
	const u32 i = by.begin + thread_number(), round = by.round;
	if (i >= by.end) return;
	const u32 v = by.list[i];
	if (*(volatile u32 *)&tree.degree[v] == 0) return; // its last neighbours were stripped together: it stays
	const Column edge = last_edge(kept, tree, v, round);
	if (tree.listed[edge.position] == round && edge.position > v) return;
	tree.above[v] = edge;
	tree.round[v] = round;
	if (atomicSub(&tree.degree[edge.position], 1) != 2) return;
	tree.listed[edge.position] = round + 1;
	by.list[atomicAdd(by.length, 1)] = edge.position;
}

// sink: the depth of the vertices that a round has stripped; what they hang on was stripped later, or stays.
// Map:    one thread a listed vertex. Reads: 20 B a vertex. Writes: 4 B.
__global__ void sink_kernel(Stripped tree, u32 round, u32 begin, u32 end, const u32 *list) {
	const u32 i = begin + thread_number();
	if (i < end && tree.round[list[i]] == round) tree.depth[list[i]] = tree.depth[tree.above[list[i]].position] + 1;
}

// hang_leaves: the depth of the leaves of the old graph. Of two that have each other the lower is a core of its own.
// Map:    one thread a leaf. Reads: 12 B a leaf. Writes: 12 B.
__global__ void hang_leaves_kernel(Graph g, Stripped tree) {
	const u32 v = g.core + thread_number();
	if (v >= g.hubs) return;
	const Column above = g.above(v);
	const bool pair = !g.is_in_core(above.position);
	tree.above[v] = above;
	tree.depth[v] = pair ? v > above.position : tree.depth[above.position] + 1;
}

// mark_inner: the vertices on which others hang.
// Map:    one thread a vertex. Reads: 4 B, of a vertex of a tree 12 B. Writes: 4 B a vertex of a tree, at random.
__global__ void mark_inner_kernel(Stripped tree, u32 hubs) {
	const u32 v = thread_number();
	if (v < hubs && tree.depth[v] > 0) tree.inner[tree.above[v].position] = 1;
}

// order_keys: by depth, then by old hub id; leaves of trees in the end, by label, as the result reads them.
__global__ void order_keys_kernel(Graph g, Stripped tree, u64 *keys) {
	const u32 v = thread_number();
	if (v >= g.hubs) return;
	const bool leaf = tree.depth[v] > 0 && !tree.inner[v];
	keys[v] = leaf ? (u64)kLeafDepth << 32 | g.labels[v] : (u64)tree.depth[v] << 32 | v;
}

// number: the new ids, and where each depth begins.
__global__ void number_kernel(Graph g, Renumbering by, u32 *begins) {
	const u32 v = thread_number();
	if (v >= g.hubs) return;
	if (by.depth(v) == kLeafDepth) by.order[v] = (u64)kLeafDepth << 32 | g.hub_of[by.old_id(v)]; // it was a label
	by.new_id[by.old_id(v)] = v;
	if (v == 0 || by.depth(v) != by.depth(v - 1)) begins[by.depth(v)] = v;
}

// Does something with each edge of a new row: act(place, column with the new id). Returns how many there are. Those of
// the core are its kept edges to the new core.
template <typename Act>
__device__ u32 for_new_row(const Graph &g, const Kept &kept, const Stripped &tree, const Renumbering &by, u32 v,
                           Act act) {
	const u32 old = by.old_id(v);
	if (by.depth(v) > 0) {
		if (lane_of_thread() == 0) act(0, Column{by.new_id[tree.above[old].position], tree.above[old].weight});
		return 1;
	}
	u32 length = 0;
	const u64 end = g.is_in_core(old) ? kept.rows[old + 1] : 0;
	for (u64 i = g.is_in_core(old) ? kept.rows[old] : 0; i < end; i += 32) {
		const u64 at = i + lane_of_thread();
		const Column c = at < end ? kept.cols[at] : Column{old, 0};
		const bool stays = at < end && tree.depth[c.position] == 0;
		const u32 staying = __ballot_sync(kAllLanes, stays);
		if (stays) act(length + __popc(staying & lanes_below()), Column{by.new_id[c.position], c.weight});
		length += __popc(staying);
	}
	return length;
}

// count_rows: the length of each new row. One warp a vertex.
__global__ void count_rows_kernel(Graph g, Kept kept, Stripped tree, Renumbering by, u64 *rows) {
	const u32 v = warp_of_grid();
	if (v >= g.hubs) return;
	const u32 length = for_new_row(g, kept, tree, by, v, [](u32, const Column &) {});
	if (lane_of_thread() == 0) rows[v] = length;
}

// store_rows: the new rows, and labels in the new order. One warp a vertex.
__global__ void store_new_rows_kernel(Graph g, Kept kept, Stripped tree, Renumbering by, g500_graph to) {
	const u32 v = warp_of_grid();
	if (v >= g.hubs) return;
	Column *const row = to.weighted_cols + to.rows[v];
	for_new_row(g, kept, tree, by, v, [&](u32 place, const Column &c) { row[place] = c; });
	if (lane_of_thread() != 0) return;
	const u32 label = g.labels[by.old_id(v)];
	to.labels[v] = label;
	to.hub_of[label] = v; // on one rank
}

// Pruner has what the steps share.
class Pruner {
public:
	Pruner(const Graph &g, const State &s, cudaStream_t stream) : g_(g), s_(s), stream_(stream) {}

	int keep(double margin, float farthest) {
		G500_TRY(kept_rows_.alloc(g_.core + 1));
		G500_TRY(degree_.alloc(g_.core));
		G500_TRY(cudaMemsetAsync(kept_rows_ + g_.core, 0, sizeof(u64), stream_));
		if (g_.core == 0) return cudaSuccess; // pairs of leaves
		G500_LAUNCH(count_kept_kernel, warps(g_.core), g_, s_, margin, farthest, kept_rows_, degree_);
		u64 total = 0;
		if (const int code = add_up(kept_rows_, g_.core, &total)) return code;
		G500_TRY(kept_cols_.alloc(total));
		G500_LAUNCH(keep_kernel, warps(g_.core), g_, s_, margin, farthest, kept());
		return cudaSuccess;
	}

	int strip() {
		for (auto *array : {&round_, &listed_, &depth_, &inner_}) {
			G500_TRY(array->alloc(g_.hubs));
			G500_TRY(cudaMemsetAsync(*array, 0, g_.hubs * sizeof(u32), stream_));
		}
		G500_TRY(above_.alloc(g_.hubs));
		G500_TRY(list_.alloc(2 * (u64)g_.core)); // a vertex is listed twice at most
		G500_TRY(length_.alloc(1));
		G500_TRY(cudaMemsetAsync(length_, 0, sizeof(ull), stream_));
		if (g_.core > 0) G500_LAUNCH(list_ends_kernel, threads(g_.core), stripped(), g_.core, list_, length_);
		std::vector<u32> bounds{0};
		for (u32 round = 1; round <= kStripRounds; round++) {
			ull length;
			G500_TRY(cudaMemcpyAsync(&length, length_, sizeof length, cudaMemcpyDeviceToHost, stream_));
			G500_TRY(cudaStreamSynchronize(stream_));
			const u32 begin = bounds.back(), end = (u32)length;
			if (begin == end) break;
			G500_LAUNCH(strip_kernel, threads(end - begin), kept(), stripped(),
			            StripRound{round, begin, end, list_, length_});
			bounds.push_back(end);
		}
		for (u32 round = (u32)bounds.size() - 1; round > 0; round--) {
			const u32 begin = bounds[round - 1], end = bounds[round];
			G500_LAUNCH(sink_kernel, threads(end - begin), stripped(), round, begin, end, list_);
		}
		if (g_.hubs > g_.core) G500_LAUNCH(hang_leaves_kernel, threads(g_.hubs - g_.core), g_, stripped());
		return cudaSuccess;
	}

	int renumber(u32 *begins, u32 depths) {
		Array<u64> keys, spare;
		G500_TRY(keys.alloc(g_.hubs));
		G500_TRY(spare.alloc(g_.hubs));
		G500_TRY(new_id_.alloc(g_.hubs));
		G500_LAUNCH(mark_inner_kernel, threads(g_.hubs), stripped(), g_.hubs);
		G500_LAUNCH(order_keys_kernel, threads(g_.hubs), g_, stripped(), keys);
		cub::DoubleBuffer<u64> sorted(keys.get(), spare.get());
		if (const int code = sort(sorted)) return code;
		G500_TRY(order_.alloc(g_.hubs));
		G500_TRY(cudaMemcpyAsync(order_, sorted.Current(), g_.hubs * sizeof(u64), cudaMemcpyDeviceToDevice, stream_));
		Array<u32> device_begins;
		G500_TRY(device_begins.alloc(depths));
		const Array<u32> &at = device_begins;
		G500_TRY(cudaMemsetAsync(at, 0xff, depths * sizeof(u32), stream_));
		G500_LAUNCH(number_kernel, threads(g_.hubs), g_, by(), at.get());
		G500_TRY(cudaMemcpyAsync(begins, at, depths * sizeof(u32), cudaMemcpyDeviceToHost, stream_));
		G500_TRY(cudaStreamSynchronize(stream_));
		return cudaSuccess;
	}

	// Makes the new graph in place of the old one.
	int store(g500_graph *graph) {
		u64 *rows;
		if (const int code = allocate(&rows, (u64)g_.hubs + 1)) return code;
		g500_graph made = *graph;
		made.rows = rows;
		made.weighted_cols = nullptr;
		made.labels = nullptr;
		int code = fill(made);
		if (!code) code = cudaStreamSynchronize(stream_);
		const g500_graph &old = code ? made : *graph;
		cudaFree(old.rows);
		cudaFree(old.weighted_cols);
		cudaFree(old.labels);
		if (!code) *graph = made;
		return code;
	}

private:
	int fill(g500_graph &made) {
		G500_TRY(cudaMemsetAsync(made.rows + g_.hubs, 0, sizeof(u64), stream_));
		G500_LAUNCH(count_rows_kernel, warps(g_.hubs), g_, kept(), stripped(), by(), made.rows);
		if (const int code = add_up(made.rows, g_.hubs, &made.edges)) return code;
		if (const int code = allocate(&made.weighted_cols, made.edges)) return code;
		if (const int code = allocate(&made.labels, g_.hubs)) return code;
		G500_LAUNCH(store_new_rows_kernel, warps(g_.hubs), g_, kept(), stripped(), by(), made);
		return cudaSuccess;
	}

	int sort(cub::DoubleBuffer<u64> &keys) {
		size_t bytes = 0;
		G500_TRY(cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys, g_.hubs, 0, 40, stream_));
		Array<char> temp;
		G500_TRY(temp.alloc(bytes));
		G500_TRY(cub::DeviceRadixSort::SortKeys(temp.get(), bytes, keys, g_.hubs, 0, 40, stream_));
		G500_TRY(cudaStreamSynchronize(stream_)); // before temp goes
		return cudaSuccess;
	}

	// Turns n lengths, and a 0 behind them, into their running sum.
	int add_up(u64 *lengths, u32 n, u64 *total) {
		size_t bytes = 0;
		G500_TRY(cub::DeviceScan::ExclusiveSum(nullptr, bytes, lengths, lengths, (int)n + 1, stream_));
		Array<char> temp;
		G500_TRY(temp.alloc(bytes));
		G500_TRY(cub::DeviceScan::ExclusiveSum(temp.get(), bytes, lengths, lengths, (int)n + 1, stream_));
		G500_TRY(cudaMemcpyAsync(total, lengths + n, sizeof *total, cudaMemcpyDeviceToHost, stream_));
		G500_TRY(cudaStreamSynchronize(stream_));
		return cudaSuccess;
	}

	Launch threads(u64 n) const { return {blocks_for(n, kThreads), kThreads, stream_}; }
	Launch warps(u64 n) const { return threads(32 * n); }
	Kept kept() const { return {kept_rows_, kept_cols_}; }
	Stripped stripped() const { return {degree_, round_, listed_, above_, depth_, inner_}; }
	Renumbering by() const { return {order_, new_id_}; }

	const Graph g_;
	const State s_;
	const cudaStream_t stream_;
	Array<u64> kept_rows_, order_;
	Array<Column> kept_cols_, above_;
	Array<u32> degree_, round_, listed_, depth_, inner_, list_, new_id_;
	Array<ull> length_;
};

} // namespace

} // namespace g500::sssp

extern "C" int g500_sssp_prune(const g500_sssp *search, double margin, float farthest, g500_graph *graph,
                               g500_tree_levels *levels, void *stream) {
	using namespace g500;
	using namespace g500::sssp;
	const g500::sssp::Graph &g = search->graph;
	*levels = {0, {g.core}};
	if (g.hubs == 0) return cudaSuccess;
	constexpr u32 kDepths = kLeafDepth + 1;
	std::vector<u32> begins(kDepths);
	Pruner pruner(g, search->state, (cudaStream_t)stream);
	int code = pruner.keep(margin, farthest);
	if (!code) code = pruner.strip();
	if (!code) code = pruner.renumber(begins.data(), kDepths);
	if (!code) code = pruner.store(graph);
	if (code) return code;
	for (u32 depth = 1; depth < kLeafDepth && begins[depth] != kNone; depth++)
		levels->begin[levels->levels++] = begins[depth];
	levels->begin[levels->levels] = std::min(begins[kLeafDepth], g.hubs); // kNone where nothing hangs
	graph->core = levels->begin[0];
	return cudaSuccess;
}
