// A launcher that a busy node delays: each rank stops it for 2.4 s before it reports its end, which Open MPI 4 does in
// its second call of PMIx_Finalize.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

int PMIx_Finalize(const void *info, size_t n) {
	static int calls;
	int (*library)(const void *, size_t) = dlsym(RTLD_NEXT, "PMIx_Finalize");
	pid_t launcher = getppid();
	if (++calls != 2)
		return library(info, n);
	if (fork() == 0) {
		usleep(2400000);
		kill(launcher, SIGCONT);
		_exit(0);
	}
	kill(launcher, SIGSTOP);
	fprintf(stderr, "the launcher stops\n");
	return library(info, n);
}
