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
	int (*init)(void);
	int (*shutdown)(void);
	int (*by_bus_id)(const char *bus_id, void **device);
} g500_nvml;

// A GPU's energy counter and power gauge. Either may be missing: null.
typedef struct {
	int (*energy)(void *device, unsigned long long *millijoules);
	int (*power)(void *device, unsigned int *milliwatts);
} g500_meters;

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

// Reads the counter in millijoules, or the gauge in milliwatts.
static inline int g500_nvml_read(const g500_meters *meters, void *device, int gauge, unsigned long long *thousandths) {
	if (!gauge) return meters->energy ? meters->energy(device, thousandths) : -1;
	unsigned int milliwatts = 0;
	int code = meters->power ? meters->power(device, &milliwatts) : -1;
	*thousandths = milliwatts;
	return code;
}

#endif
