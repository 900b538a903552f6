// SPDX-License-Identifier: Apache-2.0

// Implementation of the API of colouring.
#include "color/color.h"

#include <map>
#include <new>
#include <sstream>
#include <string>

#include "color/state.cuh"

using namespace g500::color;
using g500::kNone;
using g500::u32;
using g500::u64;

namespace {

constexpr int kCounters = kRing + 2;

const std::map<std::string, u32> algorithms = {{"data", G500_COLOR_DATA}, {"topology", G500_COLOR_TOPOLOGY},
	{"jp", G500_COLOR_JP}, {"multihash", G500_COLOR_MULTIHASH}, {"llf", G500_COLOR_LLF},
	{"csrcolor", G500_COLOR_CSRCOLOR}};
const std::map<std::string, u32> optimisations = {{"resolve", G500_COLOR_RESOLVE}, {"coarsen", G500_COLOR_COARSEN},
	{"bitset", G500_COLOR_BITSET}, {"fuse", G500_COLOR_FUSE}, {"ldg", G500_COLOR_LDG},
	{"balance", G500_COLOR_BALANCE}, {"coarsen-fit", G500_COLOR_COARSEN_FIT},
	{"coarsen-resolve", G500_COLOR_COARSEN_RESOLVE}, {"keep", G500_COLOR_KEEP}};

int color_by(g500_color *c, const g500_color_method &method) {
	switch (method.algorithm) {
	case G500_COLOR_DATA:
	case G500_COLOR_TOPOLOGY: return color_speculatively(c, method);
	case G500_COLOR_JP:
	case G500_COLOR_MULTIHASH: return color_by_sets(c, method);
	case G500_COLOR_LLF: return color_in_order(c);
	case G500_COLOR_CSRCOLOR: return color_by_csrcolor(c);
	}
	return cudaErrorInvalidValue;
}

int fill(g500_color *c, const g500_lab_graph &graph, cudaStream_t stream) {
	int device, processors;
	G500_TRY(cudaGetDevice(&device));
	G500_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
	c->processors = processors;
	const u64 n = graph.vertices;
	G500_TRY(c->rows.alloc(n + 1));
	G500_TRY(c->cols.alloc(graph.edges));
	for (auto *words : {&c->color, &c->lists[0], &c->lists[1], &c->marks}) G500_TRY(words->alloc(n));
	G500_TRY(c->counters.alloc(kCounters));
	G500_TRY(c->seen.alloc(kCounters));
	G500_TRY(c->barrier.alloc(1));
	const size_t row_bytes = (n + 1) * sizeof(u64), col_bytes = graph.edges * sizeof(u32);
	G500_TRY(cudaMemcpyAsync(c->rows.get(), graph.offsets, row_bytes, cudaMemcpyHostToDevice, stream));
	G500_TRY(cudaMemcpyAsync(c->cols.get(), graph.columns, col_bytes, cudaMemcpyHostToDevice, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	c->g = {graph.vertices, graph.edges, c->rows, c->cols};
	return cudaSuccess;
}

} // namespace

extern "C" int g500_color_set(g500_color_method *method, const char *names) {
	std::istringstream words(names);
	std::string word;
	std::getline(words, word, '+');
	if (!algorithms.count(word)) return -1;
	method->algorithm = algorithms.at(word);
	for (method->optimisations = 0; std::getline(words, word, '+');) {
		if (!optimisations.count(word)) return -1;
		method->optimisations |= optimisations.at(word);
	}
	return 0;
}

extern "C" int g500_color_create(const g500_lab_graph *graph, g500_color **result, void *stream) {
	*result = nullptr;
	if (graph->vertices == 0 || graph->vertices >= kNone || !graph->symmetric) return cudaErrorInvalidValue;
	g500_color *const c = new (std::nothrow) g500_color;
	if (!c) return cudaErrorMemoryAllocation;
	const int code = fill(c, *graph, (cudaStream_t)stream);
	if (code) delete c;
	else *result = c;
	return code;
}

extern "C" void g500_color_free(g500_color *c) { delete c; }

extern "C" int g500_color_run(g500_color *c, const g500_color_method *method, g500_color_totals *totals, void *stream) {
	c->stream = (cudaStream_t)stream;
	c->totals = {};
	if (method->algorithm == G500_COLOR_LLF)
		if (const int code = prepare_order(c)) return code;
	if (method->algorithm == G500_COLOR_CSRCOLOR)
		if (const int code = prepare_csrcolor(c)) return code;
	G500_TRY(cudaStreamSynchronize(c->stream));
	const auto began = std::chrono::steady_clock::now();
	G500_TRY(cudaMemsetAsync(c->color, 0, c->g.n * sizeof(u32), c->stream));
	G500_TRY(cudaMemsetAsync(c->counters, 0, kCounters * sizeof(g500::ull), c->stream));
	G500_TRY(cudaMemsetAsync(c->barrier, 0, sizeof(g500::GridBarrier), c->stream));
	if (const int code = color_by(c, *method)) return code;
	const auto took = std::chrono::steady_clock::now() - began;
	if (!c->totals.nanoseconds) c->totals.nanoseconds = std::chrono::nanoseconds(took).count();
	*totals = c->totals;
	return cudaSuccess;
}

extern "C" const uint32_t *g500_color_colors(const g500_color *c) { return c->color; }
