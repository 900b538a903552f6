// Kernel 1 (specification, section "Kernel 1 - Graph Construction"): from edge tuples to the hub-ordered rows of
// g500_graph, with the meaning of Go's graph/csr. order.cu has the hub order; rows.cu, with plain_rows.cu and
// weighted_rows.cu, the rows; share.cu hands the steps to the caller one by one, as g500_builder, because tuples and
// messages come in pieces. Here is what concerns a graph itself.
#include "kernel1/build.cuh"

void g500_graph_free(g500_graph *graph) {
	cudaFree(graph->rows);
	cudaFree(graph->cols);
	cudaFree(graph->col_ranks);
	cudaFree(graph->weighted_cols);
	cudaFree(graph->labels);
	cudaFree(graph->local_ids);
	*graph = {};
}

// The search sweeps groups of 256 hub ids. Ids are padded to whole groups, so that no group has positions of two ranks.
uint32_t g500_local_id_bits(uint32_t non_isolated) {
	constexpr uint32_t kGroup = 256;
	return g500::bits_for(non_isolated == 0 ? kGroup - 1 : (non_isolated - 1) | (kGroup - 1));
}
