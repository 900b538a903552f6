// SPDX-License-Identifier: Apache-2.0

// Gathering: a block distributes the edges of a tile of vertices, one per thread, over its threads (Merrill, Garland,
// Grimshaw, PPoPP 2012, section 4.1; Busato and Bombieri, sections 3.1 to 3.4). In all mappings the lanes of a warp
// call visit(from, to, place) together; to is kNone in a lane without an edge. place is the place of the row plus the
// number of the edge in the row.
#pragma once

#include "common/block.cuh"
#include "lab/state.cuh"

namespace g500::lab {

// TileRow is the remaining row of the vertex of a thread.
struct TileRow {
	u32 v, n;
	u64 begin; // column
	u64 end;   // of the first piece
	u64 place;

	// Returns the column of the i-th neighbour.
	template <typename Graph>
	__device__ u64 column(const Graph &g, u32 i) const {
		u64 piece = end;
		return g.forward(begin, piece, i);
	}
};

// GatherSharedOf is the shared memory of a block of kOf threads.
template <u32 kOf>
struct GatherSharedOf {
	u64 scan[kOf / kLanes];
	u64 base;
	u32 holder; // the thread whose row the block gathers
	TileRow row;
	u32 listed; // rows in the list of the block
	// The memory of one warp. A block uses the slots of its warps in sequence.
	struct Slots {
		union {
			struct {
				u32 from[32]; // the gather vector: one edge per slot
				u64 column[32], place[32];
			};
			TileRow rows[32]; // a list
		};
	} of_warp[kOf / 32];

	__device__ Slots &of(u32 slot) { return of_warp[slot / 32]; }
	__device__ const Slots &of(u32 slot) const { return of_warp[slot / 32]; }
};
using GatherShared = GatherSharedOf<kThreads>;

template <typename Graph>
__device__ inline TileRow row_at(const Graph &g, u32 v) {
	TileRow row{};
	if (v == kNone) return row;
	row.v = v;
	row.begin = g.begin(v, row.n, row.end);
	return row;
}

// The first lane of a warp walks over pages to its column, and all lanes continue from there (Toedling, Winter,
// Steinberger, 2019, section IV). Returns the steps that are left for this lane. All lanes have the same row; another
// lane follows a link only if the columns of the warp are on several pages.
template <typename Graph>
__device__ inline u32 follow_first_lane(const Graph &g, u64 &at, u64 &end, u32 steps, bool has) {
	const u32 lane = lane_of_thread();
	if (lane == 0 && has) at = g.forward(at, end, steps);
	at = __shfl_sync(~0u, at, 0), end = __shfl_sync(~0u, end, 0);
	return lane;
}

// Visits the edges of a row that `threads` threads share; this is thread `own`. Lanes of a warp continue while one of
// them has an edge.
template <typename Graph, typename Visit>
__device__ inline void share_row(const Graph &g, const TileRow &row, u32 own, u32 threads, Visit &visit) {
	u64 at = row.begin, end = row.end;
	u32 steps = own;
	const bool together = g.one_walks() && threads >= 32;
	for (u32 i = own; __any_sync(~0u, i < row.n); i += threads, steps = threads) {
		u32 to = kNone;
		if (together) steps = follow_first_lane(g, at, end, steps, i < row.n);
		if (i < row.n) {
			at = g.forward(at, end, steps);
			to = __ldg(g.cols + at);
		}
		visit(row.v, to, row.place + i);
	}
}

__device__ inline TileRow row_of_lane(const TileRow &row, u32 lane) {
	return {__shfl_sync(~0u, row.v, lane), __shfl_sync(~0u, row.n, lane), __shfl_sync(~0u, row.begin, lane),
		__shfl_sync(~0u, row.end, lane), __shfl_sync(~0u, row.place, lane)};
}

// For each row of its lanes with at least `least` edges, a warp calls share(row), all lanes together.
template <typename Share>
__device__ inline void for_rows_of_warp(TileRow &row, u32 least, Share share) {
	for (u32 lanes; (lanes = __ballot_sync(~0u, row.n && row.n >= least)) != 0;) {
		const u32 lane = __ffs(lanes) - 1;
		const TileRow one = row_of_lane(row, lane);
		if (lane_of_thread() == lane) row.n = 0;
		share(one);
	}
}

// The same, with a list of the rows in shared memory: a filtered prefix sum of one ballot and one popc gives each row
// its place (Busato and Bombieri, section 3.4 and figure 4).
template <typename Share>
__device__ inline void for_listed_rows_of_warp(GatherShared &sh, TileRow &row, u32 least, Share share) {
	TileRow *const rows = sh.of(threadIdx.x).rows;
	const bool has = row.n && row.n >= least;
	u32 n = 0;
	const u32 place = append_in_warp(__ballot_sync(~0u, has), n);
	if (has) rows[place] = row, row.n = 0;
	__syncwarp();
	for (u32 i = 0; i < n; i++) share(TileRow(rows[i]));
	__syncwarp(); // before the next list
}

// The same for a block. The prefix sum is not ordered: one atomic per warp reserves its places.
template <typename Share>
__device__ inline void for_listed_rows_of_block(GatherShared &sh, TileRow &row, u32 least, Share share) {
	__syncthreads(); // after the last use of the memory
	if (threadIdx.x == 0) sh.listed = 0;
	__syncthreads();
	const bool has = row.n && row.n >= least;
	const u32 place = append_by_warp<u32>(__ballot_sync(~0u, has), &sh.listed);
	if (has) sh.of(place).rows[place & 31] = row, row.n = 0;
	__syncthreads();
	const u32 n = sh.listed;
	for (u32 i = 0; i < n; i++) share(TileRow(sh.of(i).rows[i & 31]));
	__syncthreads();
}

// For each row of a block with at least `least` edges, the block calls share(row). Threads compete for it by writing
// their number to one word (Merrill, Garland, Grimshaw, section 4.1).
template <typename Shared, typename Share>
__device__ inline void for_rows_of_block(Shared &sh, TileRow &row, u32 least, Share share) {
	for (;;) {
		if (threadIdx.x == 0) sh.holder = kNone;
		__syncthreads();
		if (row.n && row.n >= least) sh.holder = threadIdx.x;
		__syncthreads();
		const u32 holder = sh.holder;
		if (holder == kNone) break;
		if (threadIdx.x == holder) {
			sh.row = row;
			row.n = 0;
		}
		__syncthreads();
		share(TileRow(sh.row));
	}
	__syncthreads();
}

template <typename Graph, typename Visit>
__device__ inline void gather_by_warp(const Graph &g, TileRow &row, u32 least, Visit &visit) {
	for_rows_of_warp(row, least, [&](const TileRow &one) { share_row(g, one, lane_of_thread(), 32, visit); });
}

template <u32 kOf, typename Graph, typename Visit>
__device__ inline void gather_by_block(const Graph &g, GatherSharedOf<kOf> &sh, TileRow &row, u32 least,
                                       Visit &visit) {
	for_rows_of_block(sh, row, least, [&](const TileRow &one) { share_row(g, one, threadIdx.x, kOf, visit); });
}

// The mappings, one struct each, for rows that are gathered neither by a warp nor by a block.

// One thread per row.
struct Serial {
	template <typename Visit>
	static __device__ void gather(const Level &k, GatherShared &, TileRow &row, Visit &visit) {
		share_row(k.g, row, 0, 1, visit);
	}
};

struct ByWarp {
	template <typename Visit>
	static __device__ void gather(const Level &k, GatherShared &, TileRow &row, Visit &visit) {
		gather_by_warp(k.g, row, 1, visit);
	}
};

struct ByBlock {
	template <typename Visit>
	static __device__ void gather(const Level &k, GatherShared &sh, TileRow &row, Visit &visit) {
		gather_by_block(k.g, sh, row, 1, visit);
	}
};

// The threads of a block write their edges to a shared vector, at places by a prefix sum, and each visits one.
struct ByScan {
	template <u32 kOf, typename Context, typename Visit>
	static __device__ void gather(const Context &k, GatherSharedOf<kOf> &sh, TileRow &row, Visit &visit) {
		u64 before, sum;
		block_scan(sh.scan, (u64)row.n, before, sum);
		__syncthreads(); // before the next sum, if there is no edge
		for (u64 done = 0; done < sum; done += kOf) {
			fill(k.g, sh, row, before, done);
			__syncthreads();
			take(k.g, sh, threadIdx.x, done + threadIdx.x < sum, visit);
			__syncthreads();
		}
	}

	// Writes the edges of a row with numbers below done + kOf to slots; `before` is the number of its first edge.
	template <u32 kOf, typename Graph>
	static __device__ inline void fill(const Graph &g, GatherSharedOf<kOf> &sh, TileRow &row, u64 &before, u64 done) {
		for (; row.n && before < done + kOf; row.n--, before++) {
			const u32 slot = (u32)(before - done);
			auto &to = sh.of(slot);
			to.from[slot & 31] = row.v;
			to.column[slot & 31] = row.begin;
			to.place[slot & 31] = row.place++;
			if (row.n > 1) row.begin = g.forward(row.begin, row.end, 1);
		}
	}

	template <typename Graph, typename Shared, typename Visit>
	static __device__ inline void take(const Graph &g, const Shared &sh, u32 slot, bool has, Visit &visit) {
		const auto &at = sh.of(slot);
		visit(at.from[slot & 31], has ? __ldg(g.cols + at.column[slot & 31]) : kNone, at.place[slot & 31]);
	}
};

// Groups of threads (virtual warps) process the rows of their lanes in sequence. Each lane has loaded one vertex in a
// coalesced access, and broadcasts it by a shuffle (Busato and Bombieri, section 3.1).
struct ByGroup {
	template <typename Visit>
	static __device__ void gather(const Level &k, GatherShared &, TileRow &row, Visit &visit) {
		const u32 own = lane_of_thread() & (k.group - 1), first = lane_of_thread() - own;
		for (u32 j = 0; j < k.group; j++) {
			share_row(k.g, row_of_lane(row, first + j), own, k.group, visit);
		}
	}
};

// Groups of threads each load one vertex and process its row, so that a warp has 32 / group vertices (Busato and
// Bombieri, figure 2a; BFS-4K). expand_classes divides the vertices; a tile is gathered as by ByGroup.
struct Direct : ByGroup {};

// A mapping whose long rows are listed instead of competed for.
template <typename Mapping>
struct Listed : Mapping {};

template <typename Mapping>
constexpr bool kIsListed = false;
template <typename Mapping>
constexpr bool kIsListed<Listed<Mapping>> = true;

// A mapping whose threads keep new vertices in registers (append.cuh).
template <typename Mapping>
struct Keeping : Mapping {};

template <typename Mapping>
constexpr bool kKeeps = false;
template <typename Mapping>
constexpr bool kKeeps<Keeping<Mapping>> = true;

// Adds the value of the lane that is `distance` below, if there is one. The shuffle sets the predicate of the addition,
// so that no lane branches (Busato and Bombieri, section 3.2).
__device__ inline u64 add_from_below(u64 x, u32 distance) {
#ifdef G500_EMULATED
	const u64 below = __shfl_up_sync(~0u, x, distance);
	return lane_of_thread() < distance ? x : x + below;
#else
	asm volatile("{ .reg .u64 below; .reg .u32 low, high; .reg .pred there; mov.b64 {low, high}, %0; "
	             "shfl.sync.up.b32 low|there, low, %1, 0, -1; shfl.sync.up.b32 high|there, high, %1, 0, -1; "
	             "mov.b64 below, {low, high}; @there add.u64 %0, %0, below; }"
	             : "+l"(x)
	             : "r"(distance));
	return x;
#endif
}

// ScanSlots has the edges that a warp gathers at a time. Five blocks of 256 threads, as many as 48 registers per thread
// let run, fill the shared memory of an H100's multiprocessor with their slots and ExpandShared.
struct ScanSlots {
	static constexpr u32 kPerLane = 5;
	static constexpr u32 kAll = 32 * kPerLane;
	u64 column[kAll], place[kAll];
	u32 from[kAll];
};

// Like ByScan, but per warp: a prefix sum by shuffles, without a barrier of the block. Lanes write the edges of their
// rows to slots, and each lane visits as many. Full slots are read in an unrolled loop, so that all loads of a lane are
// independent (Busato and Bombieri, section 3.2).
struct ByWarpScan {
	template <typename Visit>
	static __device__ void gather(const Level &k, GatherShared &, TileRow &row, Visit &visit) {
		G500_SHARED_MEMORY(memory);
		ScanSlots &slots = reinterpret_cast<ScanSlots *>(memory + k.slots_at)[threadIdx.x / 32];
		u64 upto = row.n;
#pragma unroll
		for (u32 distance = 1; distance < 32; distance *= 2) upto = add_from_below(upto, distance);
		const u64 sum = __shfl_sync(~0u, upto, 31);
		u64 before = upto - row.n;
		for (u64 done = 0; done < sum; done += ScanSlots::kAll) {
			fill(k.g, slots, row, before, done);
			__syncwarp();
			if (sum - done >= ScanSlots::kAll) take_all(k.g, slots, visit);
			else take(k.g, slots, (u32)(sum - done), visit);
			__syncwarp();
		}
	}

private:
	// Writes the edges of a row with numbers below done + kAll; `before` is the number of its first edge.
	template <typename Graph>
	static __device__ void fill(const Graph &g, ScanSlots &to, TileRow &row, u64 &before, u64 done) {
		for (; row.n && before < done + ScanSlots::kAll; row.n--, before++) {
			const u32 slot = (u32)(before - done);
			to.from[slot] = row.v;
			to.column[slot] = row.begin;
			to.place[slot] = row.place++;
			if (row.n > 1) row.begin = g.forward(row.begin, row.end, 1);
		}
	}

	template <typename Graph, typename Visit>
	static __device__ void take_all(const Graph &g, const ScanSlots &at, Visit &visit) {
		const u32 lane = lane_of_thread();
		u32 to[ScanSlots::kPerLane];
#pragma unroll
		for (u32 i = 0; i < ScanSlots::kPerLane; i++) to[i] = __ldg(g.cols + at.column[32 * i + lane]);
#pragma unroll
		for (u32 i = 0; i < ScanSlots::kPerLane; i++) visit(at.from[32 * i + lane], to[i], at.place[32 * i + lane]);
	}

	template <typename Graph, typename Visit>
	static __device__ void take(const Graph &g, const ScanSlots &at, u32 n, Visit &visit) {
		for (u32 first = 0; first < n; first += 32) {
			const u32 slot = first + lane_of_thread();
			visit(at.from[slot], slot < n ? __ldg(g.cols + at.column[slot]) : kNone, at.place[slot]);
		}
	}
};

// Processes a queue in tiles: all threads of a block call act(i, has) together.
template <u32 kOf = kThreads, typename Act>
__device__ inline void for_tiles(u64 n, Act act) {
	for (u64 tile = (u64)blockIdx.x * kOf; tile < n; tile += (u64)gridDim.x * kOf)
		act(tile + threadIdx.x, tile + threadIdx.x < n);
}

// A table of kernels by gathering, in the order of the words of gather; direct, the last one, is in none.
#define LAB_BY_GATHER(kernel) \
	{kernel<Serial>, kernel<ByWarp>, kernel<ByBlock>, kernel<ByScan>, kernel<ByGroup>, kernel<ByWarpScan>}

template <typename>
constexpr char kHasKernel = 1;
constexpr char kGatherings[] = LAB_BY_GATHER(kHasKernel);
static_assert(sizeof kGatherings == kDirect && sizeof kGatherings == G500_LAB_MOST_GATHER, "a word has no kernel");

// Gathers a tile: rows above the limits of the strategy by the block or a warp, the others by the mapping.
template <typename Mapping, typename Visit>
__device__ inline void gather_tile(const Level &k, GatherShared &sh, TileRow row, Visit &visit) {
	const auto by_block = [&](const TileRow &one) { share_row(k.g, one, threadIdx.x, kThreads, visit); };
	const auto by_warp = [&](const TileRow &one) { share_row(k.g, one, lane_of_thread(), 32, visit); };
	if (kIsListed<Mapping>) {
		if (k.limits.block) for_listed_rows_of_block(sh, row, k.limits.block, by_block);
		if (k.limits.warp) for_listed_rows_of_warp(sh, row, k.limits.warp, by_warp);
	} else {
		if (k.limits.block) for_rows_of_block(sh, row, k.limits.block, by_block);
		if (k.limits.warp) for_rows_of_warp(row, k.limits.warp, by_warp);
	}
	Mapping::gather(k, sh, row, visit);
}

} // namespace g500::lab
