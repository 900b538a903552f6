// SPDX-License-Identifier: Apache-2.0

// A batch of updates in parallel: sorted by edge, so that the updates of a row are consecutive; looked up in the rows;
// decided edge by edge; and applied row by row. Only one thread or warp accesses a row.
#include <algorithm>
#include <chrono>

#include "common/cub.cuh"
#include "lab/classes.cuh"
#include "pages/apply.cuh"

namespace g500::pages {

namespace {

// Calls act(first update) for each row of a single thread.
template <typename Act>
__device__ inline void for_short_rows(const Batch &b, Act act) {
	for (u64 i = blockIdx.x * kThreads + threadIdx.x; i < b.n; i += (u64)gridDim.x * kThreads)
		if (b.begins_row(i) && !(b.counts[i] & kLongRow)) act(i);
}

// Calls act(first update) for each long row, by all lanes of a warp.
template <typename Act>
__device__ inline void for_long_rows(const Batch &b, Act act) {
	const u64 warps = gridDim.x * (u64)kWarps, warp = blockIdx.x * (u64)kWarps + threadIdx.x / 32;
	for (u64 i = warp; i < b.sums->longs; i += warps) act(b.longs[i]);
}

// Looks up the edges of the row that begins with update i. One thread.
__device__ inline void look_up_row(const Batch &b, u64 i, u64 end) {
	const lab::Adjacency rows = b.g.adjacency();
	const u32 least = b.edge.to(b.updates[i]), most = b.edge.to(b.updates[end - 1]);
	u32 degree;
	u64 piece, at = rows.begin(b.from(i), degree, piece);
	for (u32 k = 0; k < degree; k++) {
		if (k) at = rows.forward(at, piece, 1);
		const u32 to = b.g.cols[at];
		if (to >= least && to <= most) b.note(i, end, to, at, k);
	}
}

// Returns the effect of the updates of an edge, in order; i is the first one.
__device__ inline Action decide(const Batch &b, u64 i, Counts &c) {
	const bool before = b.slot[i] != kNowhere, known = b.g.there[b.from(i)] && b.g.there[b.edge.to(b.updates[i])];
	bool now = before;
	for (u64 j = i; j < b.n && b.updates[j] >> 2 == b.updates[i] >> 2; j++)
		switch (Edge::kind(b.updates[j])) {
		case G500_PAGES_INSERT:
			if (!known) c.unknown++;
			else if (now) c.unchanged++;
			else now = true, c.inserted++;
			break;
		case G500_PAGES_DELETE:
			if (!now) c.unchanged++;
			else now = false, c.deleted++;
			break;
		default: now ? c.found++ : c.missing++;
		}
	return now == before ? kStays : now ? kInserts : kDeletes;
}

// Decides on the edges of a row, lists new and deleted neighbours, and counts pages.
template <u32 kThreadsOf>
__device__ void decide_row(const Batch &b, u64 i, u64 end, Counts &c) {
	const Team<kThreadsOf> team;
	u32 fresh = 0, gaps = 0;
	for (u64 j = i + team.own; team.any(j < end); j += kThreadsOf) {
		const Action action = j < end && b.begins_edge(j) ? decide(b, j, c) : kStays;
		u32 all;
		const u32 before = team.rank(action == kInserts, all);
		if (action == kInserts) b.fresh[i + fresh + before] = b.edge.to(b.updates[j]);
		fresh += all;
		const u32 gap = team.rank(action == kDeletes, all);
		if (action == kDeletes) b.gaps[i + gaps + gap] = (u32)j;
		gaps += all;
		if (j < end) b.action[j] = action;
	}
	if (team.own != 0) return;
	b.counts[i] = (kThreadsOf > 1 ? kLongRow : 0) | (u64)gaps << 32 | fresh;
	const u32 degree = b.g.rows[b.from(i)].degree;
	const int pages = (int)b.g.pages_of(degree + fresh - gaps) - (int)b.g.pages_of(degree);
	(pages > 0 ? c.taken : c.given) += pages > 0 ? pages : -pages;
}

// Cuts long rows into chunks. All lanes of a warp call it together, with one atomic.
__device__ inline void list_long(const Batch &b, bool is_long, u64 i, u32 degree) {
	if (!__any_sync(~0u, is_long)) return;
	const u64 chunks = is_long ? (degree + kChunk - 1) / kChunk : 0;
	const u64 own = chunks << 32 | (is_long ? 1 : 0), upto = warp_scan(own); // of chunks, and of rows
	u64 row = 0, chunk = 0;
	if (lane_of_thread() == 31) {
		row = atomicAdd(&b.sums->longs, upto & kNone);
		chunk = atomicAdd(&b.sums->chunks, upto >> 32);
	}
	row = __shfl_sync(~0u, row, 31) + (u32)(upto - own), chunk = __shfl_sync(~0u, chunk, 31) + ((upto - own) >> 32);
	if (is_long) b.longs[row] = (u32)i;
	for (u64 c = 0; c < chunks; c++) b.chunks[chunk + c] = c << 32 | i;
}

// Looks up the edges of short rows and decides on them, and cuts long rows into chunks. Reads 8 B per update, 16 B per
// row and its neighbours, and a byte per end of an edge; writes 13 B per existing edge.
__global__ void __launch_bounds__(kThreads) short_rows_kernel(Batch b) {
	Counts c;
	lab::for_tiles(b.n, [&](u64 i, bool has) {
		const bool begins = has && b.begins_row(i);
		const u64 end = begins ? b.end_of_row(i) : i;
		const u32 degree = begins ? b.g.rows[b.from(i)].degree : 0;
		const bool is_long = begins && (end - i > kLong || degree > kLong);
		list_long(b, is_long, i, degree);
		if (is_long) b.counts[i] = kLongRow;
		if (!begins || is_long) return;
		if (degree) look_up_row(b, i, end);
		decide_row<1>(b, i, end, c);
	});
	c.add_to(*b.sums);
}

// Looks up the edges of long rows, one chunk per warp.
__global__ void __launch_bounds__(kThreads) look_up_chunks_kernel(Batch b) {
	const lab::Adjacency rows = b.g.adjacency();
	const u64 warps = gridDim.x * (u64)kWarps, warp = blockIdx.x * (u64)kWarps + threadIdx.x / 32;
	for (u64 c = warp; c < b.sums->chunks; c += warps) {
		const u64 i = (u32)b.chunks[c], end = b.end_of_row(i);
		const u32 first = (u32)(b.chunks[c] >> 32) * kChunk;
		u32 degree, steps = first + threadIdx.x % 32;
		u64 piece, at = rows.begin(b.from(i), degree, piece);
		for (u32 k = steps; k < min(degree, first + kChunk); k += 32, steps = 32) {
			at = rows.forward(at, piece, steps);
			b.note(i, end, b.g.cols[at], at, k);
		}
	}
}

__global__ void __launch_bounds__(kThreads) decide_long_kernel(Batch b) {
	Counts c;
	for_long_rows(b, [&](u64 i) { decide_row<32>(b, i, b.end_of_row(i), c); });
	c.add_to(*b.sums);
}

__global__ void capacity_kernel(Batch b) { b.sums->full = b.sums->taken > b.sums->given + *b.g.unused; }

// Rows that need no more pages are first, so that others can use the pages that they free.
template <u32 kThreadsOf>
__device__ void apply_row(const Batch &b, u64 i, bool growing) {
	if (!(b.counts[i] & ~kLongRow)) return;
	RowUpdate<kThreadsOf> row(b, i);
	if ((row.growth() > 0) == growing) row.apply();
}

__global__ void __launch_bounds__(kThreads) apply_kernel(Batch b, bool growing) {
	if (!b.sums->full) for_short_rows(b, [&](u64 i) { apply_row<1>(b, i, growing); });
}

__global__ void __launch_bounds__(kThreads) apply_long_kernel(Batch b, bool growing) {
	if (!b.sums->full) for_long_rows(b, [&](u64 i) { apply_row<32>(b, i, growing); });
}

// Stores the updates that undo the batch.
__global__ void __launch_bounds__(kThreads) note_kernel(Batch b, u64 *changes) {
	for (u64 i = blockIdx.x * kThreads + threadIdx.x; i < b.n; i += (u64)gridDim.x * kThreads) {
		if (b.action[i] == kStays || b.sums->full) continue;
		const u32 kind = b.action[i] == kInserts ? G500_PAGES_DELETE : G500_PAGES_INSERT;
		changes[atomicAdd(&b.sums->changes, 1ull)] = b.updates[i] >> 2 << 2 | kind;
	}
}

// Writes a deletion for each edge that begins or ends at a chosen vertex. If updates is null, it only counts them.
__global__ void __launch_bounds__(kThreads) isolate_kernel(Pages g, Edge edge, const u8 *chosen, u64 *updates, ull *n) {
	const lab::Adjacency rows = g.adjacency();
	lab::share_vertices(g.n, 32, [&](u64 u, bool, u32 own, u32 threads) {
		const auto visit = [&](u32 from, u32 to, u64) {
			if (to == kNone || !(chosen[from] || chosen[to])) return;
			const u64 at = atomicAdd(n, 1ull);
			if (updates) updates[at] = edge.make(from, to, G500_PAGES_DELETE);
		};
		lab::share_row(rows, lab::row_at(rows, (u32)u), own, threads, visit);
	});
}

// Returns a launch over n items, one thread or warp each, with a limited number of blocks.
Launch over(u64 n, u32 threads, cudaStream_t stream) {
	constexpr u64 kMost = 132 * 32;
	return {(u32)std::min(kMost, (n * threads + kThreads - 1) / kThreads), kThreads, stream};
}

// Makes the scratch memory large enough for n updates, fewer than 2^32.
int reserve(g500_pages *p, u64 n) {
	Scratch &s = p->scratch;
	if (n >= 1ull << 32) return cudaErrorInvalidValue;
	if (n <= s.capacity) return cudaSuccess;
	s.capacity = 0;
	for (auto *words : {&s.updates, &s.sorted, &s.slot, &s.counts}) G500_TRY(words->alloc(n));
	for (auto *words : {&s.place, &s.fresh, &s.gaps, &s.longs}) G500_TRY(words->alloc(n));
	G500_TRY(s.action.alloc(n));
	G500_TRY(s.chunks.alloc(n + (p->pages << p->g.bits) / kChunk));
	s.sort_bytes = 0;
	Buffers<u64> keys{s.updates, s.sorted};
	G500_TRY(sort_arrays(nullptr, s.sort_bytes, {n, 2, 64}, nullptr, keys));
	G500_TRY(s.sort.alloc(s.sort_bytes));
	s.capacity = n;
	return cudaSuccess;
}

// The kernels of a batch, in order.
int launch_batch(const Batch &b, cudaStream_t stream) {
	const Launch each = over(b.n, 1, stream), warps = over(b.n, 32, stream);
	G500_LAUNCH(short_rows_kernel, each, b);
	G500_LAUNCH(look_up_chunks_kernel, warps, b);
	G500_LAUNCH(decide_long_kernel, warps, b);
	G500_LAUNCH(capacity_kernel, (Launch{1, 1, stream}), b);
	for (const bool growing : {false, true}) {
		G500_LAUNCH(apply_kernel, each, b, growing);
		G500_LAUNCH(apply_long_kernel, warps, b, growing);
	}
	return cudaSuccess;
}

// Waits, and reads the counts.
int fetch(g500_pages *p, g500_pages_totals *totals, cudaStream_t stream) {
	G500_TRY(read_back(&*p->seen, p->sums, sizeof(Sums), stream));
	const Sums &s = *p->seen;
	*totals = {s.inserted, s.deleted, s.unchanged, s.unknown, s.found, s.missing, 0, s.full};
	if (s.full) return cudaSuccess;
	p->edges += s.inserted - s.deleted;
	p->unused_now += s.given - s.taken;
	return cudaSuccess;
}

// Applies the updates in the scratch memory.
int apply(g500_pages *p, u64 n, g500_pages_totals *totals, cudaStream_t stream) {
	Scratch &s = p->scratch;
	*totals = {};
	if (!n) return cudaSuccess;
	G500_TRY(cudaStreamSynchronize(stream));
	const auto began = std::chrono::steady_clock::now();
	G500_TRY(cudaMemsetAsync(p->sums, 0, sizeof(Sums), stream));
	G500_TRY(cudaMemsetAsync(s.slot, 0xff, n * sizeof(u64), stream));
	Buffers<u64> keys{s.updates, s.sorted};
	const int last_bit = 2 + 2 * p->vertex_bits;
	G500_TRY(sort_arrays(s.sort.get(), s.sort_bytes, {n, 2, last_bit}, stream, keys));
	const Batch b = {p->g, {p->vertex_bits}, keys.now, n, s.slot, s.place, (Action *)s.action.get(), s.fresh, s.gaps,
		s.counts, s.longs, s.chunks, p->sums};
	if (const int code = launch_batch(b, stream)) return code;
	if (const int code = fetch(p, totals, stream)) return code;
	totals->nanoseconds = std::chrono::nanoseconds(std::chrono::steady_clock::now() - began).count();
	if (!p->notes || totals->full) return cudaSuccess;
	auto changes = std::make_unique<Changes>();
	G500_TRY(changes->updates.alloc(n));
	G500_LAUNCH(note_kernel, over(n, 1, stream), b, changes->updates);
	G500_TRY(read_back(&*p->seen, p->sums, sizeof(Sums), stream));
	changes->n = p->seen->changes;
	p->noted.push_back(std::move(changes));
	return cudaSuccess;
}

} // namespace

} // namespace g500::pages

using namespace g500::pages;
using g500::u64;
using g500::u8;

extern "C" int g500_pages_apply(g500_pages *p, const uint64_t *updates, uint64_t n, g500_pages_totals *totals,
                                void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	if (const int code = reserve(p, n)) return code;
	G500_TRY(cudaMemcpyAsync(p->scratch.updates.get(), updates, n * sizeof(u64), cudaMemcpyHostToDevice, stream));
	return apply(p, n, totals, stream);
}

extern "C" int g500_pages_isolate(g500_pages *p, const uint8_t *vertices, g500_pages_totals *totals, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	g500::Array<u8> chosen;
	g500::Array<g500::ull> count;
	G500_TRY(chosen.alloc(p->g.n));
	G500_TRY(count.alloc(1));
	G500_TRY(cudaMemcpyAsync(chosen.get(), vertices, p->g.n, cudaMemcpyHostToDevice, stream));
	const g500::Launch warps = over(p->g.n, 32, stream);
	const Edge edge = {p->vertex_bits};
	g500::ull n = 0;
	for (const bool counts : {true, false}) {
		if (!counts)
			if (const int code = reserve(p, n)) return code;
		G500_TRY(cudaMemsetAsync(count, 0, sizeof n, stream));
		G500_LAUNCH(isolate_kernel, warps, p->g, edge, chosen, counts ? nullptr : p->scratch.updates.get(), count);
		G500_TRY(g500::read_back(&n, count.get(), sizeof n, stream));
	}
	return apply(p, n, totals, stream);
}

extern "C" int g500_pages_undo(g500_pages *p, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	p->notes = false;
	for (; !p->noted.empty(); p->noted.pop_back()) {
		const Changes &last = *p->noted.back();
		if (const int code = reserve(p, last.n)) return code;
		const size_t bytes = last.n * sizeof(u64);
		G500_TRY(cudaMemcpyAsync(p->scratch.updates.get(), last.updates.get(), bytes, cudaMemcpyDeviceToDevice, stream));
		g500_pages_totals totals;
		if (const int code = apply(p, last.n, &totals, stream)) return code;
	}
	return cudaSuccess;
}
