// The few calls of NVIDIA's management library that power needs, found in it when it is loaded: neither it nor its
// header is there where the program is built.
#ifndef G500NVML_H
#define G500NVML_H

enum { G500_NVML_TEXT = 256 }; // room for a text and the zero that ends it

// A GPU in NVML. energy is null where the GPU has no counter; then power is there.
typedef struct {
	void *library;
	void *device;
	int (*energy)(void *device, unsigned long long *millijoules);
	int (*power)(void *device, unsigned int *milliwatts);
	int (*shutdown)(void);
} g500_nvml;

// Both return 0, or another number and why, in a sentence.
int g500_current_gpu(const char *driver, char *bus_id, char *why); // of the context of the calling thread
int g500_nvml_open(const char *library, const char *bus_id, g500_nvml *gpu, char *why);

// Both return 0 or NVML's error.
int g500_nvml_read(g500_nvml *gpu, unsigned long long *thousandths); // of joules or watts
int g500_nvml_close(g500_nvml *gpu);

#endif
