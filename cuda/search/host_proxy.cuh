// The host proxy of a search on ranks that exchange messages: the host memory through which these go, and the flags
// in it. exchange_messages.cuh is the device's part.
#pragma once

#include <vector>

#include "common/check.cuh"
#include "common/ranks.cuh"
#include "search/search.h"

namespace g500 {

// PairBuffers are where pairs for each rank go, and where those from it come: by rank, of even rounds, then of odd
// ones.
struct PairBuffers {
	std::vector<u64 *> send, receive;
};

// MessageSizes is what the host memory of a rank must have room for, in 64-bit words.
struct MessageSizes {
	u64 part;  // this rank's part of a bitmap, as far as it is used
	u64 replicated; // of it, by messages
	u64 list;  // listed words, or a piece of the part
	u64 pairs; // to another rank at a time
	u64 most;  // from another rank at a time, of all that messages have
};

// HostProxy owns the host memory. It takes none, and has nothing to do, where no rank of the job gets messages.
class HostProxy {
public:
	// Takes the memory, and sets where messages go and come from: in ranks, and in the buffers of ranks that get messages
	// and of this one.
	int open(const g500_ranks &known, const MessageSizes &sizes, Ranks &ranks, PairBuffers &buffers);

	bool serves() const { return count > 0; }

	// Before a search starts.
	void begin();

	// Waits until messages are ready to be served. *ready says what they have, or that the search has ended instead.
	int await(int *ready, cudaStream_t stream);

	// Tells the search that the messages have been delivered, or that they cannot be.
	void report(bool delivered);

	const g500_message *send_buffers() const { return outgoing; }
	const g500_message *receive_buffers() const { return incoming; }

private:
	int open_buffers(const std::vector<u32> &remote, const MessageSizes &sizes, PairBuffers &buffers);

	HostArray<ProxyFlags> flags;
	HostArray<g500_message> outgoing, incoming; // by rank
	HostArray<u64> headers, replicated, list, out, in, own;
	u32 count = 0;   // ranks of a job in which some get messages
	u32 served = 0; // the number of the last barrier whose messages were carried
};

} // namespace g500
