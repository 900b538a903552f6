// The forms of exchange that searches are tested in.
#pragma once

#include "job.h"

namespace emulator {

inline Reach all_peers(uint32_t, uint32_t) { return kPeers; }
inline Reach all_share_memory(uint32_t, uint32_t) { return kSharedMemory; }
inline Reach all_by_messages(uint32_t, uint32_t) { return kMessages; }

// Two nodes, each with two ranks that are peers, or share memory.
inline Reach peers_of_two_nodes(uint32_t a, uint32_t b) { return a / 2 == b / 2 ? kPeers : kMessages; }
inline Reach two_nodes(uint32_t a, uint32_t b) { return a / 2 == b / 2 ? kSharedMemory : kMessages; }

// Ranks 0 and 1 are peers, and share memory with rank 2. Rank 3 exchanges messages with all.
inline Reach all_three(uint32_t a, uint32_t b) {
	const uint32_t high = a > b ? a : b;
	return high == 1 ? kPeers : high == 2 ? kSharedMemory : kMessages;
}

inline const std::vector<Form> forms{
	{"peers, auto", G500_EXCHANGE_AUTO, all_peers, true},
	{"peers, auto, few known labels", G500_EXCHANGE_AUTO, all_peers, false},
	{"peers, bitmap", G500_EXCHANGE_BITMAP, all_peers, true},
	{"peers, bins", G500_EXCHANGE_BINS, all_peers, true},
	{"shared memory, auto", G500_EXCHANGE_AUTO, all_share_memory, true},
	{"shared memory, auto, few known labels", G500_EXCHANGE_AUTO, all_share_memory, false},
	{"shared memory, bitmap", G500_EXCHANGE_BITMAP, all_share_memory, true},
	{"shared memory, bins", G500_EXCHANGE_BINS, all_share_memory, true},
	{"messages, auto", G500_EXCHANGE_AUTO, all_by_messages, true},
	{"messages, auto, few known labels", G500_EXCHANGE_AUTO, all_by_messages, false},
	{"messages, bitmap", G500_EXCHANGE_BITMAP, all_by_messages, true},
	{"messages, bins", G500_EXCHANGE_BINS, all_by_messages, true},
	{"all three kinds of ranks, auto", G500_EXCHANGE_AUTO, all_three, false},
	{"messages, queries", G500_EXCHANGE_AUTO, all_by_messages, true, 0},
	{"messages, queries, few known labels", G500_EXCHANGE_AUTO, all_by_messages, false, 128},
	{"messages, bitmap, queries", G500_EXCHANGE_BITMAP, all_by_messages, true, 0},
	{"messages, bins, queries", G500_EXCHANGE_BINS, all_by_messages, true, 0},
	{"messages, too many queries", G500_EXCHANGE_AUTO, all_by_messages, true, 0, 0},
	{"messages, some levels with too many queries", G500_EXCHANGE_AUTO, all_by_messages, true, 128, 100},
	{"messages, queries when many vertices are visited", G500_EXCHANGE_AUTO, all_by_messages, false, 0, kAll, 1},
	{"peers on two nodes, queries", G500_EXCHANGE_AUTO, peers_of_two_nodes, true, 0},
	{"memory shared on two nodes, queries", G500_EXCHANGE_AUTO, two_nodes, false, 128},
	{"all three kinds of ranks, queries", G500_EXCHANGE_AUTO, all_three, false, 0},
};

} // namespace emulator
