// What look like two parts are one place apart: each iteration needs the one before. want: sequential
#include <stdlib.h>

#pragma regraph size(n=500) size(n=5)
float parts_overlap_not(const float *in, int n)
{
    float *a, *b;
    a = malloc(((size_t)n + 1) * sizeof(float));
    if (!a) return 1;
    b = a + 1;
    a[0] = in[0];
    for (int i = 0; i < n; i++) b[i] = 0.5f * a[i] * a[i] - in[i];
    float last = b[n - 1];
    free(a);
    return last;
}
