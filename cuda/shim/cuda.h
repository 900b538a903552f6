// SPDX-License-Identifier: Apache-2.0

// This cuda.h precedes the toolkit's on the include path, so that gorgonia.org/cu v0.9.6 compiles with every toolkit
// from CUDA 11.8 on. CUDA 13 redefines five names with other arguments, by macros in its header. Its driver still has
// the old functions, which are declared here again.
#pragma once

#include_next <cuda.h>

#if CUDA_VERSION >= 13000

#undef cuCtxCreate
#undef cuMemAdvise
#undef cuMemPrefetchAsync
#undef cuGraphAddDependencies
#undef cuGraphGetEdges

#define cuCtxCreate cuCtxCreate_v2

CUresult CUDAAPI cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device);
CUresult CUDAAPI cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device);
CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream);
CUresult CUDAAPI cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count);
CUresult CUDAAPI cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count);

#endif
