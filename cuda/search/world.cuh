// The other ranks of a search, and where their memory lies. Nothing between two levels goes through the host of peers: owners
// write finished words straight into their memory, and what is told at barriers (search_mail.cuh) says when they have come.
#pragma once

#include "search/search.cuh"
#include "search/barrier.cuh"
#include "search/post.cuh"

namespace g500 {

// Window is the part of a rank's memory into which its peers write. All ranks have the same layout; offsets in bytes.
struct Window {
	u64 mail;       // kNews words of each rank, twice: of the barriers with even and with odd numbers
	u64 visited[2]; // bitmaps, each with the parts of all ranks
	u64 inbox;      // capacity pairs from each rank, twice: of the rounds with even and with odd numbers
	u64 marks;      // of this rank's vertices, from each rank
	u64 notes;      // labels of parents that this rank has noted for State.noted vertices of each rank
	u64 labels;     // labels of this rank's vertices, by hub id
	u64 bytes;
};

// Board is host memory of one rank that the others of its host read (search_board.cuh). All have the same layout; offsets
// in bytes.
struct Board {
	u64 mail;      // kNews words for each rank, twice: of the barriers with even and with odd numbers
	u64 places[2]; // in this rank's part of a bitmap: of the groups that are listed for the one barrier and for the other
	u64 groups[2]; // their words
	u64 boxes;     // World.room pairs for each rank, twice: of the rounds with even and with odd numbers
	u64 bytes;
};

// Neighbour is a rank's graph as this one reads it.
struct Neighbour {
	const u64 *rows;
	const u32 *cols, *hub_of;
};

// World is what a rank knows of the others.
struct World {
	u32 ranks, rank, shift; // see g500_graph
	u32 base;               // position of this rank's hub 0: where its part of a bitmap begins
	u64 hubs, edges;        // of all ranks
	u32 groups;             // of the largest rank's vertices in a bitmap
	u64 capacity;           // pairs that the window has room for from each rank
	u64 room;               // pairs that a rank can send another in a round, the same on all ranks
	u32 prefix;             // the labels of so many hub ids of each rank are known here
	const u32 *labels;      // by rank, then hub id below prefix
	bool apart;             // some rank of the job is no peer of another
	u64 alpha;              // of the direction rule, the same on all ranks
	u64 whole;              // edges of the largest frontiers that every rank searches as a whole
	const Neighbour *graphs;       // by rank, its own included; null where not all ranks are peers, or none reads another's
	const u32 *degrees;            // mean degree in each class of hub ids, in sixteenths; the same on all ranks
	unsigned char *window;         // this rank's own
	unsigned char *const *windows; // by rank, its own included; null for a rank that is no peer
	unsigned char *const *boards;  // by rank, its own included; null where there is none to be read
	Board board;
	u32 readers;            // of this rank's board
	u64 *listed;            // by rank that is no peer: the groups on its board, or its parcel (search_hosted.cuh), as told
	Window at;
	u64 *const *outbox;     // by rank: where the pairs for it go, twice: of the rounds with even and with odd numbers
	u64 *const *inbox;      // the same: where the pairs from it come
	Carried carried;
	u32 *unresolved;        // bitmap by hub id: the parent is a position, whose label must be asked for
	ull *sent;              // pairs for each rank, twice: of the rounds with even and with odd numbers
	Meeting *meeting;
	int *failure;           // host memory: 1 + the rank that did not answer
	u64 patience;           // nanoseconds until a rank is given up
};

__device__ inline u32 hub_of_position(const World &w, u32 position) { return position & ((1u << w.shift) - 1); }
__device__ inline u32 rank_of_position(const World &w, u32 position) { return position >> w.shift; }

template <typename T>
__device__ inline T *in_window(const World &w, u32 rank, u64 offset) {
	return reinterpret_cast<T *>(w.windows[rank] + offset);
}

__device__ inline bool is_peer(const World &w, u32 rank) { return rank != w.rank && w.windows[rank] != nullptr; }

// Ranks that are no peers have boards to read, or are sent messages.
__device__ inline bool is_stranger(const World &w, u32 rank) { return w.windows[rank] == nullptr; }
__device__ inline bool is_near(const World &w, u32 rank) { return is_stranger(w, rank) && w.boards[rank] != nullptr; }
__device__ inline bool is_carried(const World &w, u32 rank) { return is_stranger(w, rank) && w.boards[rank] == nullptr; }

template <typename T>
__device__ inline T *on_board(const World &w, u32 rank, u64 offset) {
	return reinterpret_cast<T *>(w.boards[rank] + offset);
}

// Pairs for and from a rank in a round, each a hub id of the receiver (low half) and its parent's label.
__device__ inline u64 *outbox_of(const World &w, u32 to, u32 round) { return w.outbox[(round & 1) * w.ranks + to]; }
__device__ inline const u64 *inbox_of(const World &w, u32 from, u32 round) { return w.inbox[(round & 1) * w.ranks + from]; }

// What a rank has marked of another one's vertices (search_marks.cuh).
__device__ inline uint4 *marks_in(const World &w, u32 at_rank, u32 from) {
	return in_window<uint4>(w, at_rank, w.at.marks) + (u64)from * ((1u << w.shift) / kGroup);
}

// The label of the vertex at a position: of the largest hubs it is known here, of others their owner is asked. Where
// that is no peer, the position stands in for the label until the search is over, and the vertex that wants it is noted.
__device__ inline u32 label_at(const World &w, u32 position, u32 wanted_by) {
	const u32 rank = rank_of_position(w, position), hub = hub_of_position(w, position);
	if (hub < w.prefix) return __ldg(w.labels + (u64)rank * w.prefix + hub);
	if (w.windows[rank]) return *in_window<const u32>(w, rank, w.at.labels + (u64)hub * sizeof(u32));
	atomicOr(w.unresolved + word_of(wanted_by), 1u << bit_of(wanted_by));
	return position;
}

} // namespace g500
