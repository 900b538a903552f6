// SPDX-License-Identifier: Apache-2.0

// Calls of NVIDIA's management library, declared here because the build must not need its header.
// Go cannot call a function pointer: it calls the functions below, which return 0 or the library's error.
#ifndef G500NVML_H
#define G500NVML_H

typedef struct {
	unsigned gpu, memory; // percent of the last sample's time
} g500_nvml_rates;

typedef struct {
	int (*init)(void);
	int (*shutdown)(void);
	int (*by_bus_id)(const char *bus_id, void **device);
	int (*energy)(void *device, unsigned long long *millijoules);
	int (*utilization)(void *device, g500_nvml_rates *rates);
} g500_nvml;

static inline int g500_nvml_open(const g500_nvml *nvml, const char *bus_id, void **device) {
	int code = nvml->init();
	if (code) return code;
	code = nvml->by_bus_id(bus_id, device);
	if (code) nvml->shutdown();
	return code;
}

static inline int g500_nvml_close(const g500_nvml *nvml) { return nvml->shutdown(); }

static inline int g500_nvml_read(const g500_nvml *nvml, void *device, unsigned long long *millijoules) {
	return nvml->energy(device, millijoules);
}

static inline int g500_nvml_utilization(const g500_nvml *nvml, void *device, g500_nvml_rates *rates) {
	return nvml->utilization(device, rates);
}

#endif
