// A library with the used part of NCCL's interface, for ranks of one node, threads or processes. Device memory is the
// memory of the process, and streams are ignored. A message is a file, which is renamed when it is complete. The library
// is stricter than NCCL: messages outside of groups, and messages whose length is not that of their buffer are errors.
// Calls of a blocking communicator return when their messages have arrived.
//
// -DWITHOUT_SEND omits a function, -DVERSION=20805 or FAKE_NCCL_VERSION=20805 is an old version. With
// FAKE_NCCL_FAULT="1 ncclSend error" a call fails on rank 1; with "hang" instead of "error" its work never ends, with
// "deaf" the call never returns, not even after an abort, and with "async" its work fails later.

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef VERSION
#define VERSION 22105
#endif

enum { success = 0, system_error = 2, internal_error = 3, invalid_argument = 4, invalid_usage = 5, remote_error = 6,
	in_progress = 7 };

typedef struct { char folder[128]; } ncclUniqueId;

struct config { size_t size; unsigned magic, version; int blocking; };

struct message { char *at; size_t bytes; int peer, receive; };

enum { most_ranks = 64, most_messages = 256 };

typedef struct ncclComm {
	char folder[128];
	int rank, ranks;
	long sent[most_ranks], received[most_ranks];
	struct message messages[most_messages];
	int count, hang, blocking;
	_Atomic int state, aborted;
} *ncclComm_t;

static _Thread_local int groups, failed; // failed: the result of the present group
static _Thread_local ncclComm_t grouped; // the communicator of the present group

// planned reports whether a call must fail on a rank in this manner.
static int planned(int rank, const char *call, const char *how) {
	char plan[64];
	const char *fault = getenv("FAKE_NCCL_FAULT");
	snprintf(plan, sizeof plan, "%d %s %s", rank, call, how);
	return fault && strcmp(fault, plan) == 0;
}

static void name(char *path, ncclComm_t c, const char *kind, int from, int to, long number) {
	snprintf(path, 256, "%s/%s-%d-%d-%ld", c->folder, kind, from, to, number);
}

static int post(ncclComm_t c, const char *path, const void *data, size_t bytes) {
	char draft[256];
	snprintf(draft, sizeof draft, "%s/draft-%d", c->folder, c->rank);
	FILE *file = fopen(draft, "w");
	if (!file) return system_error;
	size_t written = fwrite(data, 1, bytes, file);
	if (fclose(file) || written != bytes || rename(draft, path)) return system_error;
	return success;
}

// await waits for a file, until another rank has ended or this one is aborted.
static int await(ncclComm_t c, const char *path) {
	char gone[256];
	snprintf(gone, sizeof gone, "%s/gone", c->folder);
	while (access(path, R_OK)) {
		if (c->aborted) return system_error;
		if (!access(gone, F_OK)) return remote_error;
		usleep(100);
	}
	return success;
}

static int fetch(ncclComm_t c, const char *path, void *data, size_t bytes) {
	struct stat info;
	int result = await(c, path);
	if (result) return result;
	if (stat(path, &info) || (size_t)info.st_size != bytes) return internal_error;
	FILE *file = fopen(path, "r");
	if (!file) return system_error;
	size_t read = fread(data, 1, bytes, file);
	fclose(file);
	unlink(path);
	return read == bytes ? success : system_error;
}

// work exchanges the messages of a group: first the sent ones, which never wait.
static int work(ncclComm_t c) {
	char path[256];
	while (c->hang && !c->aborted) usleep(100);
	if (c->aborted) return system_error; // the memory may be freed
	for (int receive = 0; receive < 2; receive++)
		for (struct message *m = c->messages; m < c->messages + c->count; m++) {
			int result = success;
			if (m->receive != receive) continue;
			if (receive) {
				name(path, c, "message", m->peer, c->rank, c->received[m->peer]++);
				result = fetch(c, path, m->at, m->bytes);
			} else {
				name(path, c, "message", c->rank, m->peer, c->sent[m->peer]++);
				result = post(c, path, m->at, m->bytes);
			}
			if (result) return result;
		}
	return success;
}

static void *run(void *comm) {
	ncclComm_t c = comm;
	int result = work(c);
	c->count = 0;
	c->state = result;
	return NULL;
}

static int begin(ncclComm_t c, void *(*task)(void *)) {
	pthread_t thread;
	c->state = in_progress;
	if (c->blocking) {
		task(c);
		return c->state;
	}
	if (pthread_create(&thread, NULL, task, c)) return system_error;
	pthread_detach(thread);
	return in_progress;
}

static void *meet(void *comm) {
	ncclComm_t c = comm;
	char path[256];
	int result = success;
	for (int r = 0; r < c->ranks && !result; r++) {
		name(path, c, "here", r, 0, 0);
		result = await(c, path);
	}
	c->state = result;
	return NULL;
}

int ncclGetVersion(int *version) {
	const char *other = getenv("FAKE_NCCL_VERSION");
	*version = other ? atoi(other) : VERSION;
	return success;
}

const char *ncclGetErrorString(int result) {
	return result == remote_error ? "remote process exited" : result == invalid_usage ? "invalid usage" : "system error";
}

const char *ncclGetLastError(ncclComm_t c) { return c && c->state == remote_error ? "a rank is gone" : ""; }

int ncclGetUniqueId(ncclUniqueId *id) {
	const char *temporary = getenv("TMPDIR");
	snprintf(id->folder, sizeof id->folder, "%s/nccl-XXXXXX", temporary ? temporary : "/tmp");
	return mkdtemp(id->folder) ? success : system_error;
}

int ncclCommInitRankConfig(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank, struct config *config) {
	char path[256];
	if (config->magic != 0xcafebeef || config->version != 21400 || config->size != sizeof *config) return invalid_argument;
	if (ranks > most_ranks || rank < 0 || rank >= ranks) return invalid_usage;
	if (planned(rank, "ncclCommInitRankConfig", "error")) return system_error;
	ncclComm_t c = *comm = calloc(1, sizeof *c);
	memcpy(c->folder, id.folder, sizeof c->folder);
	c->rank = rank;
	c->ranks = ranks;
	c->blocking = config->blocking;
	if (planned(rank, "ncclCommInitRankConfig", "hang")) {
		while (c->blocking) usleep(1000);
		return c->state = in_progress;
	}
	name(path, c, "here", rank, 0, 0);
	int result = post(c, path, "", 0);
	return result ? result : begin(c, meet);
}

int ncclCommGetAsyncError(ncclComm_t c, int *result) { *result = c->state; return success; }

int ncclCommAbort(ncclComm_t c) {
	char path[256];
	while (planned(c->rank, "ncclCommAbort", "hang")) usleep(1000);
	c->aborted = 1;
	snprintf(path, sizeof path, "%s/gone", c->folder);
	int file = open(path, O_CREAT | O_WRONLY, 0600);
	if (file >= 0) close(file);
	return success;
}

static int add(ncclComm_t c, struct message m, const char *call) {
	if (groups != 1 || c->count == most_messages || c->state == in_progress) return invalid_usage;
	grouped = c;
	if (planned(c->rank, call, "error")) return failed = system_error;
	c->messages[c->count++] = m;
	return success;
}

#ifndef WITHOUT_SEND
int ncclSend(void *at, size_t count, int type, int peer, ncclComm_t c, void *stream) {
	(void)stream;
	return type != 1 ? invalid_argument : add(c, (struct message){at, count, peer, 0}, "ncclSend");
}
#endif

int ncclRecv(void *at, size_t count, int type, int peer, ncclComm_t c, void *stream) {
	(void)stream;
	return type != 1 ? invalid_argument : add(c, (struct message){at, count, peer, 1}, "ncclRecv");
}

int ncclGroupStart(void) { groups++; return success; }

int ncclGroupEnd(void) {
	ncclComm_t c = grouped;
	if (groups-- != 1) return invalid_usage;
	if (!c) return success; // no messages
	grouped = NULL;
	if (failed || planned(c->rank, "ncclGroupEnd", "error")) {
		c->count = failed = 0;
		return system_error;
	}
	while (planned(c->rank, "ncclGroupEnd", "deaf")) usleep(1000);
	c->hang = planned(c->rank, "ncclGroupEnd", "hang");
	if (planned(c->rank, "ncclGroupEnd", "async")) {
		c->state = system_error;
		return in_progress;
	}
	return begin(c, run);
}

// This rank's part is in its place or outside of recv.
int ncclAllGather(char *send, char *recv, size_t count, int type, ncclComm_t c, void *stream) {
	(void)stream;
	if (type != 1 || (send < recv + c->ranks * count && send + count > recv && send != recv + c->rank * count))
		return invalid_argument; // overlaps
	memmove(recv + c->rank * count, send, count);
	int result = ncclGroupStart();
	for (int r = 0; r < c->ranks && !result; r++) {
		if (r == c->rank) continue;
		result = add(c, (struct message){send, count, r, 0}, "ncclAllGather");
		if (!result) result = add(c, (struct message){recv + r * count, count, r, 1}, "ncclAllGather");
	}
	int ended = ncclGroupEnd();
	return result ? result : ended;
}
