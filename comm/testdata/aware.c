// An MPI library's word on itself, loaded before the library: it takes device memory. Where memory of the host stands
// for that of a device, every library does.

int MPIX_Query_cuda_support(void) { return 1; }

int MPIX_GPU_query_support(int type, int *is_supported) {
	*is_supported = type == 0; // MPIX_GPU_SUPPORT_CUDA
	return 0;
}
