// SPDX-License-Identifier: Apache-2.0

// Calls of NVIDIA's driver and of its management library, declared here because the build must not need their headers.
// Go cannot call a function pointer: it calls the functions below, which return 0 or the library's error.
#ifndef G500NVML_H
#define G500NVML_H

enum { G500_NVML_TEXT = 256 }; // bytes of a text with its final zero

typedef struct {
	int (*current)(int *number); // the GPU of the calling thread's context
	int (*bus_id)(char *text, int bytes, int number);
} g500_driver;

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

static inline int g500_current_gpu(const g500_driver *driver, char *bus_id) {
	int number, code = driver->current(&number);
	return code ? code : driver->bus_id(bus_id, G500_NVML_TEXT, number);
}

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
