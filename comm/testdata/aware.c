// Functions that report a CUDA-aware MPI library, loaded before the library. In tests host memory replaces device
// memory, which every library accepts.

int MPIX_Query_cuda_support(void) { return 1; }

int MPIX_GPU_query_support(int type, int *is_supported) {
	*is_supported = type == 0; // MPIX_GPU_SUPPORT_CUDA
	return 0;
}
