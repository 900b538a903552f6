// The other ranks of a search, and the addresses of their memory.
//
// Two ranks are peers if each can write into the other's device memory (NVLink, PCIe). Their CPUs are not involved
// between two levels. Remote ranks are not peers: on the same node they share host memory, otherwise they exchange
// messages.
#pragma once

#include "common/bitmap.cuh"
#include "common/block.cuh"
#include "common/messages.h"
#include "common/stall.cuh"

namespace g500 {

// The counters that a rank publishes at a rank barrier, and which are added up over all ranks (publish.cuh).
enum { kVertices, kEdges, kPairs, kWords, kEstimate, kUnsent, kCounters };
static_assert(G500_HEADER_BYTES == kCounters * sizeof(u64), "the header of a message has all counters");
static_assert((int)G500_PAIRS_COUNTER == kPairs && (int)G500_WORDS_COUNTER == kWords, "as in messages.h");

// Window is the part of a rank's memory that its peers write. Offsets are in bytes and the same on all ranks.
struct Window {
	u64 counters;   // kCounters words per rank, for even and for odd barriers
	u64 visited[2]; // bitmaps, each with the parts of all ranks
	u64 pairs;      // `capacity` pairs per rank, for even and for odd rounds
	u64 labels;     // labels of this rank's vertices by local id; with 64-bit ids their numbers
	u64 bytes;
};

// SharedWindow is host memory of one rank that the remote ranks of its node read (exchange_shared.cuh). Offsets are in
// bytes and the same on all ranks.
struct SharedWindow {
	u64 counters;  // kCounters words per rank, for even and for odd barriers
	u64 places[2]; // of the listed groups in this rank's part of a bitmap, for even and for odd barriers
	u64 groups[2]; // words of the listed groups
	u64 pairs;     // Ranks.round_pairs pairs per rank, for even and for odd rounds
	u64 bytes;
};

// ProxyFlags are the flags between a search and its host proxy, in host memory.
struct ProxyFlags {
	alignas(kCacheLine) u32 ready; // the number of the last barrier whose messages are ready
	u32 content;                   // of these messages: a Content
	u32 ended;                     // the search has ended
	alignas(kCacheLine) u32 lost;  // the proxy cannot exchange messages
};

// The content of messages after their headers: newly visited vertices, as pairs or bitmap words; queries; replies; or
// all bits of the sender, as words.
enum Content : u32 { kReached, kQueries, kReplies, kAllBits };

// Messages connects to ranks on other nodes: at each rank barrier the host proxy exchanges messages with them
// (exchange_messages.cuh, host_proxy.cuh). A message is a header of kCounters words, then pairs or bitmap words. If any
// node of a job exchanges messages, all do; else flags is null.
struct Messages {
	ProxyFlags *flags;
	g500_message *send; // host memory: by rank, the message of this barrier; empty for peers
	u64 *headers;       // host memory: by rank, the received headers and this rank's own
	u32 ranks;          // number of ranks that receive messages from this one
	u32 replicated_words; // 32-bit words at the beginning of this rank's part of a bitmap (Ranks.replicated_hubs)
	u32 list_capacity;    // words
	u64 *replicated, *list; // host memory, each after space for a header: replicated words; listed words, or a piece of
	                        // the part
};

// PeerGraph is a peer's graph, at this rank's addresses.
struct PeerGraph {
	const u64 *rows;
	const u32 *cols, *local_ids;
};

// QueryTable holds queries to all ranks, or from all of them: `words` sorted by rank, begin[r] the first one of rank r.
struct QueryTable {
	const u64 *words, *begin;
};

// QueryMode is on if ranks on different nodes replicate only the bits of hubs, and query the owners of other vertices.
struct QueryMode {
	bool on;
	u32 piece;       // groups of a rank's part per message, while ranks send all bits
	u32 other_nodes; // to each of which a rank sends
	u64 most;        // limit of all ranks' queries in a level; above it ranks send all bits
	u64 *words;      // round_pairs words per rank: this rank's queries of the round
	ull *counts;     // words per rank
	QueryTable of_leaves, for_leaves; // about neighbours of leaves: queries of this rank, and queries to it
	u64 leaf_words;  // largest number of their words from one rank to another; the same on all ranks
};

// Ranks describes the other ranks of a search.
struct Ranks {
	u32 count, rank, shift; // see g500_graph: count is P
	u64 base;               // global id of this rank's local id 0: the first bit of its part of a bitmap
	u64 non_leaf, edges;    // vertices and edges of the non-leaf subgraph, of all ranks
	u32 groups;             // of the largest rank's part of a bitmap
	u64 capacity;           // pairs from each rank for which the window has space
	u64 round_pairs;        // limit of pairs from one rank to another per round; the same on all ranks
	u32 known;              // number of labels per rank in `labels`
	const u32 *labels;      // by rank, then local id below known; with 64-bit ids the labels' numbers, as in Graph
	bool some_remote;       // at least two ranks of the job are not peers
	u64 alpha;              // the one of the policy's three that applies to these ranks
	u64 replicated_edges;   // limit of a replicated frontier's edges
	const PeerGraph *graphs; // by rank, including this one; null if ranks do not read each other's graphs
	const u32 *degrees;      // mean degree of each degree class, in sixteenths; the same on all ranks
	unsigned char *window;         // this rank's own
	unsigned char *const *windows; // by rank, including this one; null for a remote rank
	unsigned char *const *shared;  // by rank, including this one: shared-memory windows; null on another node
	Window at;
	SharedWindow shared_at;
	u32 readers;          // number of readers of this rank's shared-memory window
	u64 *published_words; // by remote rank: groups in its shared-memory window, or the BitmapForm of its message
	u64 *const *send;     // by rank: buffers of its pairs, for even and for odd rounds
	u64 *const *receive;  // by rank: buffers of pairs from it
	Messages messages;
	u32 replicated_hubs;    // local ids below this number have their bits replicated on all nodes; a multiple of kGroup
	QueryMode query;
	u32 *deferred; // bitmap by local id: the stored parent is a global id; its label is still unknown
	ull *sent;     // pairs for each rank, then those that did not fit, for even and for odd rounds
	GridBarrier *barrier;
	Control *control; // host memory
	u64 wait_ns;      // time limit of a wait for another rank
};

// The time limit of a wait for a rank's own blocks is this multiple of wait_ns: they may work long between two
// barriers.
constexpr u64 kOwnPatience = 12;

// Gives this rank's search up. Returns whether this is the first such call.
__device__ inline bool give_up(const Ranks &ranks, const g500_stall &reason) {
	return give_up(*ranks.barrier, *ranks.control, reason);
}

// Returns whether the host has requested the end of the search; then the next barrier of all ranks publishes it. Reads
// host memory.
__device__ inline bool heed_host(const Ranks &ranks) {
	if (!*(const volatile u32 *)&ranks.control->ends) return false;
	*(volatile u32 *)&ranks.barrier->ends = 1;
	return true;
}

constexpr u32 kLevelsPerLook = 64; // levels or rounds of a search between two checks of the host's request

template <typename Id>
__device__ inline u32 local_id_in(const Ranks &ranks, Id global_id) {
	return (u32)global_id & ((1u << ranks.shift) - 1);
}
template <typename Id>
__device__ inline u32 rank_of_id(const Ranks &ranks, Id global_id) { return (u32)(global_id >> ranks.shift); }

// Returns the k-th rank after this one: if all ranks start with the next one, their accesses spread over all ranks.
__device__ inline u32 rank_after(const Ranks &ranks, u32 k) {
	return ranks.rank + k < ranks.count ? ranks.rank + k : ranks.rank + k - ranks.count;
}

__device__ inline bool is_remote(const Ranks &ranks, u32 rank) { return ranks.windows[rank] == nullptr; }
__device__ inline bool is_peer(const Ranks &ranks, u32 rank) { return rank != ranks.rank && !is_remote(ranks, rank); }
__device__ inline bool shares_memory(const Ranks &ranks, u32 rank) {
	return is_remote(ranks, rank) && ranks.shared[rank] != nullptr;
}
__device__ inline bool gets_messages(const Ranks &ranks, u32 rank) {
	return is_remote(ranks, rank) && ranks.shared[rank] == nullptr;
}

template <typename T>
__device__ inline T *in_window(const Ranks &ranks, u32 rank, u64 offset) {
	return reinterpret_cast<T *>(ranks.windows[rank] + offset);
}

template <typename T>
__device__ inline T *in_shared_window(const Ranks &ranks, u32 rank, u64 offset) {
	return reinterpret_cast<T *>(ranks.shared[rank] + offset);
}

// Buffers of pairs for a rank and from a rank. A pair is a local id of the receiver (low half) and its parent's label,
// with 64-bit ids the label's number on the sender. In levels for remaining unvisited vertices it is the global id of a
// found vertex.
__device__ inline u64 *send_buffer(const Ranks &ranks, u32 to, u32 round) {
	return ranks.send[(round & 1) * ranks.count + to];
}
__device__ inline const u64 *receive_buffer(const Ranks &ranks, u32 from, u32 round) {
	return ranks.receive[(round & 1) * ranks.count + from];
}

// Finds the sender of pair number i. `upto` has the numbers of pairs up to and including each rank's.
__device__ inline u32 sender_of(const u32 *upto, u32 ranks, u32 i) {
	u32 low = 0, high = ranks - 1;
	while (low < high) {
		const u32 middle = (low + high) / 2;
		if (upto[middle] > i) high = middle;
		else low = middle + 1;
	}
	return low;
}

} // namespace g500
