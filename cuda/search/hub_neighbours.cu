// Vertices with a hub as first neighbour, and a list of the others.
#include "search/hub_neighbours.cuh"

#include "common/block.cuh"

namespace g500 {

namespace {

constexpr int kBlock = 256;

// Others are the vertices whose first neighbour is not a hub, and with 64-bit ids the rank fields of these neighbours.
struct Others {
	uint2 *list;
	u16 *ranks;
};

// Tests the first neighbours of a chunk with one warp. Sets the bits of vertices whose first neighbour is a hub and
// counts the others; or, if their list is allocated, fills it.
__global__ void __launch_bounds__(kBlock)
look_at_chunks_kernel(const __grid_constant__ Graph g, u32 limit, u32 *bits, uint2 *chunks, Others others, u32 *total) {
	const u32 chunk = warp_number<kBlock>(), lane = lane_of_thread();
	const u32 begin = chunk * kHubChunk, end = min(begin + kHubChunk, g.padded);
	u32 n = 0; // other vertices so far
	for (u32 v = begin + lane; v - lane < end; v += 32) {
		const u32 first = g.first[v];
		const bool is_hub = first != kNone && (g.first_ranks ? first : first & g.local_mask) < limit;
		const bool is_other = first != kNone && !is_hub;
		const u32 place = append_in_warp(__ballot_sync(~0u, is_other), n);
		if (others.list && is_other) {
			const u32 at = chunks[chunk].x + place;
			others.list[at] = make_uint2(v, first);
			if (others.ranks) others.ranks[at] = g.first_ranks[v];
		}
		if (!others.list && is_hub) set(bits, v);
	}
	if (lane != 0 || others.list || begin >= end) return;
	const u32 at = atomicAdd(total, n);
	chunks[chunk] = make_uint2(at, at + n);
}

} // namespace

int HubNeighbourStore::derive(const Graph &g, u32 limit, cudaStream_t stream) {
	const u32 n = blocks_for(g.padded, kHubChunk);
	const Launch a_warp_each{blocks_for(n * 32ull, kBlock), kBlock, stream};
	Array<u32> total;
	u32 count;
	G500_TRY(total.alloc(1));
	G500_TRY(bits.alloc(g.padded / 32));
	G500_TRY(chunks.alloc(n));
	G500_TRY(cudaMemsetAsync(total, 0, sizeof(u32), stream));
	G500_TRY(cudaMemsetAsync(bits, 0, g.padded / 8, stream));
	const auto look = [&](const Others &others) {
		return G500_START(look_at_chunks_kernel, a_warp_each, g, limit, bits.get(), chunks.get(), others, total.get());
	};
	G500_TRY(look({}));
	G500_TRY(read_back(&count, total, sizeof count, stream));
	G500_TRY(others.alloc(count));
	if (g.first_ranks) G500_TRY(other_ranks.alloc(count));
	G500_TRY(look({others, other_ranks}));
	view = {limit, bits, chunks, others, count, other_ranks};
	return cudaStreamSynchronize(stream); // before the counter is freed
}

} // namespace g500
