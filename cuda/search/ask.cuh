// Asking in a bottom-up level: open vertices have found no parent, but have neighbours of which this rank does not know
// whether they are visited. Their owners are asked, and answer by what was visited before the level (ADR 28). It is a
// push that claims nothing: open vertices are the queue, and questions go where the edges to unknown neighbours lead.
//
// What is asked is marked in the older bitmap, so that a rank asks about a vertex once a level. What that one has
// beyond the newest was known before the last sweep, which found all its neighbours: no open vertex is one of them. A
// question that finds no room is not marked, and waits for another round.
#pragma once

#include "search/push.cuh"
#include "search/questions.cuh"

namespace g500 {

// AskableRows are the ends of rows, where hub ids are not told, from the last one on.
template <typename Form>
struct AskableRows {
	using Id = typename Form::Id;
	using Edge = EdgeOf<Id>;
	struct Column {
		u64 at;

		__device__ Column operator+(u64 n) const { return {at - n}; }
	};

	const Graph &g;
	u32 told;

	__device__ inline u64 length(u32 v) const { return g.rows[v + 1] - first(v); }
	__device__ inline Column begin(u32 v) const { return {g.rows[v + 1] - 1}; }
	__device__ inline Edge edge(u32 v, Column col) const { return {v, load_position(columns<Form>(g) + col.at)}; }
	__device__ inline Edge none() const { return {0, kNoId<Id>}; }

	__device__ inline bool is_told(u64 edge) const {
		return ((u32)load_position(columns<Form>(g) + edge) & g.hub_mask) < told;
	}

	// Whether the row has such an end.
	__device__ inline bool any(u32 v) const { return g.rows[v + 1] > g.rows[v] && !is_told(g.rows[v + 1] - 1); }

	// Where it begins: rows rise by hub id.
	__device__ inline u64 first(u32 v) const {
		u64 low = g.rows[v], high = g.rows[v + 1];
		while (low < high) {
			const u64 middle = (low + high) / 2;
			if (is_told(middle)) low = middle + 1;
			else high = middle;
		}
		return low;
	}
};

template <typename Form>
__device__ inline AskableRows<Form> askable_rows(const Context<Form> &k) { return {k.graph, k.ranks.told}; }

// OpenList is a list of vertices that have found no parent, with gaps, of a warp or of the block.
struct OpenList {
	const u32 *vertices;
	u32 n;
	u32 begin, step; // the places that this warp takes 32 of, and how far it is to the next ones

	template <typename Act>
	__device__ inline void by_warp(Act act) const {
		for (u32 i0 = begin; i0 < n; i0 += step) {
			const u32 i = i0 + lane_of_thread();
			act(i, i < n ? vertices[i] : kNone);
		}
	}
};

// Puts the list's open vertices into the queue.
template <typename Form>
__device__ __noinline__ void queue_open(Context<Form> &k, const OpenList list, ull *queued) {
	const AskableRows<Form> rows = askable_rows(k);
	u32 *queue = k.queue();
	list.by_warp([&](u32, u32 v) {
		const bool open = v != kNone && rows.any(v);
		const u32 lanes = __ballot_sync(~0u, open);
		u64 at = 0;
		if (lane_of_thread() == 0 && lanes) at = atomicAdd(queued, (ull)__popc(lanes));
		at = __shfl_sync(~0u, at, 0) + __popc(lanes & lanes_below());
		if (open) queue[at] = v;
	});
}

// MarkUnknown visits the edges of open vertices: unknown neighbours that are not marked yet are to be asked about.
template <typename Form>
struct MarkUnknown {
	using Id = typename Form::Id;

	const Ranks &ranks;
	const u32 *known;
	u32 *marks;

	__device__ inline ReachedAs<Id> operator()(EdgeOf<Id> (&tile)[kEdgesPerThread]) const {
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const Id to = tile[j].to;
			if (!is_none(to) && (!gets_messages(ranks, rank_of_position(ranks, to)) || test(known, to)))
				tile[j].to = kNoId<Id>;
		}
		bool won[kEdgesPerThread];
		claim(tile, marks, won);
		ReachedAs<Id> unknown;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) unknown.remote[j] = won[j] ? tile[j].to : kNoId<Id>;
		return unknown;
	}
};

// QuestionList takes down questions by the rank that they are for, which sender counts.
struct QuestionList {
	const Ranks &ranks;
	PairSender sender;

	template <typename Id>
	__device__ inline bool operator()(const ReachedAs<Id> &unknown) const {
		u32 slot[kEdgesPerThread];
		sender.count(unknown, slot);
		__syncthreads();
		sender.reserve(room());
		__syncthreads();
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const Id position = unknown.remote[j];
			if (is_none(position)) continue;
			const u32 r = rank_of_position(ranks, position);
			const u64 at = sender.bins.base[r] + slot[j];
			if (at < room()) ((u32 *)(ranks.posed + r * ranks.room))[at] = hub_of_position(ranks, position);
			else sender.give_up(position);
		}
		__syncthreads();
		return true; // all are counted
	}

private:
	__device__ inline u64 room() const { return 2 * ranks.room; }
};

template <typename Form>
__device__ __noinline__ void list_questions(Context<Form> &k, ull *sent) {
	const AskableRows<Form> rows = askable_rows(k);
	ByBlock<AskableRows<Form>> advance(rows, k.push.advance, k.edge_queue());
	MarkUnknown<Form> visit{k.ranks, k.visited(), k.other_visited()};
	push(advance, visit, QuestionList{k.ranks, k.sender(sent, k.other_visited())});
}

// Counts questions when all have been listed, so many for each rank, and behind them those that find no room; and the
// words of the others.
__device__ __noinline__ void count_questions(const Ranks &ranks, Counters *c, const ull *listed) {
	if (blockIdx.x != 0) return;
	if (threadIdx.x == 0) c->asked = read_now(listed + ranks.count);
	__syncthreads();
	for (u32 r = threadIdx.x; r < ranks.count; r += kThreads) {
		const u64 n = read_now(listed + r);
		ranks.posed_words[r] = (n + 1) / 2;
		if (n) atomicAdd(&c->asked, (ull)n);
	}
}

// Sends them, side by side.
template <typename Form>
__device__ __noinline__ void send_questions(const Context<Form> &k, const ull *listed) {
	const Ranks &ranks = k.ranks;
	const auto words = [&](u32 r) {
		return Questions{ranks.posed + r * ranks.room, (read_now(listed + r) + 1) / 2};
	};
	for_questions(ranks, words, [&](u32 r, u64 i, u64 word) {
		const u64 at = 32 * i + lane_of_thread(), n = read_now(listed + r);
		if (2 * at < n) send_buffer(ranks, r, k.at.rounds)[at] = 2 * at + 1 < n ? word : word | (u64)kNone << 32;
	});
}

// Writes a piece of this rank's part of the bitmap for messages.
template <typename Form>
__device__ __noinline__ void post_piece(const Context<Form> &k, u32 first) {
	const uint4 *part = (const uint4 *)k.own_part(k.visited()) + first;
	const u32 groups = k.graph.padded / kGroup, n = first < groups ? min(groups - first, k.ranks.piece) : 0;
	if (!k.ranks.messages.ranks) return;
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
		((uint4 *)k.ranks.messages.list)[i] = __ldcg(part + i);
}

// Has all ranks tell all bits, as they were before the level: listed, or piece by piece.
template <typename Form>
__device__ __noinline__ void tell_all(Context<Form> &k, bool lists) {
	Counters *c = k.counters(k.at.level);
	ull *listed = lists ? &c->listed_all : nullptr;
	const u32 groups = k.ranks.groups, piece = lists ? groups : k.ranks.piece;
	for (u32 first = 0; first < groups && !k.at.failed; first += piece) {
		const u64 began = now_ns();
		if (lists) post_visited(k, k.graph.padded, listed, nullptr);
		else post_piece(k, first);
		count_exchange(k, began);
		rank_barrier(k, {{nullptr, nullptr, nullptr, &c->words}, listed, nullptr, kAllBits, first});
		take_remote(k);
	}
}

// Makes the words of the older bitmap with marks what they are in the newest one.
template <typename Form>
__device__ __noinline__ void clear_marks(Context<Form> &k) {
	using Id = typename Form::Id;
	const AskableRows<Form> rows = askable_rows(k);
	ByBlock<AskableRows<Form>> advance(rows, k.push.advance, k.edge_queue());
	const u32 *known = k.visited();
	u32 *marks = k.other_visited();
	for (EdgeOf<Id> tile[kEdgesPerThread]; advance.next(tile); __syncthreads())
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const Id to = tile[j].to;
			if (is_none(to) || !gets_messages(k.ranks, rank_of_position(k.ranks, to))) continue;
			marks[word_of(to)] = known[word_of(to)];
		}
}

// Whether so many questions of all ranks would take longer than all bits: as words, or, before the first sweep, when
// hardly a vertex is visited, in a list that takes three bytes a vertex. A question and its answer take 33 bits.
template <typename Form>
__device__ bool are_too_many(const Context<Form> &k, u64 questions) {
	const u64 visited = k.hubs() + 1 - k.at.unvisited;
	const bool few = !k.at.swept && questions * 33 > visited * 24 * k.ranks.other_hosts;
	return few || questions > k.ranks.most_questions;
}

// Begins a round of questions. Whether they are too many is found out beforehand where that is likely. Returns where
// they are counted, or null if ranks have told all instead.
template <typename Form>
__device__ ull *list_round(Context<Form> &k, bool first) {
	Counters *c = k.counters(k.at.level);
	ull *listed = open_round(k);
	const u64 began = now_ns();
	list_questions(k, listed);
	grid_barrier(k);
	count_questions(k.ranks, c, listed);
	if (is_first_thread()) c->unlisted = !may_list_visited(k);
	count_exchange(k, began);
	if (!first || k.at.swept) return listed;
	rank_barrier(k, {{&c->asked, &c->unlisted}});
	if (k.at.failed) return nullptr;
	if (!are_too_many(k, k.sums.of[kVertices])) return listed;
	tell_all(k, k.sums.of[kEdges] == 0);
	return nullptr;
}

// A round of questions and answers. Returns whether ranks have more questions.
template <typename Form>
__device__ bool ask_round(Context<Form> &k, bool first) {
	const Ranks &ranks = k.ranks;
	Counters *c = k.counters(k.at.level);
	const ull *listed = list_round(k, first);
	if (!listed) return false;
	const u64 began = now_ns();
	send_questions(k, listed);
	count_exchange(k, began);
	ull *words = ranks.posed_words;
	const ull *left = listed + ranks.count;
	rank_barrier(k, {{&c->asked, &c->unlisted, words, nullptr, nullptr, left}, nullptr, nullptr, kQuestions});
	if (k.at.failed) return false;
	const u64 questions = k.sums.of[kVertices];
	const bool more = k.sums.of[kRemaining] > 0, lists = k.sums.of[kEdges] == 0;
	close_round(k, words);
	if (questions == 0) return false;
	if (first && are_too_many(k, questions)) {
		tell_all(k, lists);
		return false;
	}
	const u32 round = k.at.rounds, *upto = k.bins.upto;
	const auto asked = [&](u32 r) {
		return Questions{receive_buffer(ranks, r, round), upto[r] - (r ? upto[r - 1] : 0)};
	};
	// Where a word has one question, nobody has answered what else is in it.
	const auto posed = [&](u32 r) { return Questions{ranks.posed + r * ranks.room, ranks.posed_words[r]}; };
	exchange_answers(k, asked, posed);
	return more;
}

// Has this rank know of all neighbours of the vertices in the lists of its blocks or warps.
template <typename Form>
__device__ __noinline__ void ask(Context<Form> &k, const OpenList list) {
	Counters *c = k.counters(k.at.level);
	queue_open(k, list, &c->open);
	grid_barrier(k);
	alone([&] { k.at.queued = (u32)read_now(&c->open); });
	number_queue(k, askable_rows(k), &c->numbered);
	bool more = !k.at.failed;
	for (bool first = true; more; first = false) more = ask_round(k, first) && !k.at.failed;
	if (!k.at.failed) clear_marks(k);
}

} // namespace g500
