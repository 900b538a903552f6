// SPDX-License-Identifier: Apache-2.0

#include "common/empty_level.h"

#include <memory>

#include "common/block.cuh"
#include "common/device.cuh"
#include "common/host_poll.cuh"
#include "common/warp.cuh"

namespace g500 {

namespace {

__global__ void begin_level_kernel(unsigned char *send, u32 messages, u64 place, u64 mark) {
	const u64 threads = (u64)gridDim.x * kThreads;
	for (u64 i = thread_number<kThreads>(); i < messages; i += threads) *(u64 *)(send + i * place) = mark;
}

// One warp.
__global__ void end_level_kernel(const unsigned char *received, u32 messages, u32 rank, u64 place, u64 *look,
                                 u32 number) {
	u64 sum = 0;
	for (u32 r = lane_of_thread(); r < messages; r += kLanes)
		if (r != rank) sum += *(const u64 *)(received + r * place);
	sum = warp_sum(sum);
	if (lane_of_thread() > 0) return;
	((volatile u64 *)look)[1] = sum;
	complete(look, number);
}

} // namespace

} // namespace g500

using namespace g500;

struct g500_empty_level {
	Look look;
	u32 blocks;
	u64 wait; // ns
};

int g500_empty_level_create(uint64_t wait_ns, g500_empty_level **out) {
	std::unique_ptr<g500_empty_level> level(new g500_empty_level);
	int device, processors;
	G500_TRY((int)cudaGetDevice(&device));
	G500_TRY((int)cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
	G500_TRY((int)level->look.open(2));
	level->blocks = (u32)processors * kBlocks;
	level->wait = wait_ns;
	*out = level.release();
	return cudaSuccess;
}

void g500_empty_level_free(g500_empty_level *level) { delete level; }

int g500_empty_level_begin(g500_empty_level *level, void *d_send, uint32_t messages, uint64_t place, uint64_t mark,
                           void *stream) {
	const Launch full_grid{level->blocks, kThreads, (cudaStream_t)stream};
	return G500_START(begin_level_kernel, full_grid, (unsigned char *)d_send, messages, place, mark);
}

int g500_empty_level_end(g500_empty_level *level, const void *d_received, uint32_t messages, uint32_t rank,
                         uint64_t place, void *stream) {
	const Launch one_warp{1, kLanes, (cudaStream_t)stream};
	return G500_START(end_level_kernel, one_warp, (const unsigned char *)d_received, messages, rank, place,
	                  level->look.words(), level->look.begin());
}

int g500_empty_level_await(g500_empty_level *level, uint64_t exchanged, int *arrived, uint64_t *sum, void *stream) {
	Look &look = level->look;
	G500_TRY((int)look.await((cudaStream_t)stream));
	*arrived = !look.is_open();
	if (*arrived) *sum = look.words()[1];
	return !*arrived && look.is_late(level->wait, exchanged) ? (int)G500_ENDED_EARLY : (int)cudaSuccess;
}
