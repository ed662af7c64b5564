// A block that calloc gives, NULL at first, cut up by base + 2*n and &base[n]. want: parallel
// chain: array.expand@loop:k_2,parallelize
#include <stdlib.h>

#pragma regraph size(rows=20, n=60) size(rows=2, n=3) extent(x: rows*n) extent(y: rows*n)
int parts_cleared(int *out, const float *x, const float *y, int rows, int n)
{
    float *p, *q, *r;
    float *buf = NULL;
    buf = calloc(3 * (size_t)n, sizeof(float));
    if (buf == NULL) return -1;
    p = buf;
    q = &buf[n];
    r = buf + 2 * n;
    for (int k = 0; k < rows; k++) {
        for (int i = 0; i < n; i++) p[i] = x[k * n + i];
        for (int i = 0; i < n; i++) q[i] = y[k * n + i];
        for (int i = 0; i < n; i++) r[i] = p[i] > q[i] ? p[i] : q[i];
        for (int i = 0; i < n; i++) out[k * n + i] = (int)(100 * r[i]);
    }
    free(buf);
    return 0;
}
