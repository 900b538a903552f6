#include "library.h"

// Numbers of NCCL's: ncclUint8, the mark of ncclConfig_t, and the version whose ncclConfig_t ours is.
enum { bytes_type = 1, config_version = 21400 };
static const unsigned config_magic = 0xcafebeef;

int g500_nccl_version(const struct g500_nccl *n, int *version) { return n->version(version); }

const char *g500_nccl_error_text(const struct g500_nccl *n, int result) { return n->error_text(result); }

const char *g500_nccl_last_error(const struct g500_nccl *n, g500_nccl_comm comm) { return n->last_error(comm); }

int g500_nccl_unique_id(const struct g500_nccl *n, g500_nccl_id *id) { return n->unique_id(id); }

int g500_nccl_join(const struct g500_nccl *n, const g500_nccl_id *id, int rank, int ranks, g500_nccl_comm *comm) {
	struct g500_nccl_config config = {sizeof config, config_magic, config_version, 0};
	return n->join(comm, ranks, *id, rank, &config);
}

int g500_nccl_async_error(const struct g500_nccl *n, g500_nccl_comm comm, int *result) {
	return n->async_error(comm, result);
}

int g500_nccl_abort(const struct g500_nccl *n, g500_nccl_comm comm) { return n->abort(comm); }

int g500_nccl_all_gather(const struct g500_nccl *n, g500_nccl_comm comm, const struct g500_nccl_message *send,
		uintptr_t recv, void *stream) {
	return n->all_gather((const void *)send->at, (void *)recv, send->bytes, bytes_type, comm, stream);
}

// begun reports whether a call went well, or goes on.
static int begun(int result) { return result == G500_NCCL_SUCCESS || result == G500_NCCL_IN_PROGRESS; }

int g500_nccl_exchange(const struct g500_nccl *n, g500_nccl_comm comm, const struct g500_nccl_message *messages,
		int count, void *stream) {
	int result = n->group_start();
	if (!begun(result)) return result;
	for (const struct g500_nccl_message *m = messages; m < messages + count && begun(result); m++)
		result = m->receive ? n->recv((void *)m->at, m->bytes, bytes_type, m->rank, comm, stream)
			: n->send((const void *)m->at, m->bytes, bytes_type, m->rank, comm, stream);
	int ended = n->group_end(); // in any case: a group that stays open takes in all later calls
	return begun(result) ? ended : result;
}
