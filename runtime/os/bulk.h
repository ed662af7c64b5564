/* Copies of gigabytes. A thread that meets fresh pages spends most of its time in the kernel, which clears them one at
 * a time: many threads share that. */
#ifndef RG_RUNTIME_BULK_H
#define RG_RUNTIME_BULK_H
#include <stddef.h>

/* memcpy and memset; from 32 MB on by up to 16 threads. */
void rg__bulk_copy(void *to, const void *from, size_t bytes);
void rg__bulk_set(void *to, int byte, size_t bytes);
#endif
