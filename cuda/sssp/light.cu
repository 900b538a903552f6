// Light edges, which all ranks store (light.cuh).
#include "sssp/light.cuh"

#include "common/launch.cuh"
#include "sssp/search.cuh"

using namespace g500;

namespace g500::sssp {

namespace {

// Returns the number of light edges of one of this rank's vertices. Its row is sorted by weight.
__device__ u32 light_edges_of(const Graph &g, u32 local_id, float window) {
	const u64 begin = g.rows[local_id];
	u64 from = begin, to = g.rows[local_id + 1];
	while (from < to) {
		const u64 middle = (from + to) / 2;
		if (g.cols[middle].weight < window) from = middle + 1;
		else to = middle;
	}
	return (u32)(from - begin);
}

// Counts this rank's entries.
// Map:    one thread per vertex outside trees. Reads: 16 B of rows and a few weights. Writes: an atomic per row.
__global__ void count_light_kernel(const __grid_constant__ Graph graph, float window, ull *count) {
	const u32 local_id = thread_number<kThreads>();
	if (local_id >= graph.own_non_tree) return;
	const u32 n = light_edges_of(graph, local_id, window);
	if (n > 0) atomicAdd(count, (ull)n + 1);
}

// Writes this rank's entries.
// Map:    one thread per vertex outside trees. Reads: as count_light_kernel, and 8 B per entry. Writes: 8 B per entry.
__global__ void store_light_kernel(const __grid_constant__ Graph graph, float window, ull *count, Col *entries) {
	const u32 local_id = thread_number<kThreads>();
	if (local_id >= graph.own_non_tree) return;
	const u32 n = light_edges_of(graph, local_id, window);
	if (n == 0) return;
	Col *const row = entries + atomicAdd(count, (ull)n + 1);
	row[0] = light_row(graph.base + local_id, n);
	for (u32 i = 0; i < n; i++) row[i + 1] = graph.cols[graph.rows[local_id] + i];
}

// Stores the place of the first light edge of each vertex.
// Map:    one thread per entry. Reads: 8 B. Writes: 4 random B per row.
__global__ void index_light_kernel(const Col *entries, u64 n, u32 *light) {
	const u64 i = thread_number<kThreads>();
	if (i < n && is_light_row(entries[i])) light[entries[i].global_id] = (u32)i + 1;
}

} // namespace

} // namespace g500::sssp

int g500_sssp::count_light(u64 *count, cudaStream_t stream) const {
	Array<ull> sum;
	G500_TRY(sum.alloc_zeroed(1, stream));
	if (policy.landmarks > 0 && graph.own_non_tree > 0)
		G500_LAUNCH(sssp::count_light_kernel, sssp::thread_for(graph.own_non_tree, stream), graph, policy.window, sum.get());
	return read_back(count, sum, sizeof *count, stream);
}

int g500_sssp::store_light(void *of_all, u64 most, cudaStream_t stream) {
	Array<ull> sum;
	G500_TRY(sum.alloc_zeroed(1, stream));
	light_edges_ = (const sssp::Col *)of_all, light_entries_ = ranks.count * most;
	G500_TRY(cudaMemsetAsync(of_all, 0, light_entries_ * sizeof(sssp::Col), stream));
	if (graph.own_non_tree > 0)
		G500_LAUNCH(sssp::store_light_kernel, sssp::thread_for(graph.own_non_tree, stream), graph, policy.window, sum.get(),
		            (sssp::Col *)of_all + ranks.rank * most);
	return cudaStreamSynchronize(stream);
}

int g500_sssp::index_light(cudaStream_t stream) {
	if (light_entries_ == 0) return cudaSuccess;
	G500_TRY(light_.alloc_zeroed(places(), stream));
	G500_LAUNCH(sssp::index_light_kernel, sssp::thread_for(light_entries_, stream), light_edges_, light_entries_,
	            light_.get());
	far.push_over(light_, light_edges_, policy.window);
	return cudaSuccess;
}

extern "C" int g500_sssp_count_light(g500_sssp *search, uint64_t *count, void *stream) {
	return search->count_light(count, (cudaStream_t)stream);
}

extern "C" int g500_sssp_store_light(g500_sssp *search, uint64_t *d_light, uint64_t most, void *stream) {
	return search->store_light(d_light, most, (cudaStream_t)stream);
}
