// SPDX-License-Identifier: Apache-2.0

// The used part of NCCL's C interface, declared here because the build must not need NCCL's header. NCCL's names are
// ncclUniqueId, ncclComm_t, ncclConfig_t of version 2.14, ncclResult_t.
#ifndef G500_NCCL_LIBRARY_H
#define G500_NCCL_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

enum { G500_NCCL_SUCCESS = 0, G500_NCCL_IN_PROGRESS = 7 };

// The identity of a communicator, the same on all ranks. It is passed by value.
typedef struct { char bytes[128]; } g500_nccl_id;

typedef struct ncclComm *g500_nccl_comm;

// Settings of a communicator. NCCL uses defaults for the fields of later versions, which are missing here.
struct g500_nccl_config {
	size_t size;
	unsigned magic, version;
	int blocking;
};

// The library's functions.
struct g500_nccl {
	int (*version)(int *version);
	const char *(*error_text)(int result);
	const char *(*last_error)(g500_nccl_comm comm);
	int (*unique_id)(g500_nccl_id *id);
	int (*join)(g500_nccl_comm *comm, int ranks, g500_nccl_id id, int rank, struct g500_nccl_config *config);
	int (*async_error)(g500_nccl_comm comm, int *result);
	int (*abort)(g500_nccl_comm comm);
	int (*all_gather)(const void *send, void *recv, size_t count, int type, g500_nccl_comm comm, void *stream);
	int (*send)(const void *at, size_t count, int type, int peer, g500_nccl_comm comm, void *stream);
	int (*recv)(void *at, size_t count, int type, int peer, g500_nccl_comm comm, void *stream);
	int (*group_start)(void);
	int (*group_end)(void);
};

// A message to a rank, or from it.
struct g500_nccl_message {
	uintptr_t at; // in device memory
	size_t bytes;
	int rank, receive;
};

// Go cannot call a function pointer: it calls the functions below, which return the results of NCCL's functions.

// NCCL's numbers: ncclUint8, the mark of ncclConfig_t, and the version of struct g500_nccl_config.
enum { G500_NCCL_BYTES = 1, G500_NCCL_CONFIG_VERSION = 21400 };
#define G500_NCCL_CONFIG_MAGIC 0xcafebeef

static inline int g500_nccl_version(const struct g500_nccl *n, int *version) { return n->version(version); }

static inline const char *g500_nccl_error_text(const struct g500_nccl *n, int result) { return n->error_text(result); }

static inline const char *g500_nccl_last_error(const struct g500_nccl *n, g500_nccl_comm comm) {
	return n->last_error(comm);
}

static inline int g500_nccl_unique_id(const struct g500_nccl *n, g500_nccl_id *id) { return n->unique_id(id); }

// g500_nccl_join creates a communicator whose calls block until their work is on the stream.
static inline int g500_nccl_join(const struct g500_nccl *n, const g500_nccl_id *id, int rank, int ranks,
		g500_nccl_comm *comm) {
	struct g500_nccl_config config = {sizeof config, G500_NCCL_CONFIG_MAGIC, G500_NCCL_CONFIG_VERSION, 1};
	return n->join(comm, ranks, *id, rank, &config);
}

static inline int g500_nccl_async_error(const struct g500_nccl *n, g500_nccl_comm comm, int *result) {
	return n->async_error(comm, result);
}

static inline int g500_nccl_abort(const struct g500_nccl *n, g500_nccl_comm comm) { return n->abort(comm); }

// g500_nccl_all_gather starts to fill recv with the parts of all ranks; send is this rank's part.
static inline int g500_nccl_all_gather(const struct g500_nccl *n, g500_nccl_comm comm,
		const struct g500_nccl_message *send, uintptr_t recv, void *stream) {
	return n->all_gather((const void *)send->at, (void *)recv, send->bytes, G500_NCCL_BYTES, comm, stream);
}

// g500_nccl_started reports whether a call has succeeded or continues.
static inline int g500_nccl_started(int result) {
	return result == G500_NCCL_SUCCESS || result == G500_NCCL_IN_PROGRESS;
}

// g500_nccl_exchange starts to exchange messages, all at once.
static inline int g500_nccl_exchange(const struct g500_nccl *n, g500_nccl_comm comm,
		const struct g500_nccl_message *messages, int count, void *stream) {
	int result = n->group_start();
	if (!g500_nccl_started(result)) return result;
	for (const struct g500_nccl_message *m = messages; m < messages + count && g500_nccl_started(result); m++)
		result = m->receive ? n->recv((void *)m->at, m->bytes, G500_NCCL_BYTES, m->rank, comm, stream)
			: n->send((const void *)m->at, m->bytes, G500_NCCL_BYTES, m->rank, comm, stream);
	int ended = n->group_end(); // in any case: an open group would include all later calls
	return g500_nccl_started(result) ? ended : result;
}

#endif
