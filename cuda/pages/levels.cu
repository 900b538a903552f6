// SPDX-License-Identifier: Apache-2.0

// Levels of a breadth-first search that follow the changes of a graph, in one cooperative kernel. First, level by level
// from the first level with a deletion, vertices lose their level if no neighbour is one level nearer; the level before
// is final by then. Vertices that keep a level still have a path of this length. Then lost vertices get a level from
// their neighbours, insertions shorten paths, and vertices whose level falls update their neighbours, until no level
// falls.
#include <algorithm>
#include <chrono>
#include <new>

#include "lab/meet.cuh"
#include "lab/classes.cuh"
#include "pages/state.cuh"

namespace g500::pages {

namespace {

constexpr int kRing = 3; // counters: this turn, the one before and the one after

// Tally has the counters on the device.
struct Tally {
	ull suspects, lost, queued[kRing], relaxed;
	u32 next[kRing]; // least later level of suspects
};

// Repair has the arguments of the kernel.
struct Repair {
	lab::Adjacency g;
	Edge edge;
	const u64 *changes; // updates that undo the batch: an insertion means a deleted edge
	u64 n;              // of changes
	u32 *distance;
	u32 *marks;   // n: last stamp of each vertex
	u32 stamp;    // larger than all before
	u32 *suspects, *lost, *queue[2]; // n each
	Tally *tally;
	GridBarrier *barrier;

	__device__ u32 level(u32 v) const { return __ldcg(distance + v); }

	// Stamps a vertex, and returns whether it did not have this stamp.
	__device__ bool stamps(u32 v, u32 with) const { return atomicExch(marks + v, with) != with; }
};

// Appends the vertices of the lanes with has. All lanes of a warp call it together.
__device__ inline void append(bool has, u32 v, u32 *list, ull *count) {
	const u32 lanes = __ballot_sync(~0u, has);
	if (!lanes) return;
	const u64 at = append_by_warp<u64>(lanes, count);
	if (has) list[at] = v;
}

// Calls act(vertex) for each vertex of a list, by all lanes of a warp.
template <typename Act>
__device__ inline void for_list(const u32 *list, u64 n, Act act) {
	const u64 warps = gridDim.x * (u64)kWarps, warp = blockIdx.x * (u64)kWarps + threadIdx.x / 32;
	for (u64 i = warp; i < n; i += warps) act(__ldcg(list + i));
}

// Calls act(i) for each change, by all lanes of a warp together; i may exceed the last one.
template <typename Act>
__device__ inline void for_changes(u64 n, Act act) {
	for (u64 first = blockIdx.x * (u64)kThreads; first < n; first += gridDim.x * (u64)kThreads) act(first + threadIdx.x);
}

// Calls act(neighbour), or act(kNone), in all lanes of a warp until it returns true in one of them.
template <typename Act>
__device__ inline bool any_neighbour(const lab::Adjacency &g, u32 v, Act act) {
	const lab::TileRow row = lab::row_at(g, v);
	u64 at = row.begin, end = row.end;
	u32 steps = lane_of_thread();
	for (u32 i = steps; __any_sync(~0u, i < row.n); i += 32, steps = 32) {
		u32 to = kNone;
		if (i < row.n) {
			at = g.forward(at, end, steps);
			to = g.cols[at];
		}
		if (__any_sync(~0u, act(to))) return true;
	}
	return false;
}

// Lists the ends of deleted edges that led to the next level.
__device__ inline void suspect(const Repair &k) {
	for_changes(k.n, [&](u64 i) {
		const u64 change = i < k.n ? k.changes[i] : 0;
		bool has = i < k.n && Edge::kind(change) == G500_PAGES_INSERT;
		const u32 u = has ? k.level(k.edge.from(change)) : kNone, v = has ? k.edge.to(change) : 0;
		has = has && u != kNone && k.level(v) == u + 1 && k.stamps(v, k.stamp);
		if (has) atomicMin(k.tally->next, u + 1);
		append(has, v, k.suspects, &k.tally->suspects);
	});
}

// Removes the level of a vertex if no neighbour is one level nearer, and then queues its neighbours one level farther.
__device__ inline void hold_or_lose(const Repair &k, u32 v, u32 level, u32 turn) {
	if (any_neighbour(k.g, v, [&](u32 to) { return to != kNone && k.level(to) + 1 == level; })) return;
	if (lane_of_thread() == 0) k.distance[v] = kNone;
	append(lane_of_thread() == 0, v, k.lost, &k.tally->lost);
	any_neighbour(k.g, v, [&](u32 to) {
		const bool has = to != kNone && k.level(to) == level + 1 && k.stamps(to, k.stamp);
		append(has, to, k.queue[(turn + 1) % 2], k.tally->queued + (turn + 1) % kRing);
		return false;
	});
}

// Removes levels, level by level. Returns the turn after the last one.
__device__ inline u32 lose(const Repair &k, u32 &arrivals) {
	Tally &t = *k.tally;
	const u64 suspects = read_now(&t.suspects);
	u32 turn = 0;
	for (u32 level = poll(t.next); level != kNone; turn++) {
		const u64 n = read_now(t.queued + turn % kRing);
		if (is_first_thread()) t.next[(turn + 2) % kRing] = kNone, t.queued[(turn + 2) % kRing] = 0;
		for_list(k.suspects, suspects, [&](u32 v) {
			const u32 own = k.level(v);
			if (own == level) hold_or_lose(k, v, level, turn);
			else if (own != kNone && own > level && lane_of_thread() == 0) atomicMin(t.next + (turn + 1) % kRing, own);
		});
		for_list(k.queue[turn % 2], n, [&](u32 v) { hold_or_lose(k, v, level, turn); });
		meet(*k.barrier, arrivals);
		level = read_now(t.queued + (turn + 1) % kRing) ? level + 1 : poll(t.next + (turn + 1) % kRing);
	}
	return turn;
}

// Gives lost vertices a level from their nearest neighbour, and applies insertions.
__device__ inline void begin_anew(const Repair &k, u32 turn) {
	u32 *const queue = k.queue[turn % 2];
	ull *const count = k.tally->queued + turn % kRing;
	for_list(k.lost, read_now(&k.tally->lost), [&](u32 v) {
		u32 least = kNone;
		any_neighbour(k.g, v, [&](u32 to) {
			if (to != kNone) least = min(least, k.level(to));
			return false;
		});
		for (int d = 16; d; d /= 2) least = min(least, __shfl_xor_sync(~0u, least, d));
		const bool falls = lane_of_thread() == 0 && least != kNone;
		if (falls) atomicMin(k.distance + v, least + 1);
		append(falls && k.stamps(v, k.stamp + 1), v, queue, count);
	});
	for_changes(k.n, [&](u64 i) {
		const u64 change = i < k.n ? k.changes[i] : 0;
		const bool came = i < k.n && Edge::kind(change) == G500_PAGES_DELETE;
		const u32 from = came ? k.level(k.edge.from(change)) : kNone, v = came ? k.edge.to(change) : 0;
		const bool falls = from != kNone && atomicMin(k.distance + v, from + 1) > from + 1;
		append(falls && k.stamps(v, k.stamp + 1), v, queue, count);
	});
}

// Vertices whose level fell update their neighbours.
__device__ inline void relax(const Repair &k, u32 turn, u32 stamp, u64 n) {
	for_list(k.queue[turn % 2], n, [&](u32 v) {
		const u32 own = k.level(v);
		any_neighbour(k.g, v, [&](u32 to) {
			const bool falls = to != kNone && k.level(to) > own + 1 && atomicMin(k.distance + to, own + 1) > own + 1;
			append(falls && k.stamps(to, stamp), to, k.queue[(turn + 1) % 2], k.tally->queued + (turn + 1) % kRing);
			return false;
		});
	});
}

// Updates levels. A new search has no changes, and its root in the queue.
__global__ void __launch_bounds__(kThreads) repair_kernel(Repair k) {
	u32 arrivals = 0, stamp = k.stamp + 1;
	suspect(k);
	meet(*k.barrier, arrivals);
	u32 turn = lose(k, arrivals);
	meet(*k.barrier, arrivals); // begin_anew appends to the count that ends lose, which all threads must have read
	begin_anew(k, turn);
	meet(*k.barrier, arrivals);
	for (u64 n; (n = read_now(k.tally->queued + turn % kRing)) != 0; turn++) {
		if (is_first_thread()) k.tally->queued[(turn + 2) % kRing] = 0, k.tally->relaxed += n;
		relax(k, turn, ++stamp, n);
		meet(*k.barrier, arrivals);
	}
	if (is_first_thread()) k.tally->next[0] = stamp;
}

} // namespace

} // namespace g500::pages

using namespace g500::pages;
using g500::kNone;
using g500::kThreads;
using g500::u32;
using g500::u64;

struct g500_levels {
	g500::Array<u32> distance, marks, suspects, lost, queue[2];
	g500::Array<Tally> tally;
	g500::Array<g500::GridBarrier> barrier;
	u32 stamp = 1, processors = 0;
};

namespace {

// Runs the kernel: `queued` vertices are in the first queue.
int repair(g500_levels *l, const g500_pages *p, const Changes *changes, u32 queued, g500_levels_totals *totals,
           cudaStream_t stream) {
	int blocks;
	G500_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, repair_kernel, kThreads, 0));
	Tally tally{0, 0, {queued}, 0, {kNone, kNone, kNone}};
	G500_TRY(cudaMemcpyAsync(l->tally.get(), &tally, sizeof tally, cudaMemcpyHostToDevice, stream));
	G500_TRY(cudaMemsetAsync(l->barrier, 0, sizeof(g500::GridBarrier), stream));
	G500_TRY(cudaStreamSynchronize(stream));
	const Repair k = {p->adjacency(), {p->vertex_bits}, changes ? changes->updates.get() : nullptr,
		changes ? changes->n : 0, l->distance, l->marks, l->stamp, l->suspects, l->lost, {l->queue[0], l->queue[1]},
		l->tally, l->barrier};
	const auto began = std::chrono::steady_clock::now();
	const u32 resident = std::max(blocks, 1) * l->processors;
	G500_LAUNCH(repair_kernel, (g500::Launch{resident, kThreads, stream, 0, g500::Launch::kCooperative}), k);
	G500_TRY(g500::read_back(&tally, l->tally.get(), sizeof tally, stream));
	const auto took = std::chrono::steady_clock::now() - began;
	l->stamp = tally.next[0] + 1;
	*totals = {tally.lost, tally.relaxed, (u64)std::chrono::nanoseconds(took).count()};
	return cudaSuccess;
}

int search(g500_levels *l, const g500_pages *p, u32 root, cudaStream_t stream) {
	int device, processors;
	G500_TRY(cudaGetDevice(&device));
	G500_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
	l->processors = processors;
	for (auto *words : {&l->distance, &l->marks, &l->suspects, &l->lost, l->queue, l->queue + 1})
		G500_TRY(words->alloc(p->g.n));
	G500_TRY(l->tally.alloc(1));
	G500_TRY(l->barrier.alloc(1));
	G500_TRY(cudaMemsetAsync(l->marks, 0, p->g.n * sizeof(u32), stream));
	G500_TRY(cudaMemsetAsync(l->distance, 0xff, p->g.n * sizeof(u32), stream));
	G500_TRY(cudaMemsetAsync(l->distance.get() + root, 0, sizeof(u32), stream));
	G500_TRY(cudaMemcpyAsync(l->queue[0].get(), &root, sizeof root, cudaMemcpyHostToDevice, stream));
	g500_levels_totals totals;
	return repair(l, p, nullptr, 1, &totals, stream);
}

} // namespace

extern "C" int g500_levels_create(const g500_pages *p, uint32_t root, g500_levels **result, void *stream) {
	*result = nullptr;
	if (root >= p->g.n) return cudaErrorInvalidValue;
	g500_levels *const l = new (std::nothrow) g500_levels;
	if (!l) return cudaErrorMemoryAllocation;
	const int code = search(l, p, root, (cudaStream_t)stream);
	if (code) delete l;
	else *result = l;
	return code;
}

extern "C" void g500_levels_free(g500_levels *l) { delete l; }

extern "C" int g500_levels_update(g500_levels *l, const g500_pages *p, g500_levels_totals *totals, void *stream) {
	*totals = {};
	if (p->noted.empty()) return cudaSuccess;
	return repair(l, p, p->noted.back().get(), 0, totals, (cudaStream_t)stream);
}

extern "C" const uint32_t *g500_levels_of(const g500_levels *l) { return l->distance; }
