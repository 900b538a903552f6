// Host memory for messages to ranks that are no peers, and the host's side of the flags in it.
#include "search/office.cuh"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

namespace g500 {

namespace {

constexpr u64 kCarriedPairs = 1 << 23; // for which there is room out and in, 64 MiB
constexpr u64 kMostCarried = 1 << 21;  // to and from one rank

// Words of host memory. What a message brings begins at a multiple of a grain, and its header right before that.
constexpr u64 kGrain = 256 / sizeof(u64);

constexpr u64 grains(u64 words) { return (words + kGrain - 1) / kGrain * kGrain; }

g500_message message(u64 *payload, u64 words) { return {payload - kNews, (kNews + words) * sizeof(u64)}; }

u32 look(const u32 &flag) { return __atomic_load_n(&flag, __ATOMIC_ACQUIRE); }

// Passes the time between two looks at a flag.
void pause(u32 polls) {
	if (polls % (1 << 14) == 0) std::this_thread::yield();
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

constexpr u32 kPollsPerQuery = 1 << 16; // some milliseconds

} // namespace

u64 Office::pairs(u64 ranks, u32 shift) { return std::min({(u64)1 << shift, kMostCarried, kCarriedPairs / ranks}); }

int Office::open(const g500_world &known, const Needs &needs, Carried &way, std::vector<u64 *> &outbox, std::vector<u64 *> &inbox) {
	if (!known.carried) return cudaSuccess;
	ranks = needs.ranks;
	std::vector<u32> afar;
	for (u32 r = 0; r < ranks; r++)
		if (!known.windows[r] && !known.boards[r]) afar.push_back(r);
	G500_TRY(post.alloc(1));
	G500_TRY(outgoing.alloc(ranks));
	G500_TRY(incoming.alloc(ranks));
	G500_TRY(mail.alloc(ranks * kNews));
	G500_TRY(own.alloc(2 * kGrain));
	outbox[needs.rank] = own + kNews;
	inbox[needs.rank] = own + kGrain + kNews;
	incoming[needs.rank] = message(inbox[needs.rank], 0);
	way.post = post;
	way.letters = outgoing;
	way.mail = mail;
	way.ranks = (u32)afar.size();
	if (afar.empty()) return cudaSuccess;
	way.part_words = (u32)(2 * needs.part);
	way.list_room = (u32)(needs.part / 2); // then it is half as long as the part
	G500_TRY(list.alloc(kGrain + way.list_room));
	G500_TRY(part.alloc(kGrain + needs.part));
	way.list = list + kGrain;
	way.part = part + kGrain;
	return open_boxes(afar, needs.box, outbox, inbox);
}

int Office::open_boxes(const std::vector<u32> &afar, u64 box, std::vector<u64 *> &outbox, std::vector<u64 *> &inbox) {
	const u64 each = kGrain + grains(box);
	G500_TRY(out.alloc(afar.size() * each));
	G500_TRY(in.alloc(afar.size() * each));
	for (u64 i = 0; i < afar.size(); i++) {
		const u32 r = afar[i];
		outbox[r] = out + (i * each + kGrain);
		inbox[r] = in + (i * each + kGrain);
		incoming[r] = message(inbox[r], box);
	}
	return cudaSuccess;
}

void Office::begin() {
	if (post) post->over = 0;
}

// A search that fails on the device ends its stream's work without a word.
int Office::await(int *ready, cudaStream_t stream) {
	*ready = 0;
	if (!post) return cudaSuccess;
	for (u32 polls = 1;; polls++) {
		const u32 barrier = look(post->barrier);
		if (barrier != answered) {
			answered = barrier;
			*ready = 1;
			return cudaSuccess;
		}
		if (look(post->over)) return cudaSuccess;
		if (polls % kPollsPerQuery == 0) {
			const cudaError_t code = cudaStreamQuery(stream);
			if (code != cudaErrorNotReady) return code;
			cudaGetLastError(); // that it is not ready must not be blamed on the next launch
		}
		pause(polls);
	}
}

// What each rank tells is copied behind the rest of what has come: the search waits for it.
void Office::answer(bool carried) {
	if (!carried) {
		__atomic_store_n(&post->lost, 1, __ATOMIC_RELEASE);
		return;
	}
	std::atomic_thread_fence(std::memory_order_seq_cst);
	for (u32 r = 0; r < ranks; r++) {
		const u64 *told = (const u64 *)incoming[r].at; // null for a peer
		for (int k = 0; told && k < kNews; k++) __atomic_store_n(mail + r * kNews + k, told[k], __ATOMIC_RELEASE);
	}
}

} // namespace g500
