// SPDX-License-Identifier: Apache-2.0

#include "common/tiles.cuh"

#include "common/block.cuh"
#include "common/cub.cuh"
#include "common/warp.cuh"

namespace g500 {

namespace {

__global__ void number_kernel(u32 n, u32 *local_id) {
	if (thread_number<kThreads>() < n) local_id[thread_number<kThreads>()] = thread_number<kThreads>();
}

// Stores the beginning of each part in the sorted list. One thread per gap between two entries.
__global__ void mark_parts_kernel(const u32 *part, u32 n, u32 parts, u32 *start) {
	const u32 i = thread_number<kThreads>();
	if (i > n) return;
	const u32 from = i == 0 ? 0 : part[i - 1] + 1, to = i == n ? parts : part[i];
	for (u32 p = from; p <= to; p++) start[p] = i;
}

} // namespace

int SortedByPart::sort(const u32 *part_of, u32 n, u32 parts, cudaStream_t stream) {
	Array<u32> other_part, other_id;
	const int bits = bits_for(parts);
	for (auto *array : {&part, &local_id, &other_part, &other_id}) G500_TRY(array->alloc(n));
	G500_TRY(start.alloc(parts + 1));
	G500_TRY(cudaMemcpyAsync(part, part_of, n * sizeof(u32), cudaMemcpyDeviceToDevice, stream));
	G500_LAUNCH(number_kernel, thread_for(n, stream), n, local_id.get());
	Buffers<u32> keys{part, other_part}, ids{local_id, other_id};
	const auto sort = [&](void *temp, size_t &bytes) { return sort_arrays(temp, bytes, {n, 0, bits}, stream, keys, ids); };
	if (n > 0) G500_TRY(with_memory(Array<char>(), "sort_by_part (CUB)", stream, sort));
	if (keys.now != part) part.swap(other_part), local_id.swap(other_id);
	G500_LAUNCH(mark_parts_kernel, thread_for((u64)n + 1, stream), part.get(), n, parts, start.get());
	return cudaStreamSynchronize(stream); // before the temporary arrays are freed
}

} // namespace g500
