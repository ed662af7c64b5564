// want: parallel
// A function that returns memory which it allocates: an array of its caller's, or NULL.
#include <stdlib.h>
#pragma regraph size(n=300, m=40) size(n=1, m=1)
float *smoothed(const float *x, int n, int m)
{
    if (n <= 0 || m <= 0) return NULL;
    float *row = malloc(m * sizeof *row), *out = calloc((size_t)n * m, sizeof(float));
    if (!row || !out) {
        free(row);
        free(out);
        return NULL;
    }
    for (int j = 0; j < m; j++) row[j] = x[j];
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j += 2) out[i * m + j] = x[i * m + j] - row[j];
    free(row);
    return out;
}
