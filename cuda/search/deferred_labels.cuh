// Deferred labels: parents' labels that a search could not look up, because their owners are remote and the vertices
// are not among the largest hubs, whose labels all ranks have. They are rare, and are queried after the search.
#pragma once

#include "common/check.cuh"
#include "common/warp.cuh"
#include "search/state.cuh"

namespace g500 {

constexpr int kDeferredThreads = 256;

// DeferredList is one batch of label queries.
struct DeferredList {
	u32 *vertices, *global_ids, *count;
	u16 *ranks; // of the global ids, with 64-bit ids; else null
	u32 capacity;
};

// Lists vertices whose stored parent is a global id, up to the capacity of the list, and removes them from the bitmap.
// One thread per word of the bitmap.
__global__ void __launch_bounds__(kDeferredThreads)
list_deferred_kernel(u32 *bitmap, u32 words, const u32 *parent, const u16 *parent_ranks, DeferredList list) {
	const u32 i = thread_number<kDeferredThreads>();
	u32 bits = i < words ? bitmap[i] : 0;
	if (bits == 0) return;
	for (u32 at = atomicAdd(list.count, __popc(bits)); bits && at < list.capacity; at++, bits &= bits - 1) {
		list.vertices[at] = vertex_at(i, __ffs(bits) - 1);
		list.global_ids[at] = parent[list.vertices[at]];
		if (list.ranks) list.ranks[at] = parent_ranks[list.vertices[at]];
	}
	bitmap[i] = bits;
}

// Stores the parents' labels. With 64-bit ids the rank fields stay.
__global__ void __launch_bounds__(kDeferredThreads)
store_deferred_kernel(const u32 *vertices, const u32 *labels, u32 count, u32 *parent) {
	const u32 i = thread_number<kDeferredThreads>();
	if (i < count) parent[vertices[i]] = labels[i];
}

// DeferredLabels owns the memory of a batch of label queries.
class DeferredLabels {
public:
	g500_global_ids in_memory() const { return {global_ids, ranks}; } // queries; labels replace the words

	// Allocates memory for `most` queries. bitmap_words is the length of a bitmap of this rank's vertices.
	int open(u32 most, u32 bitmap_words, bool ids64) {
		capacity = most;
		words = bitmap_words;
		if (capacity == 0) return cudaSuccess;
		G500_TRY(vertices.alloc(capacity));
		G500_TRY(global_ids.alloc(capacity));
		if (ids64) G500_TRY(ranks.alloc(capacity));
		G500_TRY(count.alloc(1));
		return cudaSuccess;
	}

	int list(u32 *bitmap, const State &state, u32 *found, cudaStream_t stream) {
		*found = 0;
		if (words == 0) return cudaSuccess;
		const Launch by_word{blocks_for(words, kDeferredThreads), kDeferredThreads, stream};
		const DeferredList list{vertices, global_ids, count, ranks, capacity};
		G500_TRY(cudaMemsetAsync(count, 0, sizeof(u32), stream));
		G500_LAUNCH(list_deferred_kernel, by_word, bitmap, words, state.parent, state.parent_ranks, list);
		G500_TRY(read_back(found, count, sizeof(u32), stream));
		*found = *found < capacity ? *found : capacity;
		return cudaSuccess;
	}

	int store(u32 n, u32 *parent, cudaStream_t stream) {
		if (n == 0) return cudaSuccess;
		const Launch by_vertex{blocks_for(n, kDeferredThreads), kDeferredThreads, stream};
		return G500_START(store_deferred_kernel, by_vertex, vertices.get(), global_ids.get(), n, parent);
	}

private:
	u32 capacity = 0, words = 0;
	Array<u32> vertices, global_ids, count;
	Array<u16> ranks;
};

} // namespace g500
