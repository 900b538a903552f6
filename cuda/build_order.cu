// Kernel 1, first half: how many vertices there are, their degrees, and the hub order.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>

#include "build.cuh"

namespace g500 {

namespace {

__device__ inline uint64_t label_u(const g500_edge &e) { return e.low_u | (uint64_t)(e.high & 0xffff) << 32; }
__device__ inline uint64_t label_v(const g500_edge &e) { return e.low_v | (uint64_t)(e.high >> 16) << 32; }

// find_vertices: the highest label plus one.
// Map:    one thread for kPerThread tuples; lane 0 speaks for its warp.
// Reads:  12 B a tuple. Writes: 8 B in all.
// Races:  *vertices only grows, so a value read too early costs an atomicMax in vain and hides nothing.
__global__ void find_vertices_kernel(Tuples tuples, unsigned long long *vertices) {
	uint64_t found = 0;
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		const uint64_t i = tuple_index(k);
		if (i < tuples.count) found = max(found, max(label_u(tuples.edges[i]), label_v(tuples.edges[i])) + 1);
	}
	for (int step = warpSize / 2; step > 0; step /= 2) found = max(found, __shfl_down_sync(~0u, found, step));
	if (threadIdx.x % warpSize == 0 && found > *vertices) atomicMax(vertices, found);
}

// count_degrees: the tuples that end at each label, duplicates counted, self-loops not.
// Map:    one thread for kPerThread tuples.
// Reads:  8 B a tuple (labels are below 2^32 here). Writes: two atomic additions a tuple, at random places.
// Races:  additions commute. A counter holds up to 2^32-1: with more tuples than that at one vertex it wraps, which
//         fill_rows notices.
__global__ void count_degrees_kernel(Tuples tuples, uint32_t *degrees) {
	uint32_t u[kPerThread], v[kPerThread];
#pragma unroll
	for (int k = 0; k < kPerThread; k++) { // all reads first: none waits for an addition
		const uint64_t i = tuple_index(k);
		u[k] = i < tuples.count ? __ldcs(&tuples.edges[i].low_u) : 0;
		v[k] = i < tuples.count ? __ldcs(&tuples.edges[i].low_v) : 0;
	}
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		if (u[k] == v[k]) continue;
		atomicAdd(&degrees[u[k]], 1);
		atomicAdd(&degrees[v[k]], 1);
	}
}

// list_labels: labels[l] = l. One thread a label.
__global__ void list_labels_kernel(uint32_t *labels, uint32_t vertices) {
	const uint32_t l = blockIdx.x * kBlock + threadIdx.x;
	if (l < vertices) labels[l] = l;
}

// number_hubs: the way back from labels to hub ids, and how many hubs there are.
// Map:    one thread for each place of the hub order, the vertices of degree 0 at its end.
// Reads:  8 B a label. Writes: 4 B a label, at random places; *hubs, which the caller has set to 0.
// Races:  none: one thread alone sees the last degree above 0.
__global__ void number_hubs_kernel(const uint32_t *degrees, const uint32_t *labels, uint32_t vertices, uint32_t *hub_of,
                                   uint32_t *hubs) {
	const uint32_t h = blockIdx.x * kBlock + threadIdx.x;
	if (h >= vertices) return;
	const bool is_hub = degrees[h] > 0;
	hub_of[labels[h]] = is_hub ? h : kNoHub;
	if (is_hub && (h + 1 == vertices || degrees[h + 1] == 0)) *hubs = h + 1;
}

struct Widen {
	__host__ __device__ uint64_t operator()(uint32_t degree) const { return degree; }
};

int count_degrees(const Tuples &tuples, uint32_t *degrees, uint64_t vertices, cudaStream_t stream) {
	G500_TRY(cudaMemsetAsync(degrees, 0, vertices * sizeof *degrees, stream));
	G500_LAUNCH(count_degrees_kernel<<<blocks_for(tuples.count, kTile), kBlock, 0, stream>>>(tuples, degrees));
	return cudaSuccess;
}

// Sorts labels by falling degree. CUB's radix sort is stable: of equal degree, the lower label stays first.
int sort_by_degree(cub::DoubleBuffer<uint32_t> &degrees, cub::DoubleBuffer<uint32_t> &labels, uint32_t vertices,
                   Budget &budget, cudaStream_t stream) {
	G500_LAUNCH(list_labels_kernel<<<blocks_for(vertices, kBlock), kBlock, 0, stream>>>(labels.Current(), vertices));
	const auto sort = [&](void *temp, size_t &bytes) {
		return cub::DeviceRadixSort::SortPairsDescending(temp, bytes, degrees, labels, vertices, 0, 32, stream);
	};
	Scratch<char> temp(budget);
	size_t bytes = 0;
	G500_TRY(sort(nullptr, bytes));
	if (const int code = temp.take(bytes)) return code;
	G500_LAUNCH_BY("sort_by_degree (CUB)", sort(temp.get(), bytes));
	G500_TRY(cudaStreamSynchronize(stream)); // before temp goes
	return cudaSuccess;
}

// Numbers the hubs: hub_of, hubs and labels of the graph.
int number_hubs(const uint32_t *degrees, const uint32_t *labels, Budget &budget, g500_graph *graph, cudaStream_t stream) {
	const uint32_t vertices = (uint32_t)graph->vertices;
	Scratch<uint32_t> hubs(budget);
	if (const int code = hubs.take(1)) return code;
	if (const int code = allocate(&graph->hub_of, vertices)) return code;
	G500_TRY(cudaMemsetAsync(hubs.get(), 0, sizeof(uint32_t), stream));
	G500_LAUNCH(number_hubs_kernel<<<blocks_for(vertices, kBlock), kBlock, 0, stream>>>(degrees, labels, vertices,
	                                                                                   graph->hub_of, hubs.get()));
	G500_TRY(cudaMemcpyAsync(&graph->hubs, hubs.get(), sizeof graph->hubs, cudaMemcpyDeviceToHost, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	if (const int code = allocate(&graph->labels, graph->hubs)) return code;
	G500_TRY(cudaMemcpyAsync(graph->labels, labels, graph->hubs * sizeof *labels, cudaMemcpyDeviceToDevice, stream));
	return cudaSuccess;
}

// Sets rows to the running sum of the hubs' degrees, from 0.
int sum_degrees(const uint32_t *degrees, Budget &budget, g500_graph *graph, cudaStream_t stream) {
	if (const int code = allocate(&graph->rows, (uint64_t)graph->hubs + 1)) return code;
	G500_TRY(cudaMemsetAsync(graph->rows, 0, sizeof *graph->rows, stream));
	const auto wide = thrust::make_transform_iterator(degrees, Widen()); // sums pass 2^32
	const auto sum = [&](void *temp, size_t &bytes) {
		return cub::DeviceScan::InclusiveSum(temp, bytes, wide, graph->rows + 1, (int)graph->hubs, stream);
	};
	Scratch<char> temp(budget);
	size_t bytes = 0;
	G500_TRY(sum(nullptr, bytes));
	if (const int code = temp.take(bytes)) return code;
	G500_LAUNCH_BY("sum_degrees (CUB)", sum(temp.get(), bytes));
	G500_TRY(cudaStreamSynchronize(stream)); // before temp goes
	return cudaSuccess;
}

} // namespace

int find_vertices(const Tuples &tuples, Budget &budget, uint64_t *vertices, cudaStream_t stream) {
	Scratch<unsigned long long> found(budget);
	if (const int code = found.take(1)) return code;
	G500_TRY(cudaMemsetAsync(found.get(), 0, sizeof(unsigned long long), stream));
	G500_LAUNCH(find_vertices_kernel<<<blocks_for(tuples.count, kTile), kBlock, 0, stream>>>(tuples, found.get()));
	G500_TRY(cudaMemcpyAsync(vertices, found.get(), sizeof *vertices, cudaMemcpyDeviceToHost, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

int order_hubs(const Tuples &tuples, Budget &budget, g500_graph *graph, cudaStream_t stream) {
	const uint64_t n = graph->vertices;
	Scratch<uint32_t> degree(budget), degree_spare(budget), label(budget), label_spare(budget);
	for (auto *array : {&degree, &degree_spare, &label, &label_spare}) {
		if (const int code = array->take(n)) return code;
	}
	if (const int code = count_degrees(tuples, degree.get(), n, stream)) return code;
	cub::DoubleBuffer<uint32_t> degrees(degree.get(), degree_spare.get()), labels(label.get(), label_spare.get());
	if (const int code = sort_by_degree(degrees, labels, (uint32_t)n, budget, stream)) return code;
	if (const int code = number_hubs(degrees.Current(), labels.Current(), budget, graph, stream)) return code;
	return sum_degrees(degrees.Current(), budget, graph, stream);
}

} // namespace g500
