// The host proxy of a search whose ranks exchange messages: their buffers in host memory, and flags.
// exchange_messages.cuh is the device side.
#pragma once

#include <vector>

#include "common/check.cuh"
#include "common/ranks.cuh"
#include "search/search.h"

namespace g500 {

// PairBuffers are the buffers of pairs to each rank and from it: by rank, for even rounds, then for odd rounds.
struct PairBuffers {
	std::vector<u64 *> send, receive;
};

// MessageSizes are the lengths of the message buffers, in 64-bit words.
struct MessageSizes {
	u64 replicated; // words of this rank's part of a bitmap that messages replicate
	u64 list;  // listed words, or a piece of the part
	u64 pairs; // pairs to another rank per round
	u64 most;  // payload of a message from another rank, at most
};

// HostProxy owns the host memory. It allocates none and does nothing if no ranks of the job exchange messages.
class HostProxy {
public:
	// Allocates the memory and sets its addresses in ranks, and in the buffers of this rank and of ranks on other
	// nodes.
	int open(const g500_ranks &known, const MessageSizes &sizes, Ranks &ranks, PairBuffers &buffers);

	bool serves() const { return count > 0; }

	// Must be called before a search starts.
	void begin();

	// Waits until messages are ready, or the search has ended. *ready becomes their content, or G500_ENDED.
	int await(int *ready, cudaStream_t stream);

	// Reports to the search whether its messages have been delivered.
	void report(bool delivered);

	const g500_message *send_buffers() const { return outgoing; }
	const g500_message *receive_buffers() const { return incoming; }

private:
	int open_buffers(const std::vector<u32> &remote, const MessageSizes &sizes, PairBuffers &buffers);

	HostArray<ProxyFlags> flags;
	HostArray<g500_message> outgoing, incoming; // by rank
	HostArray<u64> headers, replicated, list, out, in, own;
	u32 count = 0;   // ranks of a job with messages, else 0
	u32 served = 0;  // the number of the last barrier whose messages were exchanged
};

} // namespace g500
