// expect: how far its subscripts reach depends on data
/* what a cursor goes on by is partly copied from data */
#include <stdlib.h>
#include <string.h>
unsigned long n3(unsigned long n, const unsigned char *in, char *out)
{
    unsigned long k = 0;
    unsigned char *c = malloc(n);
    for (unsigned long i = 0; i < n; i++) c[i] = 1;
    memcpy(c, in, n / 2);
    for (unsigned long i = 0; i < n; i++) {
        out[k] = in[i];
        k += c[i];
    }
    free(c);
    return k;
}
