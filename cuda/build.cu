// Kernel 1 on one device (specification, section "Kernel 1 - Graph Construction"): from edge tuples to the hub-ordered
// rows of g500_graph, with the meaning of Go's graph/csr on one rank.
//
// Three steps: find the number of vertices; count degrees and number the vertices by falling degree (build_order.cu);
// sort the tuples' ends into rows, piece by piece (build_rows.cu).
//
// Memory, in bytes, for N labels, V hubs and D, the sum of the degrees (two for each tuple that is no self-loop).
// The graph: 4 D for the columns, 8 V for the offsets, 4 V and 4 N for the two tables. The number of distinct edges is
// known only at the end, so the columns are allocated for D; official graphs of scale 26 leave about 2% of that unused.
// Beside it, never more than temp_bytes: 16 N at first, then 16 for each entry of a piece.
#include <climits>

#include "build.cuh"

namespace g500 {

namespace {

// Fills an empty graph. The caller frees what is there if it fails.
int build(const Tuples &tuples, Budget budget, g500_graph *graph, cudaStream_t stream) {
	if (tuples.count == 0) return cudaSuccess;
	if (const int code = find_vertices(tuples, budget, &graph->vertices, stream)) return code;
	if (graph->vertices > INT_MAX) return cudaErrorInvalidValue; // CUB before 13 scans 2^31-1 items at most
	graph->owned = (uint32_t)graph->vertices;
	if (const int code = order_hubs(tuples, budget, graph, stream)) return code;
	return fill_rows(tuples, budget, graph, stream);
}

} // namespace

} // namespace g500

int g500_build(const g500_edge *d_edges, uint64_t count, uint64_t temp_bytes, g500_graph *graph, void *stream) {
	*graph = {};
	graph->ranks = 1;
	graph->shift = 31;
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
