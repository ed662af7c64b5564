/* Locals a device has not: memory filled with bytes, structures copied as bytes, an allocation of products. */
#include <stdlib.h>
#include <string.h>
#pragma regraph size(n=323, k=4)
typedef struct { float re, im; } cpx;
void f(int n, int k, const cpx *in, cpx *out, int *owner, short *mask)
{
    cpx *tmp = malloc(n * sizeof *tmp);
    int *grid = malloc(sizeof(int) * n * k);
    volatile int last = 0;
    memcpy(tmp, in, n * sizeof(cpx));
    memset(grid, -1, n * k * sizeof(int));
    memset(mask, 0x11, n * sizeof(short));
    for (int i = 0; i < n; i++) {
        grid[(i * 7 % n) * k + i % k] = i;
        out[i] = tmp[n - 1 - i];
        last = i;
    }
    for (int i = 0; i < n; i++) owner[i] = grid[i * k + i % k] + last;
    free(grid);
    free(tmp);
}
