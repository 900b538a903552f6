// SPDX-License-Identifier: Apache-2.0

// A plugin with the fault that the environment variable FAULT names; without one it is the template.
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#define g500_plugin_search right_search
#include "search.cu"
#undef g500_plugin_search

extern "C" const char g500_plugin_before_clock[] = "nothing \"happens\"";

namespace {

__global__ void spin() {
	for (volatile int turn = 0;; turn++) {}
}

} // namespace

extern "C" int g500_plugin_search(const g500_plugin_graph *graph, uint32_t root, uint32_t *result, void *stream) {
	static int searches = 0;
	const char *const fault = getenv("FAULT");
	const auto is = [&](const char *name) { return fault && !strcmp(fault, name); };
	if (is("crash") && searches++ == 2) *(volatile int *)nullptr = 1;
	if (is("exit")) exit(0);
	if (is("endless")) for (;;) pause();
	if (is("endless kernel")) {
		const cudaLaunchConfig_t shape = {dim3(1), dim3(1), 0, (cudaStream_t)stream};
		cudaLaunchKernelEx(&shape, spin);
	}
	if (is("refusal")) return -7;
	if (is("old result") && searches++ > 0) return G500_PLUGIN_DISTANCES;
	const int meaning = right_search(graph, root, result, stream);
	if (is("wrong distance")) cudaMemsetAsync(result + root, 0xff, sizeof *result, (cudaStream_t)stream);
	return is("wrong meaning") ? G500_PLUGIN_PARENTS : meaning;
}
