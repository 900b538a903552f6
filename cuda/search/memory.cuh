// SPDX-License-Identifier: Apache-2.0

// The memory of one rank's searches: derived arrays, state, the window that peers write, and the other ranks' data.
#pragma once

#include <algorithm>
#include <vector>

#include "common/searching.cuh"
#include "search/advance.cuh"
#include "search/derive_hubs.cuh"
#include "search/graph_arrays.cuh"
#include "search/policy.cuh"
#include "search/result.cuh"
#include "search/sweep.cuh"

namespace g500 {

constexpr u64 kWindowPairs = 1 << 26;  // pairs in a window per round: 512 MiB
constexpr u64 kReportBytes = 1 << 14;  // of a search level by level; longer messages take longer than their latency
constexpr u64 kMostReporting = 64;     // ranks; with more the reports have only sums, to be short

struct SearchMemory : g500_searching {
	Graph graph{};
	Array<u16> first_ranks; // of first neighbours, with 64-bit ids, until the caller has stored the labels
	State state{};
	g500_search_options options{};
	bool dependent_launch = false; // the device can start a kernel before its predecessor has ended (compute capability
	                               // 9.0)
	u32 most_reported = 0; // g500_ranks.most_reported
	u64 most_parts = 0;    // g500_ranks.most_parts
	bool host_finishes = false;    // the host looks up labels at the end of searches

	// Starts with a rank's share of a graph.
	int begin(const g500_graph &of, cudaStream_t stream) {
		ranks.count = of.ranks;
		ranks.rank = of.rank;
		ranks.shift = of.shift;
		ranks.parts64 = Parts64::of(of.part64, of.first_leaf);
		ranks.part = of.part64 > 0 ? of.part64 : 1ull << of.shift;
		ranks.base = of.ranks > 1 ? of.rank * ranks.part : 0;
		ranks.wait_ns = policy().wait_ns;
		// one rank sends no words
		if (!many() && options.exchange == G500_EXCHANGE_BITMAP) options.exchange = G500_EXCHANGE_AUTO;
		if (of.directed) options.exchange = G500_EXCHANGE_BINS; // all levels top-down: rows have no edges to parents
		return derive_arrays(of, graph, first_ranks, held, stream);
	}

	bool many() const { return ranks.count > 1; }
	bool ids64() const { return graph.col_ranks; }
	bool labels64() const { return graph.tile_code64; }
	u64 part_bytes() const { return many() ? ranks.part / 8 : graph.padded / 8; } // of a bitmap, per rank

	// Ranks that are no peers need the other bitmap for their own part only.
	void lay_out_window(bool far) {
		const u64 n = ranks.count;
		u64 end = 0;
		const auto take = [&end](u64 bytes) { // returns the offset of a part
			const u64 begin = end;
			end += (bytes + 255) / 256 * 256;
			return begin;
		};
		const u64 most = std::min({1ull << ranks.shift, (ull)policy().round_pairs, (ull)(kWindowPairs / n)});
		ranks.round_pairs = many() ? most : 0;
		ranks.capacity = far ? std::max<u64>(most, kChunk) : ranks.round_pairs; // all queries of a chunk fit
		ranks.at.counters = take(2 * n * kCounters * sizeof(u64));
		ranks.at.visited[0] = take(n * part_bytes());
		ranks.at.visited[1] = take((far ? 1 : n) * part_bytes());
		ranks.at.pairs = take(2 * n * (far ? message_words() : ranks.capacity) * sizeof(u64));
		ranks.at.labels = take(many() ? sizeof(u32) << ranks.shift : 0);
		ranks.at.bytes = end;
	}

	// Stores the data of the other ranks and prepares this rank's window.
	int take_ranks(const g500_ranks &known, cudaStream_t stream) {
		const u32 n = ranks.count;
		first_ranks.free();
		ranks.non_leaf = known.non_leaf;
		ranks.edges = known.edges;
		ranks.groups = (known.most_non_leaf + kPad - 1) / kPad * (kPad / kGroup);
		ranks.known = known.known;
		ranks.labels = known.d_labels;
		state.far.on = known.far;
		most_reported = known.most_reported;
		most_parts = known.most_parts;
		host_finishes = known.deferred > 0;
		G500_TRY(copy_to_device((unsigned char **)known.windows, n, ranks.windows, stream));
		unsigned char *own = (unsigned char *)known.windows[ranks.rank];
		ranks.window = own;
		G500_TRY(cudaMemsetAsync(own, 0, ranks.at.bytes, stream));
		for (int i = 0; i < 2; i++) state.visited[i] = (u32 *)(own + ranks.at.visited[i]);
		if (known.far) state.visited[1] -= ranks.base / 32;
		if (!many()) return cudaSuccess;
		const u64 bytes = graph.non_isolated * sizeof(u32);
		G500_TRY(cudaMemcpyAsync(own + ranks.at.labels, graph.labels, bytes, cudaMemcpyDeviceToDevice, stream));
		if (known.degrees) G500_TRY(copy_to_device(known.degrees, G500_DEGREE_CLASSES, ranks.degrees, stream));
		return take_graphs(known, stream);
	}

	// Allocates the state of searches with that many blocks. take_ranks must have been called.
	int allocate_state(const g500_ranks &known, u32 blocks, cudaStream_t stream) {
		G500_TRY(allocate_frontier(blocks));
		G500_TRY(allocate_result(stream));
		if (many()) G500_TRY(allocate_for_many(stream));
		if (many()) G500_TRY(find_pair_buffers(known, stream));
		if (state.far.on) G500_TRY(allocate_far(blocks, stream));
		G500_TRY(find_hub_neighbours(stream));
		G500_TRY(divide_into_segments(blocks, stream));
		return cudaStreamSynchronize(stream); // the caller's data may be freed afterwards
	}

	FarShare share() const { return {state.segments.hubs, 0}; }

	// Returns the groups of each part of the bitmap with hubs: those after which ranks decide, and those that all ranks
	// have in Segments.
	u32 hub_groups(u32 listed) const {
		const u64 hubs = std::max(state.hubs.limit, listed);
		return (u32)std::min<u64>((hubs + kGroup - 1) / kGroup, ranks.groups);
	}

	// Allocates what ranks gather: that many groups of each part of the bitmap, with reports behind them; with queries
	// only those of hubs, else also HubNeighbours.bits. allocate_state must have been called.
	int allocate_parts(u32 groups, bool queries, cudaStream_t stream) {
		Far &far = state.far;
		const u64 n = ranks.count;
		far.queries = queries;
		far.groups = groups;
		far.part_bytes = far.groups * sizeof(uint4) + sizeof(FarBlock);
		G500_TRY(held.alloc(n * far.part_bytes, far.parts));
		if (queries) {
			state.split_hubs = std::min(state.split_hubs, groups * kGroup);
			far.reply_bytes = (ranks.capacity + 63) / 64 * sizeof(u64);
			return held.alloc(2 * n * far.reply_bytes / sizeof(u32), far.replies);
		}
		if (state.hubs.limit == 0 || options.exchange != G500_EXCHANGE_AUTO) return cudaSuccess;
		G500_TRY(held.alloc_zeroed(stream, n * far.part_bytes, far.hub_neighbours));
		unsigned char *own = far.hub_neighbours + ranks.rank * far.part_bytes;
		if (!state.hubs.bits) return cudaSuccess;
		return cudaMemcpyAsync(own, state.hubs.bits, graph.padded / 8, cudaMemcpyDeviceToDevice, stream);
	}

	// Returns whether all ranks know the neighbours of hubs or, with queries, their own ones.
	bool decides() const { return state.far.hub_neighbours || (state.far.queries && state.hubs.limit > 0); }

	// Return the messages to all ranks and from all ranks, of ranks that are not peers, and their space: the number of
	// pairs, and then up to Ranks.round_pairs of them.
	u64 *pairs_out() const { return (u64 *)(ranks.window + ranks.at.pairs); }
	u64 *pairs_in() const { return pairs_out() + ranks.count * message_words(); }
	u64 message_words() const { return 1 + ranks.capacity; }

private:
	const g500_policy &policy() const { return options.policy; }

	// Allocates an array, copies host memory to it and stores its address. `from` must stay valid until the stream is
	// synchronized.
	template <typename T>
	cudaError_t copy_to_device(const std::remove_const_t<T> *from, u64 n, T *&view, cudaStream_t stream) {
		G500_TRY(held.alloc(n, view));
		return cudaMemcpyAsync((void *)view, from, n * sizeof(T), cudaMemcpyHostToDevice, stream);
	}

	// Stores the addresses of the other ranks' graphs if frontiers may be replicated.
	int take_graphs(const g500_ranks &known, cudaStream_t stream) {
		if (!known.rows || options.exchange != G500_EXCHANGE_AUTO) return cudaSuccess;
		std::vector<PeerGraph> all(ranks.count);
		const auto of = [](void *const *list, u32 rank) { return list ? list[rank] : nullptr; };
		const u64 *all_moves;
		G500_TRY(copy_to_device(known.moves, (u64)ranks.count * known.chunks, all_moves, stream));
		for (u32 r = 0; r < ranks.count; r++)
			all[r] = {(const u64 *)known.rows[r], (const u32 *)of(known.cols, r), (const u32 *)known.local_ids[r],
			          (const u64 *)of(known.packed, r), all_moves + (u64)r * known.chunks};
		G500_TRY(copy_to_device(all.data(), ranks.count, ranks.graphs, stream));
		ranks.replicated_edges = std::min(std::max(policy().replicated_edges, ranks.non_leaf / ranks.count), kEdgeMask);
		return cudaStreamSynchronize(stream); // before the list is freed
	}

	int allocate_frontier(u32 blocks) {
		const u64 padded = std::max(graph.padded, kPad), all = (u64)ranks.count << ranks.shift;
		const u64 capacity = std::max(padded, ranks.graphs ? std::min(all, ranks.replicated_edges) : 0); // replicated, too
		state.exchange = options.exchange;
		const u64 longest = std::min({capacity, longest_queue(policy(), ranks.non_leaf), kMostNumbered});
		state.queue_limit = (u32)(options.exchange == G500_EXCHANGE_BINS ? padded : longest);
		G500_TRY(held.alloc(capacity, state.queue[0], state.queue[1]));
		G500_TRY(held.alloc(state.queue_limit, state.offsets));
		// each warp's list has space for all vertices that the warp sweeps
		return held.alloc(list_capacity((u32)padded, blocks) * blocks * kWarps, state.missed);
	}

	int allocate_result(cudaStream_t stream) {
		const u64 padded = std::max(graph.padded, kPad), tiles = tiles_of(graph.owned);
		G500_TRY(held.alloc_zeroed(stream, padded / 32, state.first_parent));
		G500_TRY(held.alloc(padded * (labels64() ? 2 : 1), state.parent));
		G500_TRY(held.alloc(kRing, state.counters));
		G500_TRY(held.alloc_zeroed(stream, kTraceLevels + 1, state.trace)); // one more for writing the result
		G500_TRY(held.alloc_zeroed(stream, 1, state.trace_length, state.overlap, state.epochs, ranks.barrier));
		G500_TRY(held.alloc(1, state.level_ended));
		G500_TRY(held.alloc(padded / kPerWord, state.reached));
		state.overlaps = dependent_launch && !host_finishes;
		const u32 leaves = graph.non_isolated - graph.non_leaf;
		if (state.overlaps) G500_TRY(held.alloc(leaves, state.waiting_leaves));
		state.result_bits = options.result_bits;
		state.ranks = ranks.count;
		G500_TRY(open(state, stream));
		return held.alloc(tiles * kTile * options.result_bits / 8, state.result);
	}

	int allocate_for_many(cudaStream_t stream) {
		const u64 words = std::max(graph.padded, kPad) / 32;
		// a sweep's report is behind all groups that a rank may have
		const u64 reported = ranks.groups * (kGroup / 32) + sizeof(FarBlock) / sizeof(u32);
		const u64 most = std::max<u64>(reported, ranks.parts64.bits / 32);
		G500_TRY(held.alloc_zeroed(stream, std::max(words, most), state.next_part));
		G500_TRY(held.alloc(words, ranks.deferred));
		return held.alloc(2 * (ranks.count + 1), ranks.sent);
	}

	// Ranks gather reports, with the counts of pairs behind them if they list vertices.
	int allocate_far(u32 blocks, cudaStream_t stream) {
		Far &far = state.far;
		const u64 n = ranks.count;
		far.entries_at = (sizeof(FarBlock) + n * sizeof(u32) + 15) / 16 * 16;
		const u64 entry = ids64() ? sizeof(FarEntry<u64>) : sizeof(FarEntry<u32>);
		const u64 space = n <= kMostReporting ? (kReportBytes - far.entries_at) / entry : 0;
		far.most_entries = (u32)std::min<u64>(space, most_reported);
		if (far.most_entries == 0) far.entries_at = sizeof(FarBlock);
		far.block_bytes = far.entries_at + (far.most_entries * entry + 15) / 16 * 16;
		G500_TRY(held.alloc_zeroed(stream, n * std::max(far.block_bytes, (u64)sizeof(FarShare)), far.blocks));
		G500_TRY(held.alloc(blocks, far.chunks));
		return held.alloc_zeroed(stream, 1, far.rank);
	}

	// Finds the buffers of pairs to and from each rank: in the windows of peers, or in this rank's own, for exchanges by
	// the host. A rank may send pairs of one round while peers read pairs of the last.
	int find_pair_buffers(const g500_ranks &known, cudaStream_t stream) {
		const u64 n = ranks.count, to_odd = known.far ? 0 : n * ranks.capacity;
		const auto in_window = [&](u32 at_rank, u64 from) {
			return (u64 *)((unsigned char *)known.windows[at_rank] + ranks.at.pairs) + from * ranks.capacity;
		};
		std::vector<u64 *> out(2 * n), in(2 * n);
		for (u32 r = 0; r < n; r++) {
			if (r == ranks.rank) continue;
			out[r] = known.far ? pairs_out() + r * message_words() + 1 : in_window(r, ranks.rank);
			in[r] = known.far ? pairs_in() + r * message_words() + 1 : in_window(ranks.rank, r);
			out[n + r] = out[r] + to_odd, in[n + r] = in[r] + to_odd;
		}
		G500_TRY(copy_to_device(out.data(), 2 * n, ranks.send, stream));
		G500_TRY(copy_to_device(in.data(), 2 * n, ranks.receive, stream));
		return cudaStreamSynchronize(stream); // before the lists are freed
	}

	// Ranks have about equally many hubs, because local ids are in degree order on all of them. All ranks take the same
	// steps, even a rank without vertices.
	int find_hub_neighbours(cudaStream_t stream) {
		const Graph &g = graph;
		const u64 each = ranks.non_leaf / ranks.count;
		if (options.exchange == G500_EXCHANGE_BINS || each < policy().hub_vertices) return cudaSuccess;
		const u32 limit = (u32)std::max<u64>(each / policy().hub_share, 1);
		state.hubs.limit = limit;
		return g.non_leaf > 0 ? derive_hub_neighbours(g, held, &state.hubs, stream) : (int)cudaSuccess;
	}

	// With several segments per block, blocks end at about the same time; with fewer segments, lists of more ranks' hubs
	// are longer. Hubs and the vertices before the first segment are divided among the ranks. All ranks take the same
	// steps, even a rank without vertices. Ranks that are not peers need the labels of all hubs.
	int divide_into_segments(u32 blocks, cudaStream_t stream) {
		const g500_policy &p = policy();
		const Graph &g = graph;
		const bool far = state.far.on, replicates = many() && !far;
		const bool has_rows = replicates ? ranks.graphs != nullptr : options.exchange == G500_EXCHANGE_AUTO && !ids64();
		if (!has_rows || ranks.non_leaf < std::max<u64>(p.segment_vertices, 1)) return cudaSuccess;
		state.split_hubs = (u32)std::min<u64>(p.split_hubs * ranks.count, 1ull << ranks.shift);
		const u32 hubs = (u32)(std::min<u64>(p.segment_hubs / ranks.count, ranks.groups * kGroup) / kGroup * kGroup);
		const u32 pulled = (u32)std::min<u64>(p.segment_pulled / ranks.count, g.padded);
		if (far && (hubs == 0 || hubs > ranks.known)) return cudaSuccess;
		state.segments.hubs = hubs; // a rank without vertices does not read the rows of other ranks' hubs
		if (g.non_leaf > 0) {
			state.segments.first = pulled;
			state.segments.count = blocks * (u32)std::max<u64>(p.segment_turns / ranks.count, 1);
			G500_TRY(derive_segments(g, ranks.count, held, &state.segments, stream));
		}
		state.segments.on = true;
		return held.alloc(state.segments.lists, state.listed_hubs);
	}
};

} // namespace g500
