// SPDX-License-Identifier: Apache-2.0

// Kernel 2: direction-optimizing breadth-first search in one cooperative launch per rank. Device barriers separate the
// levels, and the device takes all decisions. This is the host side.
#include <algorithm>
#include <memory>
#include <new>

#include "search/far_search.cuh"
#include "search/kernels.cuh"
#include "search/memory.cuh"

namespace g500 {

namespace {

// Deferred labels: parents' labels that a search could not look up, because their owners are remote and the vertices
// are not among the largest hubs, whose labels all ranks have. They are rare, and are queried after the search.

// DeferredList is one batch of label queries.
struct DeferredList {
	u32 *vertices, *global_ids, *count;
	u16 *ranks; // of the global ids, with 64-bit ids; else null
	u32 capacity;

	// Returns the place of a vertex's parent in an array of words: with 64-bit ids a rank follows each word.
	__device__ u64 place(u32 v) const { return ranks ? 2ull * v : v; }
};

// Lists vertices whose stored parent is a global id, up to the capacity of the list, and removes them from the bitmap.
// One thread per word of the bitmap.
__global__ void __launch_bounds__(kThreads)
list_deferred_kernel(u32 *bitmap, u32 words, const u32 *parent, DeferredList list) {
	const u32 i = thread_number<kThreads>();
	u32 bits = i < words ? bitmap[i] : 0;
	if (bits == 0) return;
	for (u32 at = atomicAdd(list.count, __popc(bits)); bits && at < list.capacity; at++, bits &= bits - 1) {
		list.vertices[at] = vertex_at(i, __ffs(bits) - 1);
		const u32 *const of = parent + list.place(list.vertices[at]);
		list.global_ids[at] = of[0];
		if (list.ranks) list.ranks[at] = (u16)of[1];
	}
	bitmap[i] = bits;
}

// Stores the words of the parents' labels.
__global__ void __launch_bounds__(kThreads) store_deferred_kernel(DeferredList list, u32 count, u32 *parent) {
	const u32 i = thread_number<kThreads>();
	if (i < count) parent[list.place(list.vertices[i])] = list.global_ids[i];
}

// Search is one rank's searches.
struct Search : SearchMemory {
	u32 blocks = 0;
	u32 binning = 0; // blocks of far kernels with bins
	u32 label_blocks = 0; // blocks that write the result, at a time
	DeferredList deferred{};
	FarSearch far{*this};
	u64 root = 0; // of the last search of far, a label

	// Returns a label in the kernels' format.
	u64 id_of_label(u64 label) const { return labels64() ? label % ranks.count << 32 | label / ranks.count : label; }

	// Returns the kernels of the search's form.
	const SearchLaunch &searching() const {
		if (graph.packed) return many() ? kPackedPeerSearch : kPackedSearch;
		return labels64() ? kLabels64Search : many() ? kManyRanksSearch : kOneRankSearch;
	}
	const FarLaunch &far_kernels() const { return ids64() ? kFar64 : graph.packed ? kFarPacked : kFar32; }
	const ResultLaunch &result_kernels() const {
		return ids64() ? kResultIds64 : labels64() ? kResultLabels64 : kResult32;
	}
	auto result_kernel() const { return options.result_bits == 64 ? result_kernels().to_64 : result_kernels().to_32; }

	// Computes the numbers of blocks. Blocks of all ranks that share the device must be resident together. Shared memory
	// that a multiprocessor does not need is used as cache.
	//
	// CUDA loads a kernel at its first query or launch, and may then wait for the device. The kernel that writes the
	// result must be loaded before the first search: ranks of this process that wait for each other on the device would
	// block it.
	int size_launch() {
		int device, processors, major;
		G500_TRY(cudaGetDevice(&device));
		G500_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
		G500_TRY(cudaFuncSetAttribute((const void *)result_kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize,
		                              (int)result_kernels().shared));
		G500_TRY(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
		blocks = binning = kBlocks;
		const u64 bytes = searching().shared(ranks.count);
		const int code = state.far.on ? size_far_kernels() : size_kernel((const void *)searching().kernel, bytes, blocks);
		if (code) return code;
		binning = processors * std::min(binning, blocks) / options.sharers;
		blocks = processors * blocks / options.sharers;
		label_blocks = processors * result_kernels().blocks;
		dependent_launch = major >= 9 && options.sharers == 1 && !state.far.on;
		return binning > 0 ? cudaSuccess : cudaErrorLaunchOutOfResources;
	}

	// Reserves shared memory for a kernel, and lowers the number of blocks per multiprocessor to what fits.
	int size_kernel(const void *kernel, u64 bytes, u32 &most) {
		int device, per_processor, memory, reserved;
		G500_TRY(cudaGetDevice(&device));
		G500_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
		G500_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, kThreads, bytes));
		most = std::min(most, (u32)per_processor);
		G500_TRY(cudaDeviceGetAttribute(&memory, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
		G500_TRY(cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device));
		const int percent = (int)((most * (bytes + reserved) * 100 + memory - 1) / memory);
		return cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent);
	}

	// All kernels without bins have the same number of blocks, and so have those with bins, of which some continue others.
	int size_far_kernels() {
		const FarLaunch &f = far_kernels();
		if (const int code = size_kernel((const void *)f.begin, f.context(ranks.count), binning)) return code;
		const auto size = [&](const FarKernel &kernel) {
			if (!kernel.start) return (int)cudaSuccess;
			u32 &most = kernel.has_bins ? binning : blocks;
			return size_kernel((const void *)kernel.start, f.shared(kernel, ranks.count), most);
		};
#define G500_ROW(name, ...) G500_TRY(size(f.name));
		G500_FAR_KERNELS(G500_ROW)
		G500_FAR_KERNELS_32(G500_ROW)
#undef G500_ROW
		return cudaSuccess;
	}

	// Allocates memory for `most` label queries.
	int allocate_deferred(u32 most) {
		deferred.capacity = most;
		if (most == 0) return cudaSuccess;
		G500_TRY(held.alloc(most, deferred.vertices, deferred.global_ids));
		if (ids64()) G500_TRY(held.alloc(most, deferred.ranks));
		return held.alloc(1, deferred.count);
	}

	int list_deferred(u32 *found, cudaStream_t stream) {
		const u32 words = deferred.capacity > 0 ? graph.padded / 32 : 0;
		*found = 0;
		if (words == 0) return cudaSuccess;
		G500_TRY(cudaMemsetAsync(deferred.count, 0, sizeof(u32), stream));
		G500_LAUNCH(list_deferred_kernel, thread_for(words, stream), ranks.deferred, words, state.parent, deferred);
		G500_TRY(read_back(found, deferred.count, sizeof(u32), stream));
		*found = std::min(*found, deferred.capacity);
		return cudaSuccess;
	}

	bool prelaunches() const override { return options.policy.prelaunch; }
	// The host writes the result if it looks up labels. A rank without labels has none to write.
	bool publishes() const override { return !host_finishes && graph.owned > 0; }

	cudaError_t launch_search(u32 ring, cudaStream_t stream) const override {
		if (state.far.on) return far.launch_begin(ring, stream);
		const Launch full_grid{blocks, kThreads, stream, searching().shared(ranks.count), Launch::kCooperative};
		return launch(searching().kernel, full_grid, graph, state, ranks, options.policy, ring);
	}

	int run(u64 label, cudaStream_t stream) override {
		searches++;
		G500_LAUNCH_BY("search_kernel", ring(id_of_label(label), stream));
		return write_result(label, stream);
	}

	int begin_driven(u64 label, g500_wanted &wanted, cudaStream_t stream) override {
		root = label;
		searches++;
		G500_TRY(ring(id_of_label(root), stream));
		return far.begin(id_of_label(root), wanted, stream);
	}

	int next(g500_wanted &wanted, cudaStream_t stream) override {
		G500_TRY(far.next(wanted, stream));
		return wanted.kind == G500_SEARCH_DONE && !host_finishes ? write_result(root, stream) : (int)cudaSuccess;
	}

	// Launches the kernel that writes the result of the last search, from that label, before the search has ended, so that
	// it starts without delay.
	int write_result(u64 root, cudaStream_t stream) const {
		const u32 most = std::min(tiles_of(graph.owned), label_blocks); // none without labels
		const auto how = state.overlaps ? Launch::kOverlapped : Launch::kPlain;
		const Launch full_grid{most, kLabelThreads, stream, result_kernels().shared, how};
		const u32 owned_root = root % ranks.count == ranks.rank ? (u32)(root / ranks.count) : kNone;
		const ResultLaunchArgs search{id_of_label(root), owned_root, searches * blocks, searches};
		return G500_START_BY("write_result_kernel", launch(result_kernel(), full_grid, graph, state, search));
	}
};

} // namespace

} // namespace g500

using namespace g500;

static Search &of(g500_searching *search) { return static_cast<Search &>(*search); }

int g500_search_create(const g500_graph *graph, const g500_search_options *options, g500_searching **out,
                       void *stream) {
	*out = nullptr;
	const bool has_width = options->result_bits == 32 || options->result_bits == 64;
	const bool labels_fit = graph->labels64 || graph->vertices < kNone;
	const bool results_fit = options->result_bits == 64 || graph->vertices < kNone;
	if (!labels_fit || !results_fit || options->sharers == 0 || !has_width) return cudaErrorInvalidValue;
	std::unique_ptr<Search> s(new (std::nothrow) Search);
	if (!s) return cudaErrorMemoryAllocation;
	s->options = *options;
	G500_TRY(s->begin(*graph, (cudaStream_t)stream));
	*out = s.release();
	return cudaSuccess;
}

g500_global_ids g500_search_first_neighbours(g500_searching *s) { return {of(s).graph.tile_first, of(s).first_ranks}; }

int g500_search_degrees(g500_searching *s, uint64_t *vertices, uint64_t *edges, void *stream) {
	return count_degrees(of(s).graph, vertices, edges, (cudaStream_t)stream);
}

uint64_t g500_search_window_bytes(g500_searching *s, int far) {
	of(s).lay_out_window(far);
	return of(s).ranks.at.bytes;
}

int g500_search_connect(g500_searching *search, const g500_ranks *known, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	Search &s = of(search);
	if (s.labels64() && s.ids64() != (known->far != 0)) return cudaErrorInvalidValue;
	G500_TRY(s.take_ranks(*known, stream));
	G500_TRY(s.size_launch()); // needs the form for these ranks
	G500_TRY(s.allocate_state(*known, s.blocks, stream));
	G500_TRY(s.far.open(s.far_kernels(), s.blocks, s.binning));
	return s.allocate_deferred(known->deferred);
}

int g500_search_prepare(g500_searching *s, g500_wanted *wanted, void *stream) {
	return of(s).start([&] { return of(s).far.prepare(*wanted, (cudaStream_t)stream); });
}

int g500_search_deferred(g500_searching *s, uint32_t *count, void *stream) {
	return of(s).list_deferred(count, (cudaStream_t)stream);
}

g500_global_ids g500_search_deferred_ids(g500_searching *s) {
	return {of(s).deferred.global_ids, of(s).deferred.ranks};
}

int g500_search_store_deferred(g500_searching *s, uint32_t count, void *stream) {
	return G500_START(store_deferred_kernel, thread_for(count, (cudaStream_t)stream), of(s).deferred,
	                  count, of(s).state.parent);
}

int g500_search_write_result(g500_searching *s, uint64_t root, void *stream) {
	return of(s).keep(of(s).write_result(root, (cudaStream_t)stream));
}

const void *g500_search_parents(g500_searching *s) { return of(s).state.result; }

int g500_search_trace(g500_searching *search, g500_level *levels, int max, int *count, void *stream) {
	const cudaStream_t on = (cudaStream_t)stream;
	const Search &s = of(search);
	if (s.state.far.on) {
		const std::vector<g500_level> &all = s.far.levels();
		*count = std::min((int)all.size(), max - 1);
		std::copy_n(all.begin(), *count, levels);
		levels[*count] = {G500_WRITE_RESULT};
		if (s.graph.owned > 0) G500_TRY(read_back(levels + *count, s.state.trace, sizeof(g500_level), on));
		++*count;
		return cudaSuccess;
	}
	u32 length = 0;
	G500_TRY(read_back(&length, s.state.trace_length, sizeof length, on));
	*count = std::min((int)length, max);
	G500_TRY(read_back(levels, s.state.trace, *count * sizeof(g500_level), on));
	// A rank without labels writes no result.
	if (s.graph.owned == 0 && *count < max) levels[(*count)++] = {G500_WRITE_RESULT};
	return cudaSuccess;
}

const char *g500_step_name(uint32_t step) {
	switch (step) {
#define G500_ROW(NAME, step, name, ...) \
	case G500_##NAME: return name;
		G500_STEPS(G500_ROW)
#undef G500_ROW
	case G500_WRITE_RESULT: return "write-result";
	}
	return nullptr;
}

int g500_step_direction(uint32_t step) { return is_bottom_up(step) ? G500_BOTTOM_UP : G500_TOP_DOWN; }
