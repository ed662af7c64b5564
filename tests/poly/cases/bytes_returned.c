// Bytes that the function allocates and returns: any value may be among them, that of memory which is not set, too. want: parallel
// chain: parallelize@C
#pragma regraph size(n=5000) size(n=33)
#include <stdlib.h>
unsigned char *bytes_returned(int n, const unsigned char *x)
{
    unsigned char *y = malloc(n);
    if (!y) return NULL;
    for (int i = 0; i < n; i++) y[i] = 255 - x[i];
    return y;
}
