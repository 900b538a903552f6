// SPDX-License-Identifier: Apache-2.0

// Messages whose lengths the receivers do not know.
#ifndef G500_MPI_PROBE_H
#define G500_MPI_PROBE_H

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include "messages.h"
#include "waits.h"

// The receiver finds the length of a message of one MPI call by a probe. Before a longer message, its length is sent.
enum { whole_tag = 3, length_tag = 4 };

static int g500_is_whole(const struct g500_messages *m, int64_t bytes) { return bytes <= m->cut; }

// g500_requests returns the largest number of MPI calls for a message.
static int64_t g500_requests(const struct g500_messages *m, int64_t bytes) { return 2 + bytes / m->cut; }

// g500_send starts to send the message to a rank.
static int g500_send(const struct g500_messages *m, int to, MPI_Request **next) {
	if (g500_is_whole(m, m->outgoing[to]))
		return MPI_Isend(m->send[to], (int)m->outgoing[to], MPI_BYTE, to, whole_tag, m->comm, (*next)++);
	int rc = MPI_Isend(m->outgoing + to, 1, MPI_INT64_T, to, length_tag, m->comm, (*next)++);
	return rc ? rc : g500_post(m, to, 0, next);
}

// g500_length waits until the length of a rank's message is known.
static int g500_length(const struct g500_messages *m, int from) {
	MPI_Status status;
	int n = 0, rc = g500_probe(from, m->comm, &status);
	if (rc) return rc;
	if (status.MPI_TAG == length_tag)
		return MPI_Recv(m->incoming + from, 1, MPI_INT64_T, from, length_tag, m->comm, MPI_STATUS_IGNORE);
	rc = MPI_Get_count(&status, MPI_BYTE, &n);
	m->incoming[from] = n;
	return rc;
}

// g500_receive starts to receive the message of a rank.
static int g500_receive(const struct g500_messages *m, int from, MPI_Request **next) {
	if (!g500_is_whole(m, m->incoming[from])) return g500_post(m, from, 1, next);
	return MPI_Irecv(m->recv[from], (int)m->incoming[from], MPI_BYTE, from, whole_tag, m->comm, (*next)++);
}

// Started requests.
struct g500_requests {
	MPI_Request *first;
	int64_t count;
};

// The ranks to which this rank sends, and the ranks that send to it.
struct g500_neighbours {
	const int *to, *from;
	int sends, receives;
};

// g500_offer starts to send the messages, and returns when the lengths of the received ones are in m.incoming.
static int g500_offer(struct g500_messages m, struct g500_neighbours n, struct g500_requests *sends) {
	int64_t most = 1;
	for (int i = 0; i < n.sends; i++) most += g500_requests(&m, m.outgoing[n.to[i]]);
	MPI_Request *next = sends->first = malloc(most * sizeof *next);
	int rc = next ? MPI_SUCCESS : MPI_ERR_NO_MEM;
	for (int i = 0; i < n.sends && !rc; i++) rc = g500_send(&m, n.to[i], &next);
	for (int i = 0; i < n.receives && !rc; i++) rc = g500_length(&m, n.from[i]);
	sends->count = next - sends->first;
	return rc;
}

// g500_take receives the messages, and waits until the messages of this rank are sent.
static int g500_take(struct g500_messages m, struct g500_neighbours n, struct g500_requests sends) {
	int64_t most = 1;
	for (int i = 0; i < n.receives; i++) most += g500_requests(&m, m.incoming[n.from[i]]);
	MPI_Request *requests = malloc(most * sizeof *requests), *next = requests;
	int rc = next ? MPI_SUCCESS : MPI_ERR_NO_MEM;
	for (int i = 0; i < n.receives && !rc; i++) rc = g500_receive(&m, n.from[i], &next);
	if (!rc) rc = g500_waitall((int)(next - requests), requests);
	if (!rc) rc = g500_waitall((int)sends.count, sends.first);
	free(requests);
	return rc;
}

static void g500_end_offer(struct g500_requests sends) { free(sends.first); }

#endif
