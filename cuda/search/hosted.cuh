// Messages to ranks that are no peers and have no board to be read. While all blocks wait at a barrier the host carries
// them: the last block tells it what is ready to go, the host exchanges it with the other hosts, by MPI or whatever
// joins them, and what has come lies in host memory when the barrier ends. Blocks write what goes, and read what comes,
// over PCIe: whole sectors, side by side, and each word once.
//
// Of bitmaps a rank tells the words that have changed since it told last, or all of its part if that is shorter. The
// parts of such ranks are the same in both bitmaps of a search, so that changes of one level are enough.
#pragma once

#include "search/search.cuh"
#include "search/board.cuh"
#include "search/bottomup.cuh"
#include "search/mail.cuh"

namespace g500 {

// What a message says of its words: their number, and whether they are the whole part of the bitmap, or a list with the
// place of each in that part in its low half.
struct Parcel {
	u32 words;
	bool whole;

	__device__ u64 told() const { return (u64)words << 1 | whole; }
	__device__ u64 bytes() const { return words * (u64)(whole ? sizeof(u32) : sizeof(u64)); }
};

__device__ inline Parcel parcel_of(const World &w, u32 rank) {
	const u64 told = read_now((const ull *)w.listed + rank);
	return {(u32)(told >> 1), (bool)(told & 1)};
}

// What this rank sends of its words: the shorter form.
__device__ inline Parcel parcel_for(const World &w, const Report &report) {
	if (!report.of[kWords]) return {0, false};
	const u64 listed = count_of(report.listed);
	const bool fits = report.listed && listed <= w.carried.list_room;
	return fits ? Parcel{(u32)listed, false} : Parcel{w.carried.part_words, true};
}

// Hands the host a message for each rank that gets one, with what the report says in front, and one for this rank
// itself that has nothing but that. Words are the same for all. A warp does it, for the whole rank.
__device__ __noinline__ void post_letters(const World &w, const Report &report, u32 turn) {
	const Carried &c = w.carried;
	const Parcel parcel = parcel_for(w, report);
	const u32 lane = threadIdx.x & 31;
	for (u32 r = 0; r < w.ranks; r++) {
		const bool own = r == w.rank;
		if (!own && !is_carried(w, r)) continue;
		const u64 pairs = report.of[kPairs] && !own ? read_now(report.of[kPairs] + r) : 0;
		u64 *message = own || !parcel.words ? outbox_of(w, r, 0) : parcel.whole ? c.part : c.list;
		message -= kNews;
		if (lane < kNews) {
			const u64 told = lane == kPairs ? pairs : lane == kWords && !own ? parcel.told() : count_of(report.of[lane]);
			store_word(message + lane, turn, told);
		}
		if (lane == 0) c.letters[r] = {message, kNews * sizeof(u64) + (own ? 0 : pairs * sizeof(u64) + parcel.bytes())};
		if (lane == 0 && own) w.listed[r] = parcel.told();
	}
	__syncwarp();
	if (lane != 0) return;
	__threadfence_system();
	*(volatile u32 *)&c.post->barrier = turn;
}

__device__ inline bool is_lost(const World &w) { return w.carried.post && *(const volatile u32 *)&w.carried.post->lost; }

// Brings the mail of ranks that are no peers to where that of peers comes. Where the host carries messages, this rank's own
// comes with them, so that no barrier ends before the host has done its part; it has so many pairs. Of the words of ranks that
// are no peers it is kept apart how many they are. Nobody is waited for any longer when the host cannot carry messages.
__device__ __noinline__ void fetch_mail(const World &w, u32 turn, u64 pairs) {
	const u32 lane = threadIdx.x & 31;
	const u64 until = now_ns() + w.patience;
	for (u32 r = 0; r < w.ranks; r++) {
		const bool own = r == w.rank;
		if (own ? !w.carried.post : !is_stranger(w, r)) continue;
		const u64 *mail = is_near(w, r) ? mail_on_board(w, r, w.rank, turn) : w.carried.mail + r * kNews;
		u64 told = 0;
		const bool come = lane >= kNews || await_word(mail + lane, turn, told, [&] { return !is_lost(w) && may_answer(w, r, until); });
		if (!__all_sync(~0u, come)) {
			give_up(w);
			return;
		}
		if (own && lane == kPairs) told = pairs;
		if (!own && lane == kWords) {
			w.listed[r] = told;
			told = 0;
		}
		fence_far();
		if (lane < kNews) store_word(mail_in(w, w.window, r, turn) + lane, turn, told);
	}
}

// Tells the host that no more messages will go.
__device__ inline void end_post(const World &w) {
	if (w.carried.post) *(volatile u32 *)&w.carried.post->over = 1;
}

// Bytes of words that the last barrier has told of, in lists of groups and in parcels.
__device__ __noinline__ u64 bytes_to_strangers(const World &w, const ull *groups) {
	return w.readers * read_now(groups) * kGroupBytes + w.carried.ranks * parcel_of(w, w.rank).bytes();
}

__device__ __noinline__ u64 bytes_from_strangers(const World &w) {
	u64 sum = 0;
	for (u32 r = 0; r < w.ranks; r++)
		if (is_stranger(w, r)) sum += is_near(w, r) ? groups_of(w, r) * (u64)kGroupBytes : parcel_of(w, r).bytes();
	return sum;
}

// Empties the parts of ranks that are no peers in a bitmap.
__device__ __noinline__ void clear_strangers(const World &w, u32 *bitmap) {
	const u32 groups = (1u << w.shift) / kGroup;
	for (u32 r = 0; r < w.ranks; r++) {
		if (!is_stranger(w, r)) continue;
		uint4 *part = (uint4 *)bitmap + (u64)r * groups;
		for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < groups; i += gridDim.x * kThreads) part[i] = make_uint4(0, 0, 0, 0);
	}
}

// Sum of a warp's numbers up to each lane.
__device__ inline u32 sum_upto(u32 n) {
	const u32 lane = threadIdx.x & 31;
	for (u32 d = 1; d < 32; d *= 2) {
		const u32 below = __shfl_up_sync(~0u, n, d);
		if (lane >= d) n += below;
	}
	return n;
}

// Appends the words of a group that have changed to the list, as long as it has room; all of a warp's lanes do it
// together.
__device__ inline void list_changed(const Carried &c, u32 group, const uint4 &words, const uint4 &had, ull *listed) {
	const u32 now[4] = {words.x, words.y, words.z, words.w};
	const bool changed[4] = {words.x != had.x, words.y != had.y, words.z != had.z, words.w != had.w};
	const u32 n = changed[0] + changed[1] + changed[2] + changed[3], upto = sum_upto(n);
	u64 slot = 0;
	if ((threadIdx.x & 31) == 31 && upto) slot = atomicAdd(listed, (ull)upto);
	slot = __shfl_sync(~0u, slot, 31) + upto - n;
#pragma unroll
	for (u32 j = 0; j < 4; j++)
		if (changed[j] && slot < c.list_room) c.list[slot++] = (u64)now[j] << 32 | (group * 4 + j);
}

// Writes this rank's part of a bitmap for ranks that are no peers: to the board all that is not empty, since bits do not
// vanish; for messages the whole, or a list of the words that are not empty, which the caller knows to have room.
__device__ __noinline__ void post_visited(const Columns &g, const World &w, u32 turn, const u32 *part, ull *listed, ull *grouped) {
	const u32 groups = g.padded / kGroup;
	for (u32 i0 = blockIdx.x * kThreads; i0 < groups; i0 += gridDim.x * kThreads) {
		const u32 i = i0 + threadIdx.x;
		const uint4 none = make_uint4(0, 0, 0, 0), words = i < groups ? __ldcg((const uint4 *)part + i) : none;
		if (w.readers) list_group(w, turn, any_set(words), i, words, grouped);
		if (!w.carried.ranks) continue;
		if (listed) list_changed(w.carried, i, words, none, listed);
		else if (i < groups) ((uint4 *)w.carried.part)[i] = words;
	}
}

// Writes what a bottom-up level has made of the block's vertices, as far as it has changed since the old bitmap: to the
// board, and for messages. For these the part lies in host memory as it was after the level before; in the first level
// the whole is written.
__device__ __noinline__ void post_fresh(const Columns &g, const State &s, const World &w, u32 turn, const u32 *mine, bool whole, ull *listed,
                                        ull *grouped) {
	constexpr u32 kBlockGroups = kWarps * (kPad / kGroup), kTurns = kThreads / kBlockGroups; // see for_swept
	const u32 groups = g.padded / kGroup;
	for (u32 t0 = 0; ((u64)t0 * gridDim.x + blockIdx.x) * kBlockGroups < groups; t0 += kTurns) {
		const u64 group = ((u64)(t0 + threadIdx.x / kBlockGroups) * gridDim.x + blockIdx.x) * kBlockGroups + threadIdx.x % kBlockGroups;
		const bool inside = group < groups;
		const uint4 none = make_uint4(0, 0, 0, 0);
		const uint4 now = inside ? __ldcg((const uint4 *)s.fresh + group) : none, had = inside ? __ldcg((const uint4 *)mine + group) : none;
		const bool same = now.x == had.x && now.y == had.y && now.z == had.z && now.w == had.w;
		if (w.readers) list_group(w, turn, !same, (u32)group, now, grouped);
		if (!w.carried.ranks) continue;
		if (inside && (whole || !same)) ((uint4 *)w.carried.part)[group] = now;
		list_changed(w.carried, (u32)group, now, had, listed);
	}
}

// Takes the words of ranks that send messages into both bitmaps.
__device__ __noinline__ void take_words(const World &w, u32 *const (&visited)[2]) {
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	for (u32 r = 0; r < w.ranks; r++) {
		if (!is_carried(w, r)) continue;
		const Parcel parcel = parcel_of(w, r);
		const u64 part = ((u64)r << w.shift) / 32;
		if (parcel.whole) {
			for (u32 i = thread; i < parcel.words / 4; i += threads) {
				const uint4 words = __ldcv((const uint4 *)inbox_of(w, r, 0) + i);
				for (u32 *bitmap : visited) ((uint4 *)(bitmap + part))[i] = words;
			}
		} else {
			for (u32 i = thread; i < parcel.words; i += threads) {
				const u64 word = __ldcv((const ull *)inbox_of(w, r, 0) + i);
				for (u32 *bitmap : visited) bitmap[part + (u32)word] = word >> 32;
			}
		}
	}
}

} // namespace g500
