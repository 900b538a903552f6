// A batch of updates in parallel: sorted by edge, so that the updates of a row stand together; looked up in the rows;
// decided edge by edge; and applied row by row, by one thread or a warp, which nobody else touches meanwhile.
#include <algorithm>
#include <chrono>

#include <cub/device/device_radix_sort.cuh>

#include "lab/classes.cuh"
#include "pages/apply.cuh"

namespace g500::pages {

namespace {

// Calls act(first update) for each row that a single thread has.
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

__device__ inline lab::Adjacency adjacency(const Pages &g) {
	return {g.n, 0, g.rows, g.cols, g.degrees, g.links, g.bits};
}

// Looks the edges of short rows up, and cuts long rows into chunks. Reads 8 B an update, a row's beginning, degree and
// neighbours; writes 12 B for an edge that is there.
__global__ void __launch_bounds__(kThreads) look_up_kernel(Batch b) {
	const lab::Adjacency rows = adjacency(b.g);
	for (u64 i = blockIdx.x * kThreads + threadIdx.x; i < b.n; i += (u64)gridDim.x * kThreads) {
		if (!b.begins_row(i)) continue;
		const u64 end = b.end_of_row(i);
		const u32 u = b.from(i), degree = b.g.degrees[u];
		if (end - i > kLong || degree > kLong) {
			b.counts[i] = kLongRow;
			b.longs[atomicAdd(&b.sums->longs, 1ull)] = (u32)i;
			const u64 chunks = (degree + kChunk - 1) / kChunk, first = atomicAdd(&b.sums->chunks, (ull)chunks);
			for (u64 c = 0; c < chunks; c++) b.chunks[first + c] = c << 32 | i;
			continue;
		}
		b.counts[i] = 0;
		if (!degree) continue;
		u64 at = b.g.rows[u], piece = rows.end_of_piece(at, degree);
		for (u32 k = 0; k < degree; k++) {
			if (k) at = rows.forward(at, piece, 1);
			b.note(i, end, b.g.cols[at], at, k);
		}
	}
}

// Looks the edges of long rows up, a chunk for a warp.
__global__ void __launch_bounds__(kThreads) look_up_chunks_kernel(Batch b) {
	const lab::Adjacency rows = adjacency(b.g);
	const u64 warps = gridDim.x * (u64)kWarps, warp = blockIdx.x * (u64)kWarps + threadIdx.x / 32;
	for (u64 c = warp; c < b.sums->chunks; c += warps) {
		const u64 i = (u32)b.chunks[c], end = b.end_of_row(i);
		const u32 u = b.from(i), degree = b.g.degrees[u], first = (u32)(b.chunks[c] >> 32) * kChunk;
		u64 at = b.g.rows[u], piece = rows.end_of_piece(at, degree);
		u32 steps = first + threadIdx.x % 32;
		for (u32 k = steps; k < min(degree, first + kChunk); k += 32, steps = 32) {
			at = rows.forward(at, piece, steps);
			b.note(i, end, b.g.cols[at], at, k);
		}
	}
}

// What the updates of each edge come to, one after the other. Reads 8 B an update, and 8 B and two ends an edge; writes
// a byte an update.
__global__ void __launch_bounds__(kThreads) decide_kernel(Batch b) {
	u64 inserted = 0, deleted = 0, unchanged = 0, unknown = 0, found = 0, missing = 0;
	for (u64 i = blockIdx.x * kThreads + threadIdx.x; i < b.n; i += (u64)gridDim.x * kThreads) {
		b.action[i] = kStays;
		if (!b.begins_edge(i)) continue;
		const bool before = b.slot[i] != kNowhere, known = b.g.there[b.from(i)] && b.g.there[b.edge.to(b.updates[i])];
		bool now = before;
		for (u64 j = i; j < b.n && b.updates[j] >> 2 == b.updates[i] >> 2; j++)
			switch (Edge::kind(b.updates[j])) {
			case G500_PAGES_INSERT:
				if (!known) unknown++;
				else if (now) unchanged++;
				else now = true, inserted++;
				break;
			case G500_PAGES_DELETE:
				if (!now) unchanged++;
				else now = false, deleted++;
				break;
			default: now ? found++ : missing++;
			}
		if (now != before) b.action[i] = now ? kInserts : kDeletes;
	}
	Sums &s = *b.sums;
	add_up(inserted, &s.inserted), add_up(deleted, &s.deleted), add_up(unchanged, &s.unchanged);
	add_up(unknown, &s.unknown), add_up(found, &s.found), add_up(missing, &s.missing);
}

// Lists what a row gets and what goes, and adds its pages up. Returns how many pages it takes.
template <u32 kThreadsOf>
__device__ int list_row(const Batch &b, u64 i) {
	const Team<kThreadsOf> team;
	u32 fresh = 0, gaps = 0;
	const u64 end = b.end_of_row(i), is_long = b.counts[i] & kLongRow;
	for (u64 j = i + team.own; team.any(j < end); j += kThreadsOf) {
		const u8 action = j < end ? (u8)b.action[j] : (u8)kStays;
		u32 all;
		const u32 before = team.rank(action == kInserts, all);
		if (action == kInserts) b.fresh[i + fresh + before] = b.edge.to(b.updates[j]);
		fresh += all;
		const u32 gap = team.rank(action == kDeletes, all);
		if (action == kDeletes) b.gaps[i + gaps + gap] = (u32)j;
		gaps += all;
	}
	team.sync();
	if (team.own == 0) b.counts[i] = is_long | (u64)gaps << 32 | fresh;
	team.sync();
	return RowUpdate<kThreadsOf>(b, i).growth();
}

__device__ inline void add_pages(const Batch &b, u64 taken, u64 given) {
	add_up(taken, &b.sums->taken), add_up(given, &b.sums->given);
}

__global__ void __launch_bounds__(kThreads) list_kernel(Batch b) {
	u64 taken = 0, given = 0;
	for_short_rows(b, [&](u64 i) {
		const int pages = list_row<1>(b, i);
		(pages > 0 ? taken : given) += pages > 0 ? pages : -pages;
	});
	add_pages(b, taken, given);
}

__global__ void __launch_bounds__(kThreads) list_long_kernel(Batch b) {
	u64 taken = 0, given = 0;
	for_long_rows(b, [&](u64 i) {
		const int pages = list_row<32>(b, i);
		if (lane_of_thread() == 0) (pages > 0 ? taken : given) += pages > 0 ? pages : -pages;
	});
	add_pages(b, taken, given);
}

__global__ void room_kernel(Batch b) { b.sums->full = b.sums->taken > b.sums->given + *b.g.unused; }

// Rows that take no page more are first, so that what they give back is there for the others.
template <u32 kThreadsOf>
__device__ void apply_row(const Batch &b, u64 i, bool growing) {
	RowUpdate<kThreadsOf> row(b, i);
	if (row.changes() && (row.growth() > 0) == growing) row.apply();
}

__global__ void __launch_bounds__(kThreads) apply_kernel(Batch b, bool growing) {
	if (!b.sums->full) for_short_rows(b, [&](u64 i) { apply_row<1>(b, i, growing); });
}

__global__ void __launch_bounds__(kThreads) apply_long_kernel(Batch b, bool growing) {
	if (!b.sums->full) for_long_rows(b, [&](u64 i) { apply_row<32>(b, i, growing); });
}

// Notes the updates that take the batch back.
__global__ void __launch_bounds__(kThreads) note_kernel(Batch b, u64 *changes) {
	for (u64 i = blockIdx.x * kThreads + threadIdx.x; i < b.n; i += (u64)gridDim.x * kThreads) {
		if (b.action[i] == kStays || b.sums->full) continue;
		const u32 kind = b.action[i] == kInserts ? G500_PAGES_DELETE : G500_PAGES_INSERT;
		changes[atomicAdd(&b.sums->changes, 1ull)] = b.updates[i] >> 2 << 2 | kind;
	}
}

// Makes deletions of all edges that begin or end at one of some vertices; counts them only where there is no place.
__global__ void __launch_bounds__(kThreads) isolate_kernel(Pages g, Edge edge, const u8 *chosen, u64 *updates, ull *n) {
	const lab::Adjacency rows = adjacency(g);
	lab::share_vertices(g.n, 32, [&](u64 u, bool, u32 own, u32 threads) {
		const auto visit = [&](u32 from, u32 to, u64) {
			if (to == kNone || !(chosen[from] || chosen[to])) return;
			const u64 at = atomicAdd(n, 1ull);
			if (updates) updates[at] = edge.make(from, to, G500_PAGES_DELETE);
		};
		lab::share_row(rows, lab::row_at(rows, (u32)u), own, threads, visit);
	});
}

// Launches over n items, a thread or a warp each; at most as many blocks as go through the work in good strides.
Launch over(u64 n, u32 threads, cudaStream_t stream) {
	constexpr u64 kMost = 132 * 32;
	return {(u32)std::min(kMost, (n * threads + kThreads - 1) / kThreads), kThreads, stream};
}

int make_room(g500_pages *p, u64 n) {
	Scratch &s = p->scratch;
	if (n <= s.room) return cudaSuccess;
	s.room = 0;
	for (auto *words : {&s.updates, &s.sorted, &s.slot, &s.counts}) G500_TRY(words->alloc(n));
	for (auto *words : {&s.place, &s.fresh, &s.gaps, &s.longs}) G500_TRY(words->alloc(n));
	G500_TRY(s.action.alloc(n));
	G500_TRY(s.chunks.alloc(n + (p->pages << p->g.bits) / kChunk));
	s.sort_bytes = 0;
	cub::DoubleBuffer<u64> keys(s.updates, s.sorted);
	G500_TRY(cub::DeviceRadixSort::SortKeys((void *)nullptr, s.sort_bytes, keys, n, 2, 64, (cudaStream_t) nullptr));
	G500_TRY(s.sort.alloc(s.sort_bytes));
	s.room = n;
	return cudaSuccess;
}

// The kernels of a batch, in order.
int launch_batch(const Batch &b, cudaStream_t stream) {
	const Launch each = over(b.n, 1, stream), warps = over(b.n, 32, stream);
	G500_LAUNCH(look_up_kernel, each, b);
	G500_LAUNCH(look_up_chunks_kernel, warps, b);
	G500_LAUNCH(decide_kernel, each, b);
	G500_LAUNCH(list_kernel, each, b);
	G500_LAUNCH(list_long_kernel, warps, b);
	G500_LAUNCH(room_kernel, (Launch{1, 1, stream}), b);
	for (const bool growing : {false, true}) {
		G500_LAUNCH(apply_kernel, each, b, growing);
		G500_LAUNCH(apply_long_kernel, warps, b, growing);
	}
	return cudaSuccess;
}

// Waits, and takes over what was counted.
int fetch(g500_pages *p, g500_pages_totals *totals, cudaStream_t stream) {
	G500_TRY(cudaMemcpyAsync(&*p->seen, p->sums, sizeof(Sums), cudaMemcpyDeviceToHost, stream));
	G500_TRY(cudaStreamSynchronize(stream));
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
	cub::DoubleBuffer<u64> keys(s.updates, s.sorted);
	const int last_bit = 2 + 2 * p->vertex_bits;
	G500_TRY(cub::DeviceRadixSort::SortKeys((void *)s.sort.get(), s.sort_bytes, keys, n, 2, last_bit, stream));
	const Batch b = {p->g, {p->vertex_bits}, keys.Current(), n, s.slot, s.place, (Action *)s.action.get(), s.fresh, s.gaps,
		s.counts, s.longs, s.chunks, p->sums};
	if (const int code = launch_batch(b, stream)) return code;
	if (const int code = fetch(p, totals, stream)) return code;
	totals->nanoseconds = std::chrono::nanoseconds(std::chrono::steady_clock::now() - began).count();
	if (!p->notes || totals->full) return cudaSuccess;
	auto changes = std::make_unique<Changes>();
	G500_TRY(changes->updates.alloc(n));
	G500_LAUNCH(note_kernel, over(n, 1, stream), b, changes->updates);
	G500_TRY(cudaMemcpyAsync(&*p->seen, p->sums, sizeof(Sums), cudaMemcpyDeviceToHost, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	changes->n = p->seen->changes;
	p->noted.push_back(std::move(changes));
	return cudaSuccess;
}

} // namespace

} // namespace g500::pages

using namespace g500::pages;
using g500::u64;
using g500::u8;

extern "C" int g500_pages_apply(g500_pages *p, const uint64_t *updates, uint64_t n, g500_pages_totals *totals, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	if (n >= 1ull << 32) return cudaErrorInvalidValue;
	if (const int code = make_room(p, n)) return code;
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
			if (const int code = make_room(p, n)) return code;
		G500_TRY(cudaMemsetAsync(count, 0, sizeof n, stream));
		G500_LAUNCH(isolate_kernel, warps, p->g, edge, chosen, counts ? nullptr : p->scratch.updates.get(), count);
		G500_TRY(cudaMemcpyAsync(&n, count.get(), sizeof n, cudaMemcpyDeviceToHost, stream));
		G500_TRY(cudaStreamSynchronize(stream));
	}
	return apply(p, n, totals, stream);
}

extern "C" int g500_pages_undo(g500_pages *p, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	p->notes = false;
	for (; !p->noted.empty(); p->noted.pop_back()) {
		const Changes &last = *p->noted.back();
		if (const int code = make_room(p, last.n)) return code;
		const size_t bytes = last.n * sizeof(u64);
		G500_TRY(cudaMemcpyAsync(p->scratch.updates.get(), last.updates.get(), bytes, cudaMemcpyDeviceToDevice, stream));
		g500_pages_totals totals;
		if (const int code = apply(p, last.n, &totals, stream)) return code;
	}
	return cudaSuccess;
}
