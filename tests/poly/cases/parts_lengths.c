// Three parts of different lengths in one block, each set behind the other. want: parallel
// chain: array.expand@loop:r,parallelize
#include <stdlib.h>

#pragma regraph size(rows=30, n=50) size(rows=2, n=3)
int parts_lengths(float *out, const float *in, int rows, int n)
{
    float *a, *b, *c;
    int i, r;
    a = malloc((3 * (size_t)n + 2) * sizeof(float));
    if (!a) return 1;
    b = a + n;
    c = b + (n + 1);
    for (r = 0; r < rows; r++) {
        for (i = 0; i < n; i++) a[i] = in[(size_t)r * n + i] * 2.0f;
        b[0] = 0.0f;
        for (i = 0; i < n; i++) b[i + 1] = a[i] * 0.5f + 1.0f;
        for (i = 0; i <= n; i++) c[i] = b[i] * 3.0f;
        for (i = 0; i < n; i++) out[(size_t)r * n + i] = a[i] + b[i] + c[i + 1];
    }
    free(a);
    return 0;
}
