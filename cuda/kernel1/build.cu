// Kernel 1 (specification, section "Kernel 1 - Graph Construction"): from edge tuples to the rows of g500_graph in
// degree order, as Go's graph/csr. order.cu computes the degree order; rows.cu, plain_rows.cu and weighted_rows.cu the
// rows. share.cu is the caller's interface g500_builder, in steps, because tuples and messages arrive in pieces.
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

constexpr uint32_t kGroup = 256; // ids, which a search sweeps at a time: no group belongs to two ranks

uint32_t g500_part64(uint32_t non_leaf) {
	constexpr uint32_t kReport = 1024; // bits, for a FarBlock
	return (non_leaf + kGroup - 1) / kGroup * kGroup + kReport;
}

uint32_t g500_local_id_bits(uint32_t non_isolated) {
	return g500::bits_for(non_isolated == 0 ? kGroup - 1 : (non_isolated - 1) | (kGroup - 1));
}
