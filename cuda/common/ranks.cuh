// The other ranks of a search, and where their memory lies.
//
// Ranks are peers if each writes straight into the other's device memory (NVLink, PCIe): between two levels nothing
// goes through their hosts. Remote ranks, which are no peers, share host memory if they are on one host, and exchange
// messages if not.
#pragma once

#include "common/bitmap.cuh"
#include "common/block.cuh"
#include "common/messages.h"
#include "common/stall.cuh"

namespace g500 {

// What a rank publishes at a rank barrier (publish.cuh): sums of these over all ranks.
enum { kVertices, kEdges, kPairs, kWords, kEstimate, kUnsent, kCounters };
static_assert(G500_HEADER_BYTES == kCounters * sizeof(u64), "a message's header is what a rank publishes");
static_assert((int)G500_PAIRS_COUNTER == kPairs && (int)G500_WORDS_COUNTER == kWords, "the door says where they are");

// Window is the part of a rank's memory into which its peers write. All ranks have the same layout; offsets in bytes.
struct Window {
	u64 counters;   // kCounters words of each rank, twice: of the barriers with even and with odd numbers
	u64 visited[2]; // bitmaps, each with the parts of all ranks
	u64 pairs;      // capacity pairs from each rank, twice: of the rounds with even and with odd numbers
	u64 pushed;     // bits of this rank's vertices, from each rank
	u64 hints;      // labels of parents, for State.hinted_remote vertices of each rank, for their owners to fetch
	u64 labels;     // of this rank's vertices, by hub id; in the wide form their numbers
	u64 bytes;
};

// SharedWindow is host memory of one rank that the remote ranks of its host read (exchange_shared.cuh). All have the
// same layout; offsets in bytes.
struct SharedWindow {
	u64 counters;  // kCounters words for each rank, twice: of the barriers with even and with odd numbers
	u64 places[2]; // in this rank's part of a bitmap: of the groups that are listed for the one barrier and for the other
	u64 groups[2]; // their words
	u64 pairs;     // Ranks.room pairs for each rank, twice: of the rounds with even and with odd numbers
	u64 bytes;
};

// ProxyFlags is what a search and its host proxy tell each other, in host memory.
struct ProxyFlags {
	alignas(kCacheLine) u32 ready; // the number of the last barrier whose messages are ready to be carried
	u32 content;                   // what these messages have: a Content
	u32 ended;                     // the search has come to its end
	alignas(kCacheLine) u32 lost;  // the proxy cannot carry any more
};

// What messages have, beside headers: what was reached, as pairs or words of a bitmap; queries, or replies to them;
// all bits of the sender, as words.
enum Content : u32 { kReached, kQueries, kReplies, kAllBits };

// Messages is the way to ranks that share no host memory with this one: at each rank barrier the host proxy exchanges
// messages with theirs (exchange_messages.cuh, host_proxy.cuh). A message is a header of kCounters words, then pairs or
// words of the bitmap. All hosts of a job take part if any has to: flags is null where none has.
struct Messages {
	ProxyFlags *flags;
	g500_message *send; // host memory: by rank, what goes there at this barrier; nothing to peers
	u64 *headers;       // host memory: that of each rank that sends messages, and of this one
	u32 ranks;          // that get messages from this one
	u32 part_words;     // 32-bit words of this rank's part of a bitmap
	u32 replicated_words; // those of them that are replicated (Ranks.replicated_hubs)
	u32 list_capacity;      // words that fit into the list
	u64 *replicated, *list; // host memory, after room for a header: replicated words; listed ones, or a piece of all
};

// PeerGraph is a peer's graph as this rank reads it.
struct PeerGraph {
	const u64 *rows;
	const u32 *cols, *local_ids;
};

// QueryTable holds queries to all ranks, or from all of them, one rank's after the other's.
struct QueryTable {
	const u64 *words, *begin;
};

// QueryMode is on if ranks that exchange messages replicate only some bits, and query owners for others.
struct QueryMode {
	bool on;
	u32 piece;       // groups of a rank's part in a message, while ranks send all bits
	u32 other_nodes; // to which each rank sends
	u64 most;        // queries of all ranks in a level; with more of them ranks send all bits
	u64 *words;      // room words for each rank: this rank's queries of the round
	ull *counts;     // how many words there are for each rank
	QueryTable of_leaves, for_leaves; // about neighbours of leaves: this rank's queries, and those of others to it
	u64 leaf_words;  // of these queries from one rank to another, at most; the same on all ranks
};

// Ranks is what a rank knows of the others.
struct Ranks {
	u32 count, rank, shift; // see g500_graph: count is P
	u64 base;               // position of this rank's hub 0: where its part of a bitmap begins
	u64 non_leaf, edges;        // of the core, of all ranks
	u32 groups;             // of the largest rank's vertices in a bitmap
	u64 capacity;           // pairs that the window has room for from each rank
	u64 round_pairs;        // pairs that a rank can send another in a round, the same on all ranks
	u32 known;              // the labels of so many hub ids of each rank are known here
	const u32 *labels;      // by rank, then hub id below known; in the wide form numbers, as in Graph
	bool some_remote;       // some two ranks of the job are no peers
	u64 alpha;              // of the policy's three, that for these ranks
	u64 replicated_edges;   // of the largest frontiers that every rank searches by itself
	const PeerGraph *graphs; // by rank, its own included; null where ranks do not read each other's
	const u32 *degrees;      // mean degree in each class of hub ids, in sixteenths; the same on all ranks
	unsigned char *window;         // this rank's own
	unsigned char *const *windows; // by rank, its own included; null for a remote rank
	unsigned char *const *shared;  // by rank, its own included: shared-memory windows; null where there is none to be read
	Window at;
	SharedWindow shared_at;
	u32 readers;          // of this rank's shared-memory window
	u64 *published_words; // by remote rank: groups in its shared-memory window, or the form of its message
	u64 *const *send;     // by rank: where the pairs for it go, twice: of the rounds with even and with odd numbers
	u64 *const *receive;  // the same: where the pairs from it come
	Messages messages;
	u32 replicated_hubs;    // hub ids of each rank whose bits messages bring to all ranks; a multiple of kGroup
	QueryMode query;
	u32 *deferred; // bitmap by hub id: the parent is a position, whose label is not known yet
	ull *sent;     // pairs for each rank, and those without room, twice: of the rounds with even and odd numbers
	GridBarrier *barrier;
	Control *control; // host memory
	u64 wait_ns;      // until a rank is given up
};

// The limit for a rank's own blocks is this multiple: they may have much to do between two barriers.
constexpr u64 kOwnPatience = 12;

// Gives this rank's search up. Returns whether this is the first call.
__device__ inline bool give_up(const Ranks &ranks, const g500_stall &reason) {
	return give_up(*ranks.barrier, *ranks.control, reason);
}

// Takes note of it if the host wants the search to end: the next barrier of all ranks says so. Reads host memory.
// Returns whether it is so.
__device__ inline bool heed_host(const Ranks &ranks) {
	if (!*(const volatile u32 *)&ranks.control->ends) return false;
	*(volatile u32 *)&ranks.barrier->ends = 1;
	return true;
}

constexpr u32 kLevelsPerLook = 64; // levels or rounds of a search between two looks at what the host wants

template <typename Id>
__device__ inline u32 local_id_in(const Ranks &ranks, Id global_id) {
	return (u32)global_id & ((1u << ranks.shift) - 1);
}
template <typename Id>
__device__ inline u32 rank_of_id(const Ranks &ranks, Id global_id) { return (u32)(global_id >> ranks.shift); }

// The k-th rank after this one, so that not all turn to the same one at once.
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

// Pairs for and from a rank in a round, each a hub id of the receiver (low half) and its parent's label, in the wide
// form its number at the sender; in levels for residual vertices, the position of one that was found.
__device__ inline u64 *send_buffer(const Ranks &ranks, u32 to, u32 round) {
	return ranks.send[(round & 1) * ranks.count + to];
}
__device__ inline const u64 *receive_buffer(const Ranks &ranks, u32 from, u32 round) {
	return ranks.receive[(round & 1) * ranks.count + from];
}

// Finds the rank whose pairs number i is among, given the number of pairs up to and including each rank's.
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
