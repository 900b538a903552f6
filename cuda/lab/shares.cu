// SPDX-License-Identifier: Apache-2.0

// A graph on several GPUs (Merrill, Garland, Grimshaw, PPoPP 2012, section 6). Vertices are striped: share v mod shares
// has vertex v, as its vertex v / shares. A share is a g500_lab with the rows and the labels of its vertices. It also
// has a mask of all vertices, which marks the vertices that it has seen itself. In a level a share
//
//   1. pulls: contracts its bins on all shares into its queue of vertices,
//   2. expands this queue into a queue of edges,
//   3. filters the edges by mask and culls, and sorts them into a bin per owner, in three kernels,
//   4. and waits for the others. The search ends when all bins are empty.
//
// The root is the first edge in the bin of its owner for itself. Shares are distributed over the GPUs that can access
// each other's memory.
#include "lab/shares.cuh"

namespace g500::lab {

// Owners has the arguments of the kernels that sort into bins. A warp has a place in each bin.
struct Owners {
	u32 shares, own;   // number of shares, and of this share
	ull *counts;       // edges in each bin
	const ull *begins; // of the bins
	ull *offsets;      // of the edges of each warp in each bin
};

namespace {

// Returns the number of edges in a queue, 0 if the queue was full; the host checks for this case.
__device__ inline u64 written(const Queue &edges) { return *edges.queued <= edges.capacity ? *edges.queued : 0; }

// Calls act(owner, lanes) for each owner of a vertex in the warp, all lanes together. to is kNone in a lane without
// one.
template <typename Act>
__device__ inline void for_owners(u32 to, u32 shares, Act act) {
	const u32 own = to == kNone ? kNone : to % shares;
	for (u32 owner = 0; owner < shares; owner++) {
		const u32 lanes = __ballot_sync(~0u, own == owner);
		if (lanes) act(owner, lanes);
	}
}

__device__ inline ull &offset_of_lane(const Owners &owners) {
	return owners.offsets[(blockIdx.x * kWarps + threadIdx.x / 32) * owners.shares + lane_of_thread()];
}

// The first of three kernels: filters edges, replaces duplicates by kNone, and counts the others by owner. Lane i of a
// warp counts for owner i; the atomic that adds its count returns its place in the bin. Reads 4 B of the queue and a
// byte of the mask per edge; writes 4 B per duplicate, 8 B per warp and share. Races: filter.cuh.
__global__ void __launch_bounds__(kThreads) filter_kernel(Level k, Queue edges, Owners owners) {
	G500_SHARED_MEMORY(memory);
	ExpandShared &sh = *reinterpret_cast<ExpandShared *>(memory);
	Filter filter(k, sh.filter, history_of(sh));
	ull count = 0;
	for_tiles(written(edges), [&](u64 i, bool has) {
		const u32 to = has ? edges.vertices[i] : kNone;
		const bool fresh = filter.passes_unlabelled(to);
		if (has && !fresh) edges.vertices[i] = kNone;
		for_owners(fresh ? to : kNone, owners.shares, [&](u32 owner, u32 lanes) {
			if (lane_of_thread() == owner) count += __popc(lanes);
		});
	});
	if (lane_of_thread() < owners.shares) {
		offset_of_lane(owners) = atomicAdd(owners.counts + lane_of_thread(), count);
	}
}

// The third kernel, after the prefix sum of the counts: writes edges to their bins, ends by the numbers of the owner,
// starts by global numbers. It has the same blocks as the first. Reads 4 B of the queue per edge, writes 4 B per
// remaining edge; both 8 B with parents. No races: every edge has its own place.
__global__ void __launch_bounds__(kThreads) scatter_kernel(Queue edges, Queue bins, Owners owners) {
	const u32 lane = lane_of_thread();
	u64 next = lane < owners.shares ? owners.begins[lane] + offset_of_lane(owners) : 0;
	for_tiles(written(edges), [&](u64 i, bool has) {
		const u32 to = has ? edges.vertices[i] : kNone;
		for_owners(to, owners.shares, [&](u32 owner, u32 lanes) {
			const u64 at = __shfl_sync(~0u, next, owner) + __popc(lanes & lanes_below());
			if (lane == owner) next += __popc(lanes);
			if (!(lanes >> lane & 1)) return;
			bins.vertices[at] = to / owners.shares;
			if (bins.parents) bins.parents[at] = edges.parents[i] * owners.shares + owners.own;
		});
	});
}

// Copies the labels of a share, which may be on another GPU, to the labels of all. Reads and writes 4 B per vertex.
__global__ void __launch_bounds__(kThreads) join_kernel(const u32 *labels, u64 n, u32 *all, u32 own, u32 shares) {
	for_tiles(n, [&](u64 i, bool has) {
		if (has) all[i * shares + own] = labels[i];
	});
}

// Gives a share the memory for searches with the strategy of all shares.
int prepare_share(Share &share, const g500_lab *all, u32 shares) {
	g500_lab_strategy own = all->strategy;
	own.shape = kTwoPhase, own.gpus = 1;
	if (own.lookup == kMask) own.lookup = kLabel; // bins are filtered by labels only: its own mask has let them pass
	const OnDevice here((int)share.figures.device);
	g500_lab *const lab = share.lab.get();
	if (const int code = g500_lab_prepare(lab, &own, share.stream)) return code;
	Memory &m = lab->memory;
	if (all->strategy.lookup == kMask) G500_TRY(m.take_mask(all->g.n));
	G500_TRY(m.take(m.edges[1], lab->edge_capacity()));
	if (own.output == kParent) G500_TRY(m.take(m.edge_parents[1], lab->edge_capacity()));
	g500_bins *bins = nullptr;
	if (const int code = g500_bins_create(shares, &bins, share.stream)) return code;
	share.bins.reset(bins);
	return share.offsets.alloc((u64)lab->resident * kWarps * shares);
}

// Step 1. Bins on other GPUs are read in place. An event marks the end of reading.
int pull(Shares &shares, u32 own, u32 depth) {
	Share &share = *shares.of[own];
	const OnDevice here((int)share.figures.device);
	g500_lab *const lab = share.lab.get();
	lab->begin_level();
	const Memory &m = lab->memory;
	const Queue found = {m.vertices[0], nullptr, lab->vertex_capacity(), lab->counters.get()->queued + 1};
	for (const auto &from : shares.of) {
		const u64 n = from->filled[own], begin = from->binned(own);
		const u32 *const parents = from->lab->memory.edge_parents[1];
		if (n == 0) continue;
		const Frontier bin = {from->lab->memory.edges[1] + begin, parents ? parents + begin : nullptr, n, nullptr};
		if (const int code = contract(lab, depth, bin, found)) return code;
		if (from.get() != &share) share.figures.pulled += n * sizeof(u32) * (parents ? 2 : 1);
	}
	return cudaEventRecord(share.done, share.stream);
}

// Steps 2 and 3. Bins are written after all shares have read them.
int fill_bins(Shares &shares, u32 own, u32 depth) {
	Share &share = *shares.of[own];
	const OnDevice here((int)share.figures.device);
	g500_lab *const lab = share.lab.get();
	const Memory &m = lab->memory;
	ull *const queued = lab->counters.get()->queued, *const counts = share.bins->counts;
	const Frontier found = {m.vertices[0], nullptr, lab->vertex_capacity(), queued + 1};
	const Queue edges = {m.edges[0], m.edge_parents[0], lab->edge_capacity(), queued};
	if (const int code = expand(lab, depth, found, edges)) return code;
	const Owners owners = {shares.count(), own, counts, share.bins->next, share.offsets};
	const Launch how = lab->over(edges.capacity);
	const size_t bytes = shares.count() * sizeof(ull);
	G500_TRY(cudaMemsetAsync(counts, 0, bytes, share.stream));
	LAB_LAUNCH(lab, "filter_kernel", filter_kernel, how, lab->level(depth), edges, owners);
	lab->search.level_launches++;
	if (const int code = place_bins(share.bins.get())) return code;
	for (const auto &other : shares.of) G500_TRY(cudaStreamWaitEvent(share.stream, other->done, 0));
	const Queue bins = {m.edges[1], m.edge_parents[1], edges.capacity, nullptr};
	LAB_LAUNCH(lab, "scatter_kernel", scatter_kernel, how, edges, bins, owners);
	return cudaMemcpyAsync(share.filled, counts, bytes, cudaMemcpyDeviceToHost, share.stream);
}

// Step 4. Adds the figures of all shares to a level; left is the number of edges in all bins.
int end_level(g500_lab *all, g500_lab_level &level, u64 &left) {
	left = 0;
	for (const auto &share : all->shares->of) {
		const OnDevice here((int)share->figures.device);
		g500_lab *const lab = share->lab.get();
		if (const int code = lab->end_level(0, false)) return code;
		const g500_lab_level &own = lab->search.levels.back();
		const u64 binned = share->binned(all->shares->count());
		if (lab->seen->queued[0] > lab->edge_capacity() || lab->seen->queued[1] > lab->vertex_capacity())
			all->search.outcome = G500_LAB_QUEUE_FULL;
		g500_lab_share &sum = share->figures;
		sum.vertices += own.vertices, sum.edges += own.edges, sum.filtered += own.edges - binned;
		level.vertices += own.vertices, level.edges += own.edges, level.launches += own.launches, left += binned;
	}
	return cudaSuccess;
}

} // namespace

int Share::make_lab(const Rows &rows, bool symmetric, u32 shares) {
	const OnDevice here((int)figures.device);
	G500_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	G500_TRY(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
	G500_TRY(filled.alloc(shares));
	const g500_lab_graph graph = {(u32)rows.offsets.size() - 1, rows.columns.size(), rows.offsets.data(),
		rows.columns.data(), symmetric};
	g500_lab *made = nullptr;
	if (const int code = g500_lab_create(&graph, &made, stream)) return code;
	lab.reset(made);
	return cudaSuccess;
}

void Share::release() {
	const OnDevice here((int)figures.device);
	lab->release();
	bins.reset();
	offsets.free(), bits.free();
}

int fetch_rows(const Adjacency &g, cudaStream_t stream, Rows &rows) {
	rows = {std::vector<u64>(g.n + 1ull), std::vector<u32>(g.m)};
	const size_t offset_bytes = rows.offsets.size() * sizeof(u64), column_bytes = g.m * sizeof(u32);
	G500_TRY(cudaMemcpyAsync(rows.offsets.data(), g.rows, offset_bytes, cudaMemcpyDeviceToHost, stream));
	return read_back(rows.columns.data(), g.cols, column_bytes, stream);
}

int allocate_shares(g500_lab *lab) {
	const auto stripe = [](const Rows &rows, u32 i, u32 count) { return rows.stripe(i, count); };
	if (const int code = divide(lab, stripe)) return code;
	for (const auto &share : lab->shares->of) {
		if (const int code = prepare_share(*share, lab, lab->shares->count())) return code;
		lab->memory.bytes += share->lab->memory.bytes;
	}
	return cudaSuccess;
}

void release_shares(g500_lab *lab) {
	if (!lab->shares) return;
	for (const auto &share : lab->shares->of) share->release();
	lab->shares.reset();
}

int start_shares(g500_lab *lab, u32 root) {
	const u32 count = lab->shares->count(), owner = root % count, place = root / count;
	for (u32 i = 0; i < count; i++) {
		Share &share = *lab->shares->of[i];
		const OnDevice here((int)share.figures.device);
		const Memory &m = share.lab->memory;
		share.figures = {share.figures.device};
		share.lab->search = {share.stream};
		if (const int code = share.lab->clear()) return code;
		std::fill_n((ull *)share.filled, count, 0);
		if (i != owner) continue;
		share.filled[i] = 1;
		G500_TRY(cudaMemcpyAsync(m.edges[1], &place, sizeof place, cudaMemcpyHostToDevice, share.stream));
		if (!m.edge_parents[1]) continue;
		G500_TRY(cudaMemcpyAsync(m.edge_parents[1], &root, sizeof root, cudaMemcpyHostToDevice, share.stream));
	}
	return cudaSuccess;
}

int search_by_shares(g500_lab *lab) {
	Shares &shares = *lab->shares;
	Search &search = lab->search;
	u64 left = 1;
	for (u32 depth = 0; left && search.outcome == G500_LAB_DONE; depth++) {
		search.level_began = std::chrono::steady_clock::now();
		for (const auto step : {pull, fill_bins})
			for (u32 i = 0; i < shares.count(); i++)
				if (const int code = step(shares, i, depth)) return code;
		g500_lab_level level{};
		if (const int code = end_level(lab, level, left)) return code;
		const auto took = std::chrono::steady_clock::now() - search.level_began;
		level.nanoseconds = (u64)std::chrono::nanoseconds(took).count();
		search.levels.push_back(level);
		search.launches += level.launches;
	}
	return cudaSuccess;
}

int join_shares(g500_lab *lab) {
	u32 *const all = lab->distance ? lab->distance.get() : lab->parent.get();
	const u32 count = lab->shares->count();
	for (u32 i = 0; i < count; i++) {
		const g500_lab &own = *lab->shares->of[i]->lab;
		const u32 *const labels = own.distance ? own.distance.get() : own.parent.get();
		G500_LAUNCH(join_kernel, lab->over_all(), labels, own.g.n, all, i, count);
	}
	return cudaSuccess;
}

} // namespace g500::lab

extern "C" int g500_lab_shares(const g500_lab *lab, g500_lab_share *shares, int max) {
	if (!lab->shares) return 0;
	const int n = std::min((int)lab->shares->count(), max);
	for (int i = 0; i < n; i++) shares[i] = lab->shares->of[i]->figures;
	return n;
}
