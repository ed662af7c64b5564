/* A vectorised variant beside the plain one: only the plain one is read. */
// function: scale
#include <immintrin.h>
#pragma regraph size(n=1000)
void scale(int n, float *x)
{
    for (int i = 0; i < n; i++) x[i] = 2 * x[i];
}
void scale_sse(int n, float *x)
{
    __m128 two = _mm_set1_ps(2.0f);
    for (int i = 0; i + 4 <= n; i += 4) _mm_storeu_ps(x + i, _mm_mul_ps(two, _mm_loadu_ps(x + i)));
}
