// Conversion of tuples to the 32-bit format and back.
#include "common/check.cuh"
#include "common/warp.cuh"
#include "generate/generate.h"

namespace g500 {

namespace {

constexpr int kBlock = 256;

// Drops the high bits of tuples with labels below 2^32.
// Map:    one thread per tuple. Reads: 12 B per tuple. Writes: 8 B per tuple.
__global__ void pack_kernel(const g500_edge *edges, u64 count, g500_edge32 *packed) {
	const u64 i = thread_number<kBlock>();
	if (i < count) packed[i] = {edges[i].low_u, edges[i].low_v};
}

// Restores 12-byte tuples.
// Map:    one thread per tuple. Reads: 8 B per tuple. Writes: 12 B per tuple.
__global__ void unpack_kernel(const g500_edge32 *packed, u64 count, g500_edge *edges) {
	const u64 i = thread_number<kBlock>();
	if (i < count) edges[i] = {packed[i].u, packed[i].v, 0};
}

// Returns a launch with one thread per tuple; the number of blocks is below 2^31 for all tuples that fit into memory.
Launch one_thread_each(u64 count, void *stream) { return {blocks_for(count, kBlock), kBlock, (cudaStream_t)stream}; }

} // namespace

} // namespace g500

extern "C" int g500_pack_edges(const g500_edge *d_edges, uint64_t count, g500_edge32 *d_packed, void *stream) {
	if (count == 0) return cudaSuccess;
	return G500_START(g500::pack_kernel, g500::one_thread_each(count, stream), d_edges, count, d_packed);
}

extern "C" int g500_unpack_edges(const g500_edge32 *d_packed, uint64_t count, g500_edge *d_edges, void *stream) {
	if (count == 0) return cudaSuccess;
	return G500_START(g500::unpack_kernel, g500::one_thread_each(count, stream), d_packed, count, d_edges);
}
