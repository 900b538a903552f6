// The host's part in a search on ranks that get messages: the host memory through which messages go, and the flags in it.
// search_hosted.cuh is the device's part.
#pragma once

#include <vector>

#include "common/check.cuh"
#include "search/post.cuh"

namespace g500 {

// Needs is what the host memory of a rank must have room for, in 64-bit words.
struct Needs {
	u32 ranks, rank;
	u64 part; // this rank's part of a bitmap, as far as it is used
	u64 box;  // what another rank sends or gets at a time
};

// Office owns the host memory. It takes none, and has nothing to do, where no rank of the job gets messages.
class Office {
public:
	// The pairs that a rank can send another at a time, in a job of so many ranks: the same on all of them.
	static u64 pairs(u64 ranks, u32 shift);

	// Takes the memory, and sets where messages go and come from: in the way, and by rank in outbox and inbox, for ranks
	// that get messages and for this one.
	int open(const g500_world &known, const Needs &needs, Carried &way, std::vector<u64 *> &outbox, std::vector<u64 *> &inbox);

	bool serves() const { return ranks > 0; }

	// Before a search starts.
	void begin();

	// Waits until messages are ready to be carried. *ready is 0 if the search has ended instead.
	int await(int *ready, cudaStream_t stream);

	// Tells the search that the messages have been carried, or that they cannot be.
	void answer(bool carried);

	const g500_message *letters() const { return outgoing; }
	const g500_message *rooms() const { return incoming; }

private:
	int open_boxes(const std::vector<u32> &afar, u64 box, std::vector<u64 *> &outbox, std::vector<u64 *> &inbox);

	HostArray<Post> post;
	HostArray<g500_message> outgoing, incoming; // by rank
	HostArray<u64> mail, list, part, out, in, own;
	u32 ranks = 0; // of a job in which some are no peers
	u32 answered = 0; // the number of the last barrier whose messages were carried
};

} // namespace g500
