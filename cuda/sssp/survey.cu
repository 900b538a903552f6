// A search's distances from a hub, for the margin of pruning (prune.cuh).
#include <cstring>

#include "common/launch.cuh"
#include "sssp/prune.cuh"
#include "sssp/search.cuh"

namespace g500::sssp {

namespace {

// Survey is the result.
struct Survey {
	u32 farthest; // bits of the largest distance outside trees
	u32 hops;     // edges on the longest path of the hub's tree outside trees
	u32 changed;  // a depth has changed in the last step
};

// Stores the parents of the hub's tree, in place of the search's format.
// Map:    one thread per vertex outside trees. Reads: as write_result_kernel. Writes: 4 B per vertex.
__global__ void find_parents_kernel(Graph g, State s, Policy policy) {
	const u32 local_id = thread_number<kThreads>(), v = g.base + local_id;
	if (local_id >= g.own_non_tree) return;
	const NonTreeEntry entry(g, s, policy, v, true);
	s.parent[v] = entry.word == kInfinite ? kNone : entry.find_parent(g, s, v);
}

// Computes the depth of each vertex outside trees, of all ranks, whose parent has a depth. The hub is its own parent.
// Map:    one thread per global id. Reads: 16 B per vertex. Writes: 4 B per vertex, once.
// Races:  a depth is written once; a thread that reads it too early succeeds in a later step.
__global__ void deepen_kernel(Graph g, State s, u64 places, u32 *depths, Survey *survey) {
	const u32 v = thread_number<kThreads>();
	if (v >= places || !g.is_outside_trees(v) || depths[v] != kNone) return;
	const u32 word = s.distance[v] & ~kFinal, parent = s.parent[v];
	if (word == kInfinite || parent == kNone) return;
	const u32 above = parent == v ? 0 : *(volatile u32 *)&depths[parent];
	if (above == kNone) return;
	const u32 depth = parent == v ? 0 : above + 1;
	depths[v] = depth;
	atomicMax(&survey->hops, depth);
	atomicMax(&survey->farthest, word);
	survey->changed = 1;
}

int survey(const g500_sssp &search, Survey *found, cudaStream_t stream) {
	const u64 places = search.places();
	const Launch by_global_id = thread_for(places, stream);
	Array<u32> depths;
	Array<Survey> on_device;
	G500_TRY(depths.alloc(places));
	G500_TRY(cudaMemsetAsync(depths, 0xff, places * sizeof(u32), stream));
	G500_TRY(on_device.alloc_zeroed(1, stream));
	do {
		G500_TRY(cudaMemsetAsync(&on_device.get()->changed, 0, sizeof(u32), stream));
		G500_LAUNCH(deepen_kernel, by_global_id, search.graph, search.state, places, depths.get(), on_device.get());
		G500_TRY(read_back(found, on_device, sizeof *found, stream));
	} while (found->changed);
	return cudaSuccess;
}

} // namespace

} // namespace g500::sssp

using namespace g500;

extern "C" int g500_sssp_write_parents(g500_sssp *search, void *stream) {
	const u32 own_non_tree = search->graph.own_non_tree;
	const cudaStream_t on = (cudaStream_t)stream;
	if (own_non_tree > 0)
		G500_LAUNCH_BY("find_parents_kernel",
		               launch(sssp::find_parents_kernel, sssp::thread_for(own_non_tree, on), search->graph, search->state,
		                      search->policy));
	return cudaStreamSynchronize(on);
}

extern "C" int g500_sssp_survey(const g500_sssp *search, float *farthest, uint32_t *hops, void *stream) {
	*farthest = 0;
	*hops = 0;
	if (search->graph.non_tree == 0) return cudaSuccess;
	sssp::Survey found;
	const int code = sssp::survey(*search, &found, (cudaStream_t)stream);
	std::memcpy(farthest, &found.farthest, sizeof *farthest);
	*farthest += search->graph.heaviest; // a leaf may be farther
	*hops = found.hops + 1;
	return code;
}
