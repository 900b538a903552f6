// A CUDA driver whose devices are the host: four GPUs without kernels, whose memory is that of the process, and whose
// streams are done with everything at once. It is for tests of what moves words between ranks. GPUs of one process are
// peers; nothing goes between those of two.

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { devices = 4 };
static const size_t memory = 8ull << 30;
static int contexts[devices], stream;

CUresult cuInit(unsigned flags) { (void)flags; return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int *version) { *version = CUDA_VERSION; return CUDA_SUCCESS; }
CUresult cuDeviceGetCount(int *count) { *count = devices; return CUDA_SUCCESS; }

CUresult cuDeviceGet(CUdevice *device, int number) {
	*device = number;
	return number >= 0 && number < devices ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char *name, int room, CUdevice device) {
	snprintf(name, room, "a host's memory, number %d", device);
	return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
	(void)device;
	*major = 9;
	*minor = 0;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
	(void)attribute;
	(void)device;
	*value = 1;
	return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) { (void)device; *bytes = memory; return CUDA_SUCCESS; }

CUresult cuMemGetInfo(size_t *left, size_t *total) { *left = *total = memory; return CUDA_SUCCESS; }

// Returns the card of a device: with G500_TEST_MIG two devices are instances of one card.
static int card(CUdevice device) { return getenv("G500_TEST_MIG") ? device / 2 : device; }

CUresult cuDeviceGetPCIBusId(char *id, int room, CUdevice device) {
	snprintf(id, room, "0000:0%d:00.0", card(device));
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
	for (*device = 0; *device < devices; (*device)++) {
		char own[16];
		cuDeviceGetPCIBusId(own, sizeof own, *device);
		if (strcmp(own, id) == 0) return CUDA_SUCCESS;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetUuid_v2(CUuuid *id, CUdevice device) {
	memset(id, 0xA0 + device, sizeof *id);
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
	(void)device;
	*flags = *active = 0;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
	(void)device;
	(void)flags;
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
	*context = (CUcontext)&contexts[device];
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) { (void)context; return CUDA_SUCCESS; }

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
	*can = card(device) != card(peer);
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice device, CUdevice peer) {
	(void)attribute;
	*value = device != peer;
	return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) { (void)peer; (void)flags; return CUDA_SUCCESS; }

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr at) {
	(void)handle;
	(void)at;
	return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuStreamCreate(CUstream *made, unsigned flags) {
	(void)flags;
	*made = (CUstream)&stream;
	return CUDA_SUCCESS;
}

CUresult cuStreamDestroy(CUstream s) { (void)s; return CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream s) { (void)s; return CUDA_SUCCESS; }
CUresult cuStreamQuery(CUstream s) { return s == (CUstream)&stream ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE; }

CUresult cuMemAlloc(CUdeviceptr *at, size_t bytes) {
	*at = (CUdeviceptr)malloc(bytes);
	return *at ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFree(CUdeviceptr at) { free((void *)at); return CUDA_SUCCESS; }

CUresult cuMemHostAlloc(void **at, size_t bytes, unsigned flags) {
	(void)flags;
	*at = malloc(bytes);
	return *at ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFreeHost(void *at) { free(at); return CUDA_SUCCESS; }

CUresult cuMemHostRegister(void *at, size_t bytes, unsigned flags) {
	(void)at;
	(void)bytes;
	(void)flags;
	return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *at) { (void)at; return CUDA_SUCCESS; }

CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *at, unsigned flags) {
	(void)flags;
	*device = (CUdeviceptr)at;
	return CUDA_SUCCESS;
}

static CUresult copy(void *to, const void *from, size_t bytes) {
	memmove(to, from, bytes);
	return CUDA_SUCCESS;
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream s) {
	(void)s;
	return copy((void *)to, (void *)from, bytes);
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream s) {
	(void)s;
	return copy(to, (void *)from, bytes);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream s) {
	(void)s;
	return copy((void *)to, from, bytes);
}

CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, size_t bytes, CUstream s) {
	(void)s;
	memset((void *)at, value, bytes);
	return CUDA_SUCCESS;
}
