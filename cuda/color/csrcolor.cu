// SPDX-License-Identifier: Apache-2.0

// csrcolor of NVIDIA's cuSPARSE (Naumov, Castonguay, Cohen, 2015), which Chen et al. compare with. It is deprecated and
// the program needs nothing else of cuSPARSE, so the library is opened at run time, if it is installed.
#include <dlfcn.h>

#include <initializer_list>

#include "color/state.cuh"

namespace g500::color {

namespace {

// Library has the functions of cuSPARSE (cusparse.h of CUDA 12 and 13), with handles as void pointers. They return 0,
// or an error.
struct Library {
	int (*create)(void **), (*destroy)(void *), (*set_stream)(void *, cudaStream_t);
	int (*create_matrix)(void **), (*destroy_matrix)(void *);
	int (*create_info)(void **), (*destroy_info)(void *);
	int (*color)(void *handle, int n, int m, void *matrix, const float *values, const int *rows, const int *cols,
	             const float *fraction, int *colors, int *coloring, int *reordering, void *info);
	bool complete = true;

	explicit Library(void *from) {
		take(from, "cusparseCreate", create), take(from, "cusparseDestroy", destroy);
		take(from, "cusparseSetStream", set_stream);
		take(from, "cusparseCreateMatDescr", create_matrix), take(from, "cusparseDestroyMatDescr", destroy_matrix);
		take(from, "cusparseCreateColorInfo", create_info), take(from, "cusparseDestroyColorInfo", destroy_info);
		take(from, "cusparseScsrcolor", color);
	}

private:
	template <typename Function>
	void take(void *from, const char *name, Function &function) {
		function = reinterpret_cast<Function>(from ? dlsym(from, name) : nullptr);
		complete = complete && function;
	}
};

const Library &library() {
	static void *opened = nullptr;
#ifndef G500_EMULATED // the library needs memory of a GPU
	for (const char *name : {"libcusparse.so.12", "libcusparse.so.13", "libcusparse.so"})
		if (!opened) opened = dlopen(name, RTLD_NOW | RTLD_LOCAL);
#endif
	static const Library all(opened);
	return all;
}

__global__ void __launch_bounds__(kBlock) narrow_kernel(const u64 *rows, int *narrow, u64 n) {
	for (u64 v = thread_number<kBlock>(); v < n; v += (u64)gridDim.x * kBlock) narrow[v] = (int)rows[v];
}

// Colours from 1 on.
__global__ void __launch_bounds__(kBlock) shift_kernel(u32 *color, u64 n) {
	for (u64 v = thread_number<kBlock>(); v < n; v += (u64)gridDim.x * kBlock) color[v]++;
}

// Calls cuSPARSE with handles of its own.
int color_by(const Library &sparse, g500_color *c) {
	void *handle = nullptr, *matrix = nullptr, *info = nullptr;
	const float all = 1;
	int colors, code = sparse.create(&handle) || sparse.set_stream(handle, c->stream) || sparse.create_matrix(&matrix) ||
		sparse.create_info(&info) || cudaStreamSynchronize(c->stream);
	const auto began = std::chrono::steady_clock::now();
	code = code || sparse.color(handle, (int)c->g.n, (int)c->g.m, matrix, c->values, c->narrow, (const int *)c->g.cols,
		&all, &colors, (int *)c->color.get(), (int *)c->lists[0].get(), info) || cudaStreamSynchronize(c->stream);
	c->totals.nanoseconds = std::chrono::nanoseconds(std::chrono::steady_clock::now() - began).count();
	if (info) sparse.destroy_info(info);
	if (matrix) sparse.destroy_matrix(matrix);
	if (handle) sparse.destroy(handle);
	return code ? cudaErrorUnknown : cudaSuccess;
}

} // namespace

int prepare_csrcolor(g500_color *c) {
	if (!library().complete || c->g.m >> 31) return cudaErrorNotSupported;
	if (c->narrow.get()) return cudaSuccess;
	const u64 n = c->g.n + 1ull;
	G500_TRY(c->values.alloc_zeroed(c->g.m, c->stream)); // the interface wants values, and does not read them
	G500_TRY(c->narrow.alloc(n));
	G500_LAUNCH(narrow_kernel, Launch{blocks_for(n, kBlock), kBlock, c->stream}, c->g.rows, c->narrow, n);
	return cudaSuccess;
}

int color_by_csrcolor(g500_color *c) {
	if (const int code = color_by(library(), c)) return code;
	G500_LAUNCH(shift_kernel, Launch{blocks_for(c->g.n, kBlock), kBlock, c->stream}, c->color, c->g.n);
	return cudaStreamSynchronize(c->stream);
}

} // namespace g500::color
