// Kernel 1 on one device (specification, section "Kernel 1 - Graph Construction"): from edge tuples to the hub-ordered
// rows of g500_graph, with the meaning of Go's graph/csr on one rank.
//
// Three steps: find the number of vertices; count degrees and number the vertices by falling degree (order.cu); sort
// the tuples' ends into rows, piece by piece (rows.cu).
//
// Memory, in bytes, for N labels, V hubs and D, the sum of the degrees (two for each tuple that is no self-loop).
// The graph: 4 D for the columns, 8 V for the offsets, 4 V and 4 N for the two tables. The number of distinct edges is
// known only at the end, so the columns are allocated for D; official graphs of scale 26 leave about 2% of that unused.
// Beside it, never more than temp_bytes: 16 N at first, then 16 for each entry of a piece.
#include <climits>

#include "kernel1/rows.cuh"

namespace g500 {

namespace {

int order(const Tuples &tuples, Budget &budget, g500_graph *graph, cudaStream_t stream) {
	Scratch<u32> degrees(budget);
	if (const int code = degrees.take(graph->owned)) return code;
	G500_TRY(cudaMemsetAsync(degrees.get(), 0, degrees.bytes(), stream));
	if (const int code = count_degrees(tuples, degrees.get(), stream)) return code;
	if (const int code = order_hubs(degrees.get(), budget, graph, stream)) return code;
	graph->shift = g500_position_bits(graph->hubs);
	return cudaSuccess;
}

int fill_rows(const Tuples &tuples, Budget &budget, g500_graph *graph, cudaStream_t stream) {
	RowFiller filler(budget, graph, stream);
	if (const int code = allocate_columns(graph, stream)) return code;
	if (const int code = filler.prepare()) return code;
	while (!filler.done()) {
		if (const int code = filler.next()) return code;
		if (const int code = filler.collect(tuples)) return code;
		if (const int code = filler.store()) return code;
	}
	return filler.finish();
}

// Fills an empty graph. The caller frees what is there if it fails.
int build(const Tuples &tuples, Budget budget, g500_graph *graph, cudaStream_t stream) {
	if (tuples.count == 0) return cudaSuccess;
	if (const int code = find_vertices(tuples, &graph->vertices, stream)) return code;
	if (graph->vertices > INT_MAX) return cudaErrorInvalidValue; // CUB before 13 scans 2^31-1 items at most
	graph->owned = (u32)graph->vertices;
	if (const int code = order(tuples, budget, graph, stream)) return code;
	return fill_rows(tuples, budget, graph, stream);
}

} // namespace

} // namespace g500

int g500_build(const g500_edge *d_edges, uint64_t count, uint64_t temp_bytes, g500_graph *graph, void *stream) {
	*graph = {};
	graph->ranks = 1;
	graph->shift = g500_position_bits(0);
	const int code = g500::build({d_edges, count}, {temp_bytes}, graph, (cudaStream_t)stream);
	if (code != cudaSuccess) g500_graph_free(graph);
	return code;
}

void g500_graph_free(g500_graph *graph) {
	cudaFree(graph->rows);
	cudaFree(graph->cols);
	cudaFree(graph->labels);
	cudaFree(graph->hub_of);
	*graph = {};
}

// The search sweeps groups of 256 hub ids. Ids are padded to whole groups, so that no group has positions of two ranks.
uint32_t g500_position_bits(uint32_t hubs) {
	constexpr uint32_t kGroup = 256;
	return g500::bits_for(hubs == 0 ? kGroup - 1 : (hubs - 1) | (kGroup - 1));
}
