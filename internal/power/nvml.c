//go:build cgo && linux

#include "g500nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int failed(char *why, const char *what, const char *detail) {
	snprintf(why, G500_NVML_TEXT, "%s: %s", what, detail);
	return 1;
}

// find looks a function up, and says so where it is missing.
static int find(void *library, const char *name, void *function, char *why) {
	void *symbol = dlsym(library, name);
	if (!symbol)
		return failed(why, "the library is too old", name);
	memcpy(function, &symbol, sizeof symbol); // C has no cast from data to functions
	return 0;
}

int g500_current_gpu(const char *driver, char *bus_id, char *why) {
	int (*current)(int *);
	int (*name)(char *, int, int);
	int number;
	void *library = dlopen(driver, RTLD_NOW); // loaded already by what made the context
	if (!library)
		return failed(why, "the driver's library cannot be loaded", dlerror());
	if (find(library, "cuCtxGetDevice", &current, why) || find(library, "cuDeviceGetPCIBusId", &name, why))
		return 1;
	if (current(&number))
		return failed(why, "cuCtxGetDevice", "the thread has no context");
	if (name(bus_id, G500_NVML_TEXT, number))
		return failed(why, "cuDeviceGetPCIBusId", "the GPU has no bus id");
	return 0;
}

// meter finds the counter or the gauge of an opened GPU: the one that answers.
static int meter(g500_nvml *gpu, char *why) {
	unsigned long long value;
	if (find(gpu->library, "nvmlDeviceGetTotalEnergyConsumption", &gpu->energy, why) || gpu->energy(gpu->device, &value))
		gpu->energy = NULL;
	if (!gpu->energy && find(gpu->library, "nvmlDeviceGetPowerUsage", &gpu->power, why))
		return 1;
	if (g500_nvml_read(gpu, &value))
		return failed(why, "nvmlDeviceGetPowerUsage", "this GPU tells neither its energy nor its power");
	return 0;
}

int g500_nvml_open(const char *library, const char *bus_id, g500_nvml *gpu, char *why) {
	int (*init)(void);
	int (*by_bus_id)(const char *, void **);
	memset(gpu, 0, sizeof *gpu);
	gpu->library = dlopen(library, RTLD_NOW);
	if (!gpu->library)
		return failed(why, "the library cannot be loaded", dlerror());
	if (find(gpu->library, "nvmlInit_v2", &init, why) || find(gpu->library, "nvmlShutdown", &gpu->shutdown, why) ||
	    find(gpu->library, "nvmlDeviceGetHandleByPciBusId_v2", &by_bus_id, why))
		return 1;
	if (init())
		return failed(why, "nvmlInit_v2", "it fails");
	int wrong = by_bus_id(bus_id, &gpu->device)
		? failed(why, "nvmlDeviceGetHandleByPciBusId_v2", "it does not know the GPU")
		: meter(gpu, why);
	if (wrong)
		gpu->shutdown();
	return wrong;
}

int g500_nvml_read(g500_nvml *gpu, unsigned long long *thousandths) {
	if (gpu->energy)
		return gpu->energy(gpu->device, thousandths);
	unsigned int milliwatts = 0;
	int code = gpu->power(gpu->device, &milliwatts);
	*thousandths = milliwatts;
	return code;
}

int g500_nvml_close(g500_nvml *gpu) { return gpu->shutdown(); }
