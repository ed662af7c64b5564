// Counters without a sign that stay so far from the end of rows, which may be shorter than that; in a search, with two bounds, and behind the loop. want: parallel
#pragma regraph size(nx=300, nz=200) size(nx=1, nz=1) size(nx=2, nz=5) size(nx=5, nz=4) size(nx=9, nz=2) extent(c: nx*nz + 4) extent(p: nx*nz + 4)
#include <stddef.h>
long unsigned_margins(size_t nx, size_t nz, const float *c, float *p, unsigned *ends)
{
    for (size_t z = 2; z + 2 < nz; z++)
        for (size_t x = 2; x + 2 < nx; x++) {
            size_t i = z * nx + x;
            p[i] = c[i - 1] + c[i + 1] + c[i - 2 * nx] + c[i + 2 * nx];
        }
    unsigned k;
    for (k = 1; k + 3 <= (unsigned)nx && k < nz; k++) p[k] += c[k + 2];
    ends[0] = k;
    for (size_t i = 0; i + 4 < nx; i++)
        if (c[i] + c[i + 4] > 1.99f) return (long)i;
    return -1;
}
