// The keys of strategies and their values.
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>

#include "lab/lab.h"
#include "lab/parts.h"

using namespace g500::lab;

namespace {

// A key with words as values, in the order of the enumeration.
struct Words {
	const char *key;
	uint32_t g500_lab_strategy::*at;
	const char *values[12];
};

const Words words[] = {
	{"shape", &g500_lab_strategy::shape,
		{"expand-contract", "contract-expand", "two-phase", "hybrid", "device-search", "deferred-classes",
			"immediate-classes", "topology", "status-queue", "partitioned", "isolated"}},
	{"gather", &g500_lab_strategy::gather, {"serial", "warp", "block", "scan", "group", "warp-scan", "direct"}},
	{"lookup", &g500_lab_strategy::lookup, {"label", "mask", "swap", "mask-alone"}},
	{"cull", &g500_lab_strategy::cull, {"none", "warp", "history", "both"}},
	{"loop", &g500_lab_strategy::loop, {"host", "device", "tail-launch"}},
	{"direction", &g500_lab_strategy::direction, {"top-down", "alpha", "gamma"}},
	{"output", &g500_lab_strategy::output, {"distance", "parent"}},
	{"isolate", &g500_lab_strategy::isolate, {"gather", "lookup", "separate", "fused"}},
	{"status", &g500_lab_strategy::status, {"words", "bytes"}},
	{"grouping", &g500_lab_strategy::grouping, {"fixed", "degree", "frontier"}},
	{"switching", &g500_lab_strategy::switching, {"blocked", "interleaved"}},
	{"classes", &g500_lab_strategy::classes, {"fused", "concurrent"}},
	{"refilling", &g500_lab_strategy::refilling, {"filter", "rescan"}},
	{"long_rows", &g500_lab_strategy::long_rows, {"compete", "list"}},
	{"supports", &g500_lab_strategy::supports, {"set", "table"}},
	{"walk", &g500_lab_strategy::walk, {"pieces", "links"}},
};

// A key with a number as value, from least to most; a power of two if power is set.
struct Number {
	const char *key;
	uint32_t g500_lab_strategy::*at;
	uint32_t least, most, usual;
	bool power;
};

const uint32_t kMost = 1u << 30;

const Number numbers[] = {
	{"group", &g500_lab_strategy::group, 1, 32, 8, true},
	{"warp_from", &g500_lab_strategy::warp_from, 0, kMost, 0, false},
	{"block_from", &g500_lab_strategy::block_from, 0, kMost, 0, false},
	{"grid_from", &g500_lab_strategy::grid_from, 0, kMost, 0, false},
	{"bin_from", &g500_lab_strategy::bin_from, 0, kMost / 4, 0, true},
	{"child_from", &g500_lab_strategy::child_from, 0, kMost, 0, false},
	{"history", &g500_lab_strategy::history, 32, 4096, 1024, true},
	{"gpus", &g500_lab_strategy::gpus, 1, G500_LAB_MOST_SHARES, 1, false},
	{"tiles", &g500_lab_strategy::tiles, 1, kMost, 1, false},
	{"blocks", &g500_lab_strategy::blocks, 0, kMost, 0, false},
	{"fused_below", &g500_lab_strategy::fused_below, 0, kMost, 0, false},
	{"drop_degree", &g500_lab_strategy::drop_degree, 0, 1, 0, false},
	{"alpha", &g500_lab_strategy::alpha, 1, kMost, 14, false},
	{"gamma", &g500_lab_strategy::gamma, 0, 100, 30, false},
	{"hub_cache", &g500_lab_strategy::hub_cache, 0, 4096, 0, true},
	{"hub_degree", &g500_lab_strategy::hub_degree, 0, kMost, 0, false},
	{"vertex_capacity", &g500_lab_strategy::vertex_capacity, 100, 10000, 200, false},
	{"edge_capacity", &g500_lab_strategy::edge_capacity, 100, 10000, 130, false},
};

int set_word(g500_lab_strategy *strategy, const Words &w, const char *value) {
	for (uint32_t i = 0; i < sizeof w.values / sizeof *w.values && w.values[i]; i++)
		if (!strcmp(w.values[i], value)) {
			strategy->*w.at = i;
			return cudaSuccess;
		}
	return cudaErrorInvalidValue;
}

int set_number(g500_lab_strategy *strategy, const Number &n, const char *value) {
	char *end;
	const unsigned long x = strtoul(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || x < n.least || x > n.most) return cudaErrorInvalidValue;
	if (n.power && (x & (x - 1))) return cudaErrorInvalidValue;
	strategy->*n.at = (uint32_t)x;
	return cudaSuccess;
}

} // namespace

extern "C" void g500_lab_defaults(g500_lab_strategy *strategy) {
	*strategy = {};
	for (const Number &n : numbers) strategy->*n.at = n.usual;
}

extern "C" int g500_lab_set(g500_lab_strategy *strategy, const char *key, const char *value) {
	for (const Words &w : words)
		if (!strcmp(w.key, key)) return set_word(strategy, w, value);
	for (const Number &n : numbers)
		if (!strcmp(n.key, key)) return set_number(strategy, n, value);
	return cudaErrorInvalidValue;
}
