// SPDX-License-Identifier: Apache-2.0

// API of graphs in pages: creation on the host, and reading back.
#include "pages/pages.h"

#include <new>

#include "pages/state.cuh"

using namespace g500::pages;
using g500::kNone;
using g500::u32;
using g500::u64;
using g500::u8;

namespace {

// Layout is a graph in pages in host memory. The pages of a row are consecutive.
struct Layout {
	std::vector<PagedRow> rows;
	std::vector<u32> cols, free;
	std::vector<PageLink> links;

	Layout(const g500_lab_graph &graph, u32 bits, u64 spare) : rows(graph.vertices + 1) {
		const u64 width = 1ull << bits;
		for (u32 v = 0; v < graph.vertices; v++) {
			const u64 begin = graph.offsets[v], n = graph.offsets[v + 1] - begin, pages = (n + width - 1) >> bits;
			const u64 end = links.size() + pages;
			rows[v] = {end * width - n, (u32)n, pages ? (u32)pages - 1 : 0};
			for (u64 page = links.size(); page < end; page++)
				links.push_back({page + 1 < end ? (u32)page + 1 : kNone, (u32)(end - 1 - page)});
			cols.resize(end * width - n, kNone);
			cols.insert(cols.end(), graph.columns + begin, graph.columns + begin + n);
		}
		for (u64 i = 0; i < spare; i++) free.push_back((u32)(links.size() + i));
		free.resize(links.size() + spare);
		links.resize(free.size());
		cols.resize(free.size() * width);
	}
};

// Returns the number of pages of a layout.
u64 pages_of(const g500_lab_graph &graph, u32 bits) {
	u64 pages = 0;
	for (u32 v = 0; v < graph.vertices; v++)
		pages += (graph.offsets[v + 1] - graph.offsets[v] + (1ull << bits) - 1) >> bits;
	return pages;
}

template <typename T>
cudaError_t to_device(g500::Array<T> &array, const std::vector<T> &host, cudaStream_t stream) {
	G500_TRY(array.alloc(host.size()));
	return cudaMemcpyAsync(array.get(), host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice, stream);
}

template <typename T>
cudaError_t to_host(std::vector<T> &host, const g500::Array<T> &array, u64 n, cudaStream_t stream) {
	host.resize(n);
	return cudaMemcpyAsync(host.data(), array.get(), n * sizeof(T), cudaMemcpyDeviceToHost, stream);
}

int fill(g500_pages *p, const g500_lab_graph &graph, const Layout &made, cudaStream_t stream) {
	G500_TRY(to_device(p->rows, made.rows, stream));
	G500_TRY(to_device(p->cols, made.cols, stream));
	G500_TRY(to_device(p->links, made.links, stream));
	G500_TRY(to_device(p->free, made.free, stream));
	G500_TRY(p->there.alloc(graph.vertices + 1ull));
	G500_TRY(cudaMemsetAsync(p->there, 1, graph.vertices, stream));
	G500_TRY(cudaMemsetAsync(p->there.get() + graph.vertices, 0, 1, stream));
	G500_TRY(p->unused.alloc(1));
	const g500::ull unused = p->unused_now;
	G500_TRY(cudaMemcpyAsync(p->unused.get(), &unused, sizeof unused, cudaMemcpyHostToDevice, stream));
	G500_TRY(p->sums.alloc(1));
	G500_TRY(p->seen.alloc(1));
	G500_TRY(cudaStreamSynchronize(stream));
	p->g = {graph.vertices, p->g.bits, p->rows, p->there, p->cols, p->links, p->free, p->unused};
	return cudaSuccess;
}

} // namespace

extern "C" int g500_pages_create(const g500_lab_graph *graph, uint32_t bits, uint64_t spare, g500_pages **result,
                                 void *stream) {
	*result = nullptr;
	const u64 used = pages_of(*graph, bits);
	if (graph->vertices == 0 || graph->vertices >= 1u << 30 || used + spare >= kNone) return cudaErrorInvalidValue;
	g500_pages *const p = new (std::nothrow) g500_pages;
	if (!p) return cudaErrorMemoryAllocation;
	p->g.bits = bits;
	p->pages = used + spare, p->unused_now = spare, p->edges = graph->edges;
	while (graph->vertices >> p->vertex_bits) p->vertex_bits++;
	const int code = fill(p, *graph, Layout(*graph, bits, spare), (cudaStream_t)stream);
	if (code) delete p;
	else *result = p;
	return code;
}

extern "C" void g500_pages_free(g500_pages *p) { delete p; }

extern "C" uint32_t g500_pages_bits(const g500_pages *p) { return p->vertex_bits; }
extern "C" uint64_t g500_pages_unused(const g500_pages *p) { return p->unused_now; }
extern "C" uint64_t g500_pages_edges(const g500_pages *p) { return p->edges; }

extern "C" uint64_t g500_pages_page_bytes(const g500_pages *p) {
	return (sizeof(u32) << p->g.bits) + sizeof(PageLink) + sizeof(u32);
}
extern "C" uint64_t g500_pages_bytes(const g500_pages *p) {
	return (p->g.n + 1) * (sizeof(PagedRow) + sizeof(u8)) + p->pages * g500_pages_page_bytes(p) + sizeof(g500::ull);
}

extern "C" int g500_pages_set_vertices(g500_pages *p, const uint8_t *there, void *stream) {
	G500_TRY(cudaMemcpyAsync(p->there.get(), there, p->g.n, cudaMemcpyHostToDevice, (cudaStream_t)stream));
	return cudaStreamSynchronize((cudaStream_t)stream);
}

extern "C" void g500_pages_begin(g500_pages *p) { p->notes = true; }

extern "C" void g500_pages_keep(g500_pages *p) {
	p->notes = false;
	p->noted.clear();
}

extern "C" int g500_pages_read(const g500_pages *p, uint64_t *offsets, uint32_t *columns, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	std::vector<PagedRow> rows;
	std::vector<u32> cols;
	std::vector<PageLink> links;
	G500_TRY(to_host(rows, p->rows, p->g.n, stream));
	G500_TRY(to_host(cols, p->cols, p->pages << p->g.bits, stream));
	G500_TRY(to_host(links, p->links, p->pages, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	const u64 width = 1ull << p->g.bits;
	u64 n = 0;
	for (u32 v = 0; v < p->g.n; v++) {
		offsets[v] = n;
		u64 at = rows[v].begin;
		for (u32 left = rows[v].degree; left; left--) {
			columns[n++] = cols[at++];
			if (at % width == 0 && left > 1) at = links[at / width - 1].next * width;
		}
	}
	offsets[p->g.n] = n;
	return cudaSuccess;
}
