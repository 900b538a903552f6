// Query mode: ranks on different nodes replicate only the bits of some hubs, and query the owners of other vertices
// whether these are visited (ADR 28). Only forms with kQueries include it. The steps of a search call query_open,
// query_remaining and query_leaves.
//
// Open vertices of a bottom-up level have no parent yet, but neighbours of unknown state. The neighbours' owners reply
// from the visited vertices before the level. Listing queries is a push without claims: the queue is the open vertices,
// and their edges to unknown neighbours become queries.
//
// Queried vertices are marked in the older bitmap, so a rank queries a vertex once per level. Bits that only the older
// bitmap has are harmless: they were known before the last sweep, which has found all their neighbours, so no open
// vertex has an edge to them. A query that does not fit is not marked, and waits for the next round.
#pragma once

#include "search/exchange_queries.cuh"
#include "search/exchange_remote.cuh"
#include "search/probe.cuh"
#include "search/push.cuh"

namespace g500 {

// QueryableRows are the ends of rows whose local ids are not replicated, in reverse order.
template <typename Form>
struct QueryableRows {
	using Id = typename Form::Id;
	using Edge = EdgeOf<Id>;
	struct Neighbours {
		u64 at;

		__device__ Neighbours operator+(u64 n) const { return {at - n}; }
	};

	const Graph &g;
	u32 replicated; // number of replicated local ids

	__device__ inline u64 length(u32 v) const { return g.rows[v + 1] - first(v); }
	__device__ inline Neighbours begin(u32 v) const { return {g.rows[v + 1] - 1}; }
	__device__ inline Edge edge(u32 v, Neighbours col) const { return {v, load_global_id(neighbours<Form>(g) + col.at)}; }
	__device__ inline Edge none() const { return {0, kNoId<Id>}; }

	__device__ inline bool is_replicated(u64 edge) const {
		return ((u32)load_global_id(neighbours<Form>(g) + edge) & g.local_mask) < replicated;
	}

	// Returns whether the row has such edges.
	__device__ inline bool any(u32 v) const { return g.rows[v + 1] > g.rows[v] && !is_replicated(g.rows[v + 1] - 1); }

	// Returns the first such edge. Rows are sorted by local id.
	__device__ inline u64 first(u32 v) const {
		u64 low = g.rows[v], high = g.rows[v + 1];
		while (low < high) {
			const u64 middle = (low + high) / 2;
			if (is_replicated(middle)) low = middle + 1;
			else high = middle;
		}
		return low;
	}
};

template <typename Form>
__device__ inline QueryableRows<Form> queryable_rows(const Context<Form> &k) {
	return {k.graph, k.ranks.replicated_hubs};
}

// OpenList is a list, with gaps, of vertices without a parent, of one warp or of the block.
struct OpenList {
	const u32 *vertices;
	u32 n;
	u32 begin, step; // the warp's first 32 places, and the distance to its next ones

	template <typename Act>
	__device__ inline void by_warp(Act act) const {
		for (u32 i0 = begin; i0 < n; i0 += step) {
			const u32 i = i0 + lane_of_thread();
			act(i, i < n ? vertices[i] : kNone);
		}
	}
};

// Appends the list's open vertices to the queue.
template <typename Form>
__device__ __noinline__ void queue_open(Context<Form> &k, const OpenList list, ull *queued) {
	const QueryableRows<Form> rows = queryable_rows(k);
	u32 *queue = k.queue();
	list.by_warp([&](u32, u32 v) {
		const bool open = v != kNone && rows.any(v);
		const u64 at = append_by_warp<u64>(__ballot_sync(~0u, open), queued);
		if (open) queue[at] = v;
	});
}

// MarkUnknown visits the edges of open vertices. It marks unknown neighbours and returns those that were not marked.
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
			if (!is_none(to) && (!gets_messages(ranks, rank_of_id(ranks, to)) || test(known, to)))
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

// QueryList stores queries by the rank that they are for; sender counts them.
struct QueryList {
	const Ranks &ranks;
	PairSender sender;

	template <typename Id>
	__device__ inline bool operator()(const ReachedAs<Id> &unknown) const {
		u32 slot[kEdgesPerThread];
		sender.count(unknown, slot);
		__syncthreads();
		sender.reserve(capacity());
		__syncthreads();
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const Id global_id = unknown.remote[j];
			if (is_none(global_id)) continue;
			const u32 r = rank_of_id(ranks, global_id);
			const u64 at = sender.bins.base[r] + slot[j];
			if (at < capacity()) ((u32 *)(ranks.query.words + r * ranks.round_pairs))[at] = local_id_in(ranks, global_id);
			else sender.give_up(global_id);
		}
		__syncthreads();
		return true; // queries that do not fit are counted, too
	}

private:
	__device__ inline u64 capacity() const { return 2 * ranks.round_pairs; }
};

template <typename Form>
__device__ __noinline__ void list_queries(Context<Form> &k, ull *sent) {
	const QueryableRows<Form> rows = queryable_rows(k);
	ByBlock<QueryableRows<Form>> advance(rows, k.push.advance, k.edge_queue());
	MarkUnknown<Form> visit{k.ranks, k.visited(), k.other_visited()};
	push(advance, visit, QueryList{k.ranks, k.sender(sent, k.other_visited())});
}

// Counts the queries after all have been listed, and their words. `listed` is the number of queries by rank, then the
// number of those that did not fit.
__device__ __noinline__ inline void count_queries(const Ranks &ranks, Counters *c, const ull *listed) {
	if (blockIdx.x != 0) return;
	if (threadIdx.x == 0) c->queries = read_now(listed + ranks.count);
	__syncthreads();
	for (u32 r = threadIdx.x; r < ranks.count; r += kThreads) {
		const u64 n = read_now(listed + r);
		ranks.query.counts[r] = (n + 1) / 2;
		if (n) atomicAdd(&c->queries, (ull)n);
	}
}

// Copies the queries to the send buffers, coalesced.
template <typename Form>
__device__ __noinline__ void send_queries(const Context<Form> &k, const ull *listed) {
	const Ranks &ranks = k.ranks;
	const auto words = [&](u32 r) {
		return Queries{ranks.query.words + r * ranks.round_pairs, (read_now(listed + r) + 1) / 2};
	};
	for_queries(ranks, words, [&](u32 r, u64 i, u64 word) {
		const u64 at = 32 * i + lane_of_thread(), n = read_now(listed + r);
		if (2 * at < n) send_buffer(ranks, r, k.at.rounds)[at] = 2 * at + 1 < n ? word : word | (u64)kNone << 32;
	});
}

// Writes a piece of this rank's part of the bitmap for messages: n groups from group `first` on.
template <typename Form>
__device__ __noinline__ void write_piece(const Context<Form> &k, u32 first, u32 n) {
	const uint4 *part = (const uint4 *)k.own_part(k.visited()) + first;
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; k.ranks.messages.ranks && i < n; i += gridDim.x * kThreads)
		((uint4 *)k.ranks.messages.list)[i] = __ldcg(part + i);
}

template <typename Form>
__device__ inline Posted post_piece(const Context<Form> &k, u32 first) {
	const u32 groups = k.graph.padded / kGroup, n = first < groups ? min(groups - first, k.ranks.query.piece) : 0;
	write_piece(k, first, n);
	return {PostedAs::kPiece, n * kWordsOfGroup, nullptr};
}

// Sends all bits of all ranks, as they were before the level: in lists, or piece by piece.
template <typename Form>
__device__ __noinline__ void send_all_bits(Context<Form> &k, bool lists) {
	Counters *c = k.counters(k.at.level);
	const u32 groups = k.ranks.groups, piece = lists ? groups : k.ranks.query.piece;
	for (u32 first = 0; first < groups && !k.at.failed; first += piece) {
		const u64 began = now_ns();
		Posted posted;
		if (lists) posted = post_visited(k, PostedAs::kList, k.graph.padded / kGroup, &c->listed_all, nullptr);
		else posted = post_piece(k, first);
		count_exchange(k, began);
		rank_barrier(k, {{nullptr, nullptr, nullptr, &c->words}, posted, nullptr, kAllBits, first});
		take_remote(k);
	}
}

// Clears marks: copies the marked words of the newest bitmap to the older one.
template <typename Form>
__device__ __noinline__ void clear_marks(Context<Form> &k) {
	using Id = typename Form::Id;
	const QueryableRows<Form> rows = queryable_rows(k);
	ByBlock<QueryableRows<Form>> advance(rows, k.push.advance, k.edge_queue());
	const u32 *known = k.visited();
	u32 *marks = k.other_visited();
	for (EdgeOf<Id> tile[kEdgesPerThread]; advance.next(tile); __syncthreads())
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const Id to = tile[j].to;
			if (is_none(to) || !gets_messages(k.ranks, rank_of_id(k.ranks, to))) continue;
			marks[word_of(to)] = known[word_of(to)];
		}
}

// Returns whether these queries of all ranks would take longer than sending all bits: as words or, before the first
// sweep, when few vertices are visited, in a list with three bytes per vertex. A query and its reply take 33 bits.
template <typename Form>
__device__ bool are_too_many(const Context<Form> &k, u64 queries) {
	const u64 visited = k.non_leaf() + 1 - k.at.unvisited;
	const bool few = !k.at.swept && queries * 33 > visited * 24 * k.ranks.query.other_nodes;
	return few || queries > k.ranks.query.most;
}

// Begins a round of queries. If there may be too many, checks that first. Returns the counters of queries, or null if
// ranks have sent all bits instead.
template <typename Form>
__device__ ull *list_round(Context<Form> &k, bool first) {
	Counters *c = k.counters(k.at.level);
	ull *listed = open_round(k);
	const u64 began = now_ns();
	list_queries(k, listed);
	grid_barrier(k);
	count_queries(k.ranks, c, listed);
	if (is_first_thread()) c->unlisted = !lists_visited(k, k.ranks.messages.list_capacity);
	count_exchange(k, began);
	if (!first || k.at.swept) return listed;
	rank_barrier(k, {{&c->queries, &c->unlisted}});
	if (k.at.failed) return nullptr;
	if (!are_too_many(k, k.sums.of[kVertices])) return listed;
	send_all_bits(k, k.sums.of[kEdges] == 0);
	return nullptr;
}

// Exchanges a round of queries and replies. Returns whether ranks have more queries.
template <typename Form>
__device__ bool query_round(Context<Form> &k, bool first) {
	const Ranks &ranks = k.ranks;
	Counters *c = k.counters(k.at.level);
	const ull *listed = list_round(k, first);
	if (!listed) return false;
	const u64 began = now_ns();
	send_queries(k, listed);
	count_exchange(k, began);
	ull *words = ranks.query.counts;
	const ull *left = listed + ranks.count;
	rank_barrier(k, {{&c->queries, &c->unlisted, words, nullptr, nullptr, left}, {}, nullptr, kQueries});
	if (k.at.failed) return false;
	const u64 queries = k.sums.of[kVertices];
	const bool more = k.sums.of[kUnsent] > 0, lists = k.sums.of[kEdges] == 0;
	close_round(k, words);
	if (queries == 0) return false;
	if (first && are_too_many(k, queries)) {
		send_all_bits(k, lists);
		return false;
	}
	const u32 round = k.at.rounds, *upto = k.bins.upto;
	const auto received = [&](u32 r) {
		return Queries{receive_buffer(ranks, r, round), upto[r] - (r ? upto[r - 1] : 0)};
	};
	// If a word has one query, its high half has no reply.
	const auto sent = [&](u32 r) { return Queries{ranks.query.words + r * ranks.round_pairs, ranks.query.counts[r]}; };
	exchange_replies(k, received, sent);
	return more;
}

// Queries whether the neighbours of the vertices in the lists of the rank's blocks or warps are visited.
template <typename Form>
__device__ __noinline__ void query(Context<Form> &k, const OpenList list) {
	Counters *c = k.counters(k.at.level);
	queue_open(k, list, &c->open);
	grid_barrier(k);
	by_one_thread([&] { k.at.queued = (u32)read_now(&c->open); });
	number_queue(k, queryable_rows(k), &c->numbered);
	bool more = !k.at.failed;
	for (bool first = true; more; first = false) more = query_round(k, first) && !k.at.failed;
	if (!k.at.failed) clear_marks(k);
}

// Searches for parents of the open vertices in the warp's list among the neighbours whose owners have replied. Hits
// leave gaps in the list.
template <typename Form>
__device__ __noinline__ void pull_open(Context<Form> &k, const Sweep sweep, u32 n) {
	const OpenList list{sweep.missed, n, 0, 32};
	__syncthreads();
	if (threadIdx.x == 0) atomicAdd(&k.counters(k.at.level + 1)->found, (ull)k.pull.found);
	query(k, list);
	if (threadIdx.x == 0) k.pull.found = k.pull.open_hubs = 0; // a push has used the same memory
	__syncthreads();
	const QueryableRows<Form> rows = queryable_rows(k);
	u32 found = 0;
	list.by_warp([&](u32 i, u32 v) {
		const bool open = v != kNone && rows.any(v);
		const u64 begin = open ? rows.first(v) : 0, end = open ? k.graph.rows[v + 1] : 0;
		const auto parent = probe_row(neighbours<Form>(k.graph), sweep.old, begin, end, AllNeighbours{});
		if (is_none(parent)) return;
		found++;
		adopt(k, sweep.now, v, parent);
		sweep.missed[i] = kNone;
	});
	found = warp_sum(found);
	if (lane_of_thread() == 0 && found) atomicAdd(&k.pull.found, found);
}

// Continues a bottom-up level with queries for the n vertices in the warp's list, which have no parent among the known
// bits.
template <typename Form>
__device__ inline void query_open(Context<Form> &k, const Sweep &sweep, u32 n) {
	if constexpr (Form::kQueries)
		if (k.queries()) pull_open(k, sweep, n);
}

// Queries the neighbours of remaining vertices before the first level that searches only these. From then on all ranks
// receive each found vertex.
template <typename Form>
__device__ inline void query_remaining(Context<Form> &k) {
	if constexpr (Form::kQueries) {
		if (!k.queries() || k.at.queried) return;
		query(k, {k.at.remaining, k.at.remaining_count, threadIdx.x / 32 * 32, kThreads});
		by_one_thread([&] { k.at.queried = true; });
	}
}

// Queries the neighbours of leaves after the last level. These queries are the same in all searches.
template <typename Form>
__device__ inline void query_leaves(Context<Form> &k) {
	if constexpr (Form::kQueries) {
		const Ranks &ranks = k.ranks;
		if (!k.queries()) return;
		for (u64 first = 0; first < ranks.query.leaf_words && !k.at.failed; first += 32 * ranks.round_pairs)
			exchange_replies(k, [&](u32 r) { return queries_in(ranks.query.for_leaves, ranks, r, first); },
			                 [&](u32 r) { return queries_in(ranks.query.of_leaves, ranks, r, first); });
	}
}

} // namespace g500
