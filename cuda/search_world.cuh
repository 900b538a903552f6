// The other ranks of a search: where their memory lies, and the barrier at which all ranks tell each other what they
// have done. Nothing between two levels goes through the host: owners write finished words straight into their peers'
// memory, and flags there, written with release and read with acquire at system scope, tell when they have come.
#pragma once

#include "search.cuh"
#include "search_post.cuh"

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

constexpr int kOwnPairs = kNews, kOwnWords = kNews + 1; // in news: this rank's own part
constexpr int kNewsWords = kNews + 2;

// News is what all ranks together have told at a barrier, and of pairs and words what this rank has told each.
struct News {
	u64 of[kNewsWords];
	bool failed; // a rank did not answer: the search is over
};

// Meeting is what the blocks of a rank share at its barriers, and what it keeps from one search to the next. What all
// blocks look at while they wait lies in a cache line of its own.
struct Meeting {
	alignas(kCacheLine) u64 news[2][kNewsWords]; // by even and odd numbers of barriers: the sum of all mail
	alignas(kCacheLine) u32 arrived;             // blocks that have come to barriers of this search
	alignas(kCacheLine) u64 last_arrival;        // when the last block came to the last barrier
	u32 turn;  // barriers, ever, when the last search ended
	u32 round; // the same for exchanges of pairs: what comes in this search must not come where that is which came last
	u32 first; // which bitmap the next search begins with
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
	const Neighbour *graphs;       // by rank, its own included; null where not all ranks are peers, or none reads another's
	const u32 *degrees;            // mean degree in each class of hub ids, in sixteenths; the same on all ranks
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
	u32 *pairs;             // that have come from each rank, twice in turn
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

__device__ inline u64 *mail_of(const World &w, u32 at_rank, u32 from, u32 turn) {
	return in_window<u64>(w, at_rank, w.at.mail) + ((u64)(turn & 1) * w.ranks + from) * kNews;
}

__device__ inline u64 *mail_on_board(const World &w, u32 of_rank, u32 to, u32 turn) {
	return on_board<u64>(w, of_rank, w.board.mail) + ((u64)(turn & 1) * w.ranks + to) * kNews;
}

// Mail and news are written and read two words at a time, past the caches of the multiprocessors. Fences beside it order
// the rest.
__device__ inline void store_words(u64 *at, u64 first, u64 second) {
	asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" ::"l"(at), "l"(first), "l"(second) : "memory");
}
template <int kWords>
__device__ inline void load_words(const u64 *at, u64 (&words)[kWords]) {
#pragma unroll
	for (int k = 0; k < kWords; k += 2)
		asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];" : "=l"(words[k]), "=l"(words[k + 1]) : "l"(at + k) : "memory");
}

// Loads words that carry a barrier's number, all of them; false if they have not come.
template <int kWords>
__device__ inline bool have_come(const u64 *at, u32 turn, u64 (&words)[kWords]) {
	load_words(at, words);
	bool come = true;
#pragma unroll
	for (u64 &word : words) {
		come &= word >> kTagShift == (turn & 0xffff);
		word &= kNewsMask;
	}
	return come;
}

// What this rank tells: places of counters, null for nothing. Of pairs there is a counter for each rank. Ranks that are
// no peers get the groups on the board; or in messages the listed words, or, if those are too many or none are listed, the
// whole part of the bitmap.
struct Report {
	const ull *vertices, *edges, *pairs, *words, *listed, *groups, *outlook, *more;
};

__device__ inline u64 count_of(const ull *counter) { return counter ? read_now(counter) : 0; }

// What the report says to all ranks alike. All counters are read before the first of them is used: they are far away.
struct Tidings {
	u64 vertices, edges, words, listed, groups, outlook, more;

	__device__ explicit Tidings(const Report &r)
		: vertices(count_of(r.vertices)), edges(count_of(r.edges)), words(count_of(r.words)), listed(count_of(r.listed)), groups(count_of(r.groups)),
		  outlook(count_of(r.outlook)), more(count_of(r.more)) {}
};

// Writes mail that says this, with so many pairs and words.
__device__ inline void write_mail(u64 *mail, const Tidings &told, u32 turn, u64 pairs, u64 words) {
	const u64 tag = (u64)turn << kTagShift;
	store_words(mail + kVertices, tag | told.vertices, tag | told.edges);
	store_words(mail + kPairs, tag | pairs, tag | words);
	store_words(mail + kOutlook, tag | told.outlook, tag | told.more);
}

// Sum of a warp's numbers, or of those of its first lanes if no others have any.
__device__ inline u64 sum_of_lanes(u64 x, u32 lanes) {
	for (u32 d = 1; d < lanes && d < 32; d *= 2) x += __shfl_xor_sync(~0u, x, d);
	return x;
}

// Tells every peer, every reader of the board, and this rank itself, what the report says. A warp does it, for the whole
// rank. Returns the pairs and the words that it has told of, in each lane.
__device__ inline ulonglong2 tell(const World &w, const Report &report, u32 turn) {
	const Tidings told(report);
	u64 sum = 0;
	for (u32 r = threadIdx.x & 31; r < w.ranks; r += 32) {
		const u64 pairs = report.pairs ? read_now(report.pairs + r) : 0;
		sum += pairs;
		const bool stranger = is_stranger(w, r);
		if (stranger && !w.boards[r]) continue;
		u64 *mail = stranger ? mail_on_board(w, w.rank, r, turn) : mail_of(w, r, w.rank, turn);
		write_mail(mail, told, turn, pairs, stranger ? told.groups : told.words);
	}
	return {__shfl_sync(~0u, sum_of_lanes(sum, w.ranks), 0), told.words};
}

// Where a rank's mail comes. Where the host carries messages, this rank's own comes with them, so that no barrier ends
// before the host has done its part.
__device__ inline const u64 *mail_from(const World &w, u32 from, u32 turn) {
	if (w.readers && is_near(w, from)) return mail_on_board(w, from, w.rank, turn);
	if (w.carried.post && !is_peer(w, from)) return w.carried.mail + from * kNews;
	return mail_of(w, w.rank, from, turn);
}

__device__ inline bool is_lost(const World &w) { return w.carried.post && *(const volatile u32 *)&w.carried.post->lost; }

// Waits for what a rank tells at a barrier. A rank that lets this one wait too long is given up; so are all others when
// the host cannot carry their messages.
__device__ inline bool await_mail(const World &w, u32 from, u32 turn, u64 began, u64 (&told)[kNews]) {
	const u64 *mail = mail_from(w, from, turn);
	for (u32 polls = 1; !have_come(mail, turn, told); polls++) {
		if (polls % 256 != 0) continue;
		if (is_lost(w)) return false;
		if (now_ns() - began > w.patience) {
			*(volatile int *)w.failure = 1 + (int)from;
			return false;
		}
	}
	return true;
}

constexpr u64 kFailed = kNewsMask; // in place of a sum: a rank did not answer

// Keeps what a rank that is no peer tells of its words: they are not among those of peers.
__device__ inline void keep_listed(const World &w, u32 from, u64 &told) {
	w.listed[from] = told;
	told = 0;
}

// Adds up the mail of all ranks for this rank's blocks, with a warp, and so ends the barrier. Where pairs are told, those
// from each rank are kept.
__device__ inline void gather(const World &w, u32 turn, u32 *pairs, const ulonglong2 &own) {
	u64 sum[kNews] = {};
	bool failed = false;
	const u64 began = now_ns();
	for (u32 r = threadIdx.x; r < w.ranks && !failed; r += 32) {
		u64 told[kNews];
		failed = !await_mail(w, r, turn, began, told);
		if (r == w.rank) told[kPairs] = 0;
		if (w.apart && is_stranger(w, r)) keep_listed(w, r, told[kWords]);
		if (pairs) pairs[r] = (u32)told[kPairs];
#pragma unroll
		for (int k = 0; k < kNews; k++) sum[k] += told[k];
	}
#pragma unroll
	for (u64 &of : sum) of = sum_of_lanes(of, w.ranks);
	failed = __any_sync(~0u, failed);
	if (threadIdx.x) return;
	const u64 tag = (u64)turn << kTagShift;
	u64 *news = w.meeting->news[turn & 1];
	__threadfence_system(); // once for the warp: it takes a microsecond
	if (failed) sum[0] = kFailed;
#pragma unroll
	for (int k = 0; k < kNews; k += 2) store_words(news + k, tag | sum[k], tag | sum[k + 1]);
	store_words(news + kOwnPairs, tag | own.x, tag | own.y);
}

__device__ void post_letters(const World &w, const Report &report, u32 turn); // search_hosted.cuh

// A barrier of all blocks of all ranks. What each rank wrote before, in its own memory or its peers', all can read
// afterwards. What the ranks told is in news then, and in w.pairs until the barrier after next.
//
// The last block of a rank to come speaks for it: it tells the peers, waits for their mail, which it gives up after a
// while, and ends the barrier for the others. The news, the number of the last barrier and the report are in shared memory.
// No rank can be more than one barrier ahead of another, so that two sets of mail and news are enough. With this barrier
// blocks have come to barriers so often in this search.
inline __device__ __noinline__ void meet(const World &w, News &news, u32 &last_turn, const Report &report, u32 arrivals) {
	const u32 turn = last_turn + 1;
	__syncthreads();
	if (threadIdx.x < 32) {
		bool last = false;
		if (threadIdx.x == 0) {
			__threadfence();
			last = atomicAdd(&w.meeting->arrived, 1) + 1 == arrivals;
			if (last) {
				w.meeting->last_arrival = now_ns();
				__threadfence_system();
			}
		}
		if (__any_sync(~0u, last)) {
			const ulonglong2 own = tell(w, report, turn);
			if (w.carried.post) post_letters(w, report, turn);
			gather(w, turn, report.pairs ? w.pairs + (turn & 1) * w.ranks : nullptr, own);
		}
		if (threadIdx.x == 0) {
			while (!have_come(w.meeting->news[turn & 1], turn, news.of)) continue; // the last block sees to it that they come
			news.failed = news.of[0] == kFailed;
			last_turn = turn;
			__threadfence();
		}
	}
	__syncthreads();
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
