// Messages between ranks that share no memory.
#ifndef G500_MESSAGES_H
#define G500_MESSAGES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// g500_message is a block of host memory.
typedef struct {
	void *at;
	uint64_t bytes;
} g500_message;

// A message begins with a header of 64-bit counters, with the barrier's number in their 16 high bits. One counter is
// the number of pairs after the header. Another one is twice the number of bitmap words after the header, plus one if
// they are consecutive 32-bit words from the beginning of the sender's part. Otherwise they are a list of 64-bit
// entries: the word, and in the low half its place in the part. All ranks receive the same words.
enum { G500_HEADER_BYTES = 48, G500_PAIRS_COUNTER = 2, G500_WORDS_COUNTER = 3, G500_COUNTER_BITS = 48 };

#ifdef __cplusplus
}
#endif
#endif
