// SPDX-License-Identifier: Apache-2.0

// Sets the keys of strategies. lab/keys.toml has their limits, which Go checks.
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>

#include "lab/lab.h"

using namespace g500::lab;

extern "C" void g500_lab_defaults(g500_lab_strategy *strategy) {
	for (const Key &k : keys) strategy->*k.at = k.usual;
}

extern "C" int g500_lab_set(g500_lab_strategy *strategy, const char *key, const char *value) {
	for (const Key &k : keys) {
		if (strcmp(k.name, key)) continue;
		if (!k.words[0]) {
			strategy->*k.at = (uint32_t)strtoul(value, nullptr, 10);
			return cudaSuccess;
		}
		for (uint32_t i = 0; i < sizeof k.words / sizeof *k.words && k.words[i]; i++)
			if (!strcmp(k.words[i], value)) {
				strategy->*k.at = i;
				return cudaSuccess;
			}
	}
	return cudaErrorInvalidValue;
}
