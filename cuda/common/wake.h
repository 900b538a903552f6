// Waking a device.
#ifndef G500_WAKE_H
#define G500_WAKE_H

#ifdef __cplusplus
extern "C" {
#endif

// Runs a kernel that does nothing, launched in the two ways in which a search is. The next launches then find the
// driver's code and data in the processor's caches, whatever was done before. Synchronous.
int g500_wake(void *stream);

#ifdef __cplusplus
}
#endif
#endif
