//go:build cgo && linux && (mpi || cuda)

package main

/*
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

// g500_enough_space ends the process as enoughSpace does if it lacks address space for the start of Go's runtime, which
// would end with stacks: it reserves 0.6 GiB, and each thread takes 72 MiB. Constructors run before the runtime.
__attribute__((constructor)) static void g500_enough_space(void) {
	const unsigned long long start = 1504ULL << 20; // bytes; 1.3e9 did not suffice
	struct rlimit limit;
	unsigned long long pages = 0;
	FILE *statm = fopen("/proc/self/statm", "r");
	if (!statm || fscanf(statm, "%llu", &pages) != 1) pages = 0;
	if (statm) fclose(statm);
	if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY ||
		limit.rlim_cur > pages * sysconf(_SC_PAGESIZE) + start)
		return;
	fprintf(stderr, "g500: the limit of this process's address space, ulimit -v %llu, is used up by the program itself: "
		"raise it by some GiB, or to unlimited\n", (unsigned long long)limit.rlim_cur >> 10);
	_exit(1);
}
*/
import "C"
