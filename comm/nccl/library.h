// The part of NCCL's C interface that is used here, declared anew because building does not need its header. NCCL's
// own names: ncclUniqueId, ncclComm_t, ncclConfig_t as of version 2.14, ncclResult_t.
#ifndef G500_NCCL_LIBRARY_H
#define G500_NCCL_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

enum { G500_NCCL_SUCCESS = 0, G500_NCCL_IN_PROGRESS = 7 };

// What the ranks of a communicator have in common. It is handed over by value.
typedef struct { char bytes[128]; } g500_nccl_id;

typedef struct ncclComm *g500_nccl_comm;

// How a communicator works. NCCL takes what lies behind its end as not set.
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

// The functions below return the results of NCCL's.
int g500_nccl_version(const struct g500_nccl *n, int *version);
const char *g500_nccl_error_text(const struct g500_nccl *n, int result);
const char *g500_nccl_last_error(const struct g500_nccl *n, g500_nccl_comm comm);
int g500_nccl_unique_id(const struct g500_nccl *n, g500_nccl_id *id);

// g500_nccl_join begins to make a communicator that does not block.
int g500_nccl_join(const struct g500_nccl *n, const g500_nccl_id *id, int rank, int ranks, g500_nccl_comm *comm);

int g500_nccl_async_error(const struct g500_nccl *n, g500_nccl_comm comm, int *result);
int g500_nccl_abort(const struct g500_nccl *n, g500_nccl_comm comm);

// g500_nccl_all_gather begins to fill recv with the parts of all ranks, of which send is this one's.
int g500_nccl_all_gather(const struct g500_nccl *n, g500_nccl_comm comm, const struct g500_nccl_message *send,
	uintptr_t recv, void *stream);

// g500_nccl_exchange begins to move messages, all at once.
int g500_nccl_exchange(const struct g500_nccl *n, g500_nccl_comm comm, const struct g500_nccl_message *messages,
	int count, void *stream);

#endif
