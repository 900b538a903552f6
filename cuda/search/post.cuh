// What ranks of a search tell each other at a barrier, and where that lies if hosts have to carry it in messages.
#pragma once

#include "search/search.cuh"

namespace g500 {

// What a rank tells another at a barrier. Each word has its barrier's number in the 16 high bits, so that it is its own
// flag.
enum { kVertices, kEdges, kPairs, kWords, kOutlook, kMore, kNews };
constexpr int kTagShift = 48;
constexpr u64 kNewsMask = (1ull << kTagShift) - 1;

// Post is what a search and its host tell each other, in host memory, where some ranks of the job get messages.
struct Post {
	alignas(kCacheLine) u32 barrier; // the number of the last one whose messages are ready to be carried
	u32 over;                        // the search has come to its end
	alignas(kCacheLine) u32 lost;    // the host cannot carry any more
};

// Carried is the way to ranks that are no peers and have no board to be read: at each barrier the host exchanges
// messages with theirs (search_hosted.cuh, search_office.cuh). A message is what a rank tells, kNews words, then pairs
// or words of the bitmap. Without a post no rank of the job needs it.
struct Carried {
	Post *post;
	g500_message *letters; // host memory: by rank, what goes there at this barrier; nothing to peers
	u64 *mail;             // host memory: kNews words of each rank that sends messages, and of this one
	u32 ranks;             // that get them
	u32 part_words;        // 32-bit words of this rank's part of a bitmap
	u32 list_room;         // words that fit into the list
	u64 *list, *part;      // host memory: behind the room for kNews words
};

} // namespace g500
