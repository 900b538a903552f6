// SPDX-License-Identifier: Apache-2.0

// The work of a search level by level around an exchange, without vertices, to measure what a level costs: a kernel
// that marks the messages of a rank, and a kernel that sends the host the sum of the received marks.
#pragma once

#include "common/c.h"

G500_BEGIN_C

typedef struct g500_empty_level g500_empty_level;

// wait_ns is the time limit of an exchange without bytes, in nanoseconds.
int g500_empty_level_create(uint64_t wait_ns, g500_empty_level **out);
void g500_empty_level_free(g500_empty_level *);

// Launches a kernel on all multiprocessors that writes the mark to the first words of `messages` messages, which start
// at multiples of `place` bytes from d_send, a multiple of 8.
int g500_empty_level_begin(g500_empty_level *, void *d_send, uint32_t messages, uint64_t place, uint64_t mark,
                           void *stream);

// Launches a kernel that sends the host the sum of the first words of `messages` messages, which start at multiples of
// `place` bytes from d_received, without the rank's own message.
int g500_empty_level_end(g500_empty_level *, const void *d_received, uint32_t messages, uint32_t rank, uint64_t place,
                         void *stream);

// Waits a short time for the sum; `exchanged` is the number of bytes of the exchange. Sets *arrived and, if it is 1,
// *sum. Returns G500_ENDED_EARLY if an exchange of these bytes cannot take that long.
int g500_empty_level_await(g500_empty_level *, uint64_t exchanged, int *arrived, uint64_t *sum, void *stream);

G500_END_C
