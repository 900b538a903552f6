// SPDX-License-Identifier: Apache-2.0

// How a search in pages finds the next page of a row. A row is usually read piece by piece, with one link between
// pieces (adjacency.cuh). With walk=links each page is a piece of its own, as in faimGraph, so that a search follows
// the link of each page, and the first lane of a warp that shares a row walks for all (Toedling, Winter, Steinberger,
// 2019, section IV).
#include "lab/runner.cuh"
#include "pages/state.cuh"

namespace g500::lab {

__global__ void __launch_bounds__(kThreads) split_pieces_kernel(PagedRow *rows, u64 n, PageLink *links, u64 pages) {
	for (u64 i = blockIdx.x * kThreads + threadIdx.x; i < max(n, pages); i += (u64)gridDim.x * kThreads) {
		if (i < n) rows[i].more = 0;
		if (i < pages) links[i].more = 0;
	}
}

int choose_walk(g500_lab *lab) {
	if (!lab->pages) return cudaSuccess;
	lab->g = lab->pages->adjacency();
	if (lab->strategy.walk != kByLinks) return cudaSuccess;
	SinglePages &single = lab->single;
	const cudaStream_t stream = lab->search.stream;
	const u64 n = lab->g.n, pages = lab->pages->pages;
	G500_TRY(single.rows.alloc(n));
	G500_TRY(single.links.alloc(pages));
	G500_TRY(cudaMemcpyAsync(single.rows, lab->g.paged, n * sizeof(PagedRow), cudaMemcpyDeviceToDevice, stream));
	G500_TRY(cudaMemcpyAsync(single.links, lab->g.links, pages * sizeof(PageLink), cudaMemcpyDeviceToDevice, stream));
	const Launch how = {blocks_for(std::max(n, pages), kThreads), kThreads, stream};
	G500_LAUNCH(split_pieces_kernel, how, single.rows, n, single.links, pages);
	lab->g.paged = single.rows, lab->g.links = single.links, lab->g.by_links = true;
	return cudaSuccess;
}

} // namespace g500::lab
