// SPDX-License-Identifier: Apache-2.0

//go:build cgo && linux && (mpi || cuda)

#define _GNU_SOURCE // program_invocation_short_name
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// limit_of returns a limit of this process, the largest number if there is none.
static unsigned long long limit_of(int resource) {
	struct rlimit limit;
	return getrlimit(resource, &limit) || limit.rlim_cur == RLIM_INFINITY ? ~0ULL : limit.rlim_cur;
}

// used_space returns the address space of this process in bytes.
static unsigned long long used_space(void) {
	unsigned long long pages = 0;
	FILE *statm = fopen("/proc/self/statm", "r");
	if (!statm || fscanf(statm, "%llu", &pages) != 1) pages = 0;
	if (statm) fclose(statm);
	return pages * sysconf(_SC_PAGESIZE);
}

// g500_enough_to_start ends the process as enoughToStart does if Go's runtime cannot start, which would end with
// stacks: it reserves 0.6 GiB of address space, each thread takes 136 MiB while it starts, and each of GOMAXPROCS
// processors may need a thread, of which it has 10,000 at most. Constructors run before the runtime.
__attribute__((constructor)) static void g500_enough_to_start(void) {
	const unsigned long long start = 3ULL << 30, data = 512ULL << 20; // bytes; 1.6e9 did not always suffice
	const char *name = program_invocation_short_name, *processors = getenv("GOMAXPROCS");
	const unsigned long long space = limit_of(RLIMIT_AS);
	if (space != ~0ULL && space <= used_space() + start)
		fprintf(stderr, "%s: the limit of this process's address space, ulimit -v %llu, is used up by the program itself: "
			"raise it by some GiB, or to unlimited\n", name, space >> 10);
	else if (limit_of(RLIMIT_DATA) <= data)
		fprintf(stderr, "%s: ulimit -d %llu leaves the program too little memory to start: raise it by some GiB, or to "
			"unlimited\n", name, limit_of(RLIMIT_DATA) >> 10);
	else if (limit_of(RLIMIT_NOFILE) < 16)
		fprintf(stderr, "%s: ulimit -n %llu leaves the program too few open files: raise it to 64 at least\n",
			name, limit_of(RLIMIT_NOFILE));
	else if (processors && atoll(processors) > 4096)
		fprintf(stderr, "%s: GOMAXPROCS=%s is above 4096: set it to the number of cores, or unset it\n", name, processors);
	else
		return;
	_exit(1);
}
