// Labels of parents that a search could not find out: their owners are no peers of this rank, and they are none of the
// largest hubs, whose labels all ranks know. They are rare, and are asked for after the search.
#pragma once

#include "common/check.cuh"
#include "search/search.cuh"

namespace g500 {

constexpr int kWantedThreads = 256;

// Collects vertices whose parent is a position still, as many as there is room for, and takes them out of the bitmap.
// One thread a word of the bitmap.
__global__ void __launch_bounds__(kWantedThreads) collect_wanted_kernel(u32 *unresolved, u32 words, const u32 *parent, u32 room, u32 *vertices, u32 *positions, u32 *count) {
	const u32 i = blockIdx.x * kWantedThreads + threadIdx.x;
	u32 bits = i < words ? unresolved[i] : 0;
	if (bits == 0) return;
	for (u32 at = atomicAdd(count, __popc(bits)); bits && at < room; at++, bits &= bits - 1) {
		vertices[at] = vertex_at(i, __ffs(bits) - 1);
		positions[at] = parent[vertices[at]];
	}
	unresolved[i] = bits;
}

// Gives the vertices their parents' labels.
__global__ void __launch_bounds__(kWantedThreads) settle_wanted_kernel(const u32 *vertices, const u32 *labels, u32 count, u32 *parent) {
	const u32 i = blockIdx.x * kWantedThreads + threadIdx.x;
	if (i < count) parent[vertices[i]] = labels[i];
}

// Wanted is the room for questions.
class Wanted {
public:
	Array<u32> positions; // the labels come into their places

	// Takes room for so many questions, of a rank whose bitmaps by hub id have that many words.
	int open(u32 questions, u32 bitmap_words) {
		room = questions;
		words = bitmap_words;
		if (room == 0) return cudaSuccess;
		G500_TRY(vertices.alloc(room));
		G500_TRY(positions.alloc(room));
		G500_TRY(count.alloc(1));
		return cudaSuccess;
	}


	int collect(u32 *unresolved, const u32 *parent, u32 *found, cudaStream_t stream) {
		*found = 0;
		if (words == 0) return cudaSuccess;
		G500_TRY(cudaMemsetAsync(count, 0, sizeof(u32), stream));
		G500_LAUNCH(collect_wanted_kernel<<<blocks_for(words, kWantedThreads), kWantedThreads, 0, stream>>>(unresolved, words, parent, room, vertices, positions, count));
		G500_TRY(cudaMemcpyAsync(found, count, sizeof(u32), cudaMemcpyDeviceToHost, stream));
		G500_TRY(cudaStreamSynchronize(stream));
		*found = *found < room ? *found : room;
		return cudaSuccess;
	}

	int settle(u32 settled, u32 *parent, cudaStream_t stream) {
		if (settled == 0) return cudaSuccess;
		G500_LAUNCH(settle_wanted_kernel<<<blocks_for(settled, kWantedThreads), kWantedThreads, 0, stream>>>(vertices, positions, settled, parent));
		return cudaSuccess;
	}

private:
	u32 room = 0, words = 0;
	Array<u32> vertices, count;
};

} // namespace g500
