// What a search from a hub has found, for the margin of pruning (prune.cuh).
#include <cstring>

#include "sssp/prune.cuh"
#include "sssp/search.cuh"

namespace g500::sssp {

namespace {

// find_parents: of the hub's tree, and a depth of 0 for the hub.
// Map:    one thread a vertex of the core. Reads: as relabel. Writes: 8 B a vertex.
__global__ void find_parents_kernel(Graph g, State s, Policy policy, u32 *parents, u32 *depths, Survey *survey) {
	const u32 v = blockIdx.x * kThreads + threadIdx.x;
	if (v >= g.core) return;
	const CoreEntry entry(g, s, policy, v, true);
	const bool reached = entry.word != kInfinite;
	parents[v] = reached ? entry.find_parent(g, s, v) : kNone;
	depths[v] = parents[v] == v ? 0 : kNone;
	if (reached) atomicMax(&survey->farthest, entry.word);
}

// deepen: a depth for each vertex whose parent has one.
// Map:    one thread a vertex of the core. Reads: 12 B a vertex. Writes: 4 B a vertex, once.
// Races:  a depth is written once; who reads too early comes again.
__global__ void deepen_kernel(const u32 *parents, u32 *depths, u32 core, Survey *survey) {
	const u32 v = blockIdx.x * kThreads + threadIdx.x;
	if (v >= core || depths[v] != kNone || parents[v] == kNone) return;
	const u32 above = *(volatile u32 *)&depths[parents[v]];
	if (above == kNone) return;
	depths[v] = above + 1;
	atomicMax(&survey->hops, above + 1);
	survey->changed = 1;
}

// What the hub's search has found.
int survey(const g500_sssp &search, Survey *found, cudaStream_t stream) {
	const u32 core = search.graph.core;
	const Launch how{blocks_for(core, kThreads), kThreads, stream};
	Array<u32> parents, depths;
	Array<Survey> on_device;
	G500_TRY(parents.alloc(core));
	G500_TRY(depths.alloc(core));
	G500_TRY(on_device.alloc(1));
	G500_TRY(cudaMemsetAsync(on_device, 0, sizeof(Survey), stream));
	G500_LAUNCH(find_parents_kernel, how, search.graph, search.state, search.policy, parents.get(), depths.get(),
	            on_device.get());
	do {
		G500_TRY(cudaMemsetAsync(&on_device.get()->changed, 0, sizeof(u32), stream));
		G500_LAUNCH(deepen_kernel, how, parents.get(), depths.get(), core, on_device.get());
		G500_TRY(cudaMemcpyAsync(found, on_device, sizeof *found, cudaMemcpyDeviceToHost, stream));
		G500_TRY(cudaStreamSynchronize(stream));
	} while (found->changed);
	return cudaSuccess;
}

} // namespace

} // namespace g500::sssp

extern "C" int g500_sssp_survey(const g500_sssp *search, float *farthest, uint32_t *hops, void *stream) {
	*farthest = 0;
	*hops = 0;
	if (search->graph.core == 0) return cudaSuccess;
	g500::sssp::Survey found;
	const int code = g500::sssp::survey(*search, &found, (cudaStream_t)stream);
	std::memcpy(farthest, &found.farthest, sizeof *farthest);
	*farthest += search->graph.heaviest; // a leaf may be farther
	*hops = found.hops + 1;
	return code;
}
