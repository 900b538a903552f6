// Messages between ranks that share no memory.
#ifndef G500_MESSAGES_H
#define G500_MESSAGES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// g500_message is a run of host memory.
typedef struct {
	void *at;
	uint64_t bytes;
} g500_message;

// Every message begins with a header of this many bytes: counters of 64 bits, with the barrier's number in the 16 high
// ones. One counts the pairs behind the header; one is twice the number of words of the bitmap there, plus one if they
// are the sender's part from its beginning on, in 32 bits each. Else they are listed, in 64 bits each: a word, and in
// the low half its place in the part. All ranks get the same words.
enum { G500_HEADER_BYTES = 48, G500_PAIRS_COUNTER = 2, G500_WORDS_COUNTER = 3, G500_COUNTER_BITS = 48 };

#ifdef __cplusplus
}
#endif
#endif
