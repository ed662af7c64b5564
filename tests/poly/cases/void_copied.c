// Void pointers that memcpy alone reads and writes, and one that memset begins: bytes, and numbers. want: parallel
#include <stddef.h>
#include <string.h>
#pragma regraph size(n=5000,bytes=3000) size(n=1,bytes=1) size(n=77,bytes=12)
void begin(void *dst, const void *src, size_t bytes, void *sums, size_t n)
{
    memcpy(dst, src, bytes);
    memset(sums, 0, n * sizeof(double));
    for (size_t i = 0; i < n; i++) ((double *)sums)[i] += (double)i;
}
