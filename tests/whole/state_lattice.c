#include <stdlib.h>
#define IDX(i,j,k) (((i) * s_ny + (j)) * s_nz + (k))
static size_t s_nx, s_ny, s_nz;
static float *s_src, *s_dst;
static float s_w0, s_w1;
static int in_range(int i, int n) { return i >= 0 && i < n; }
static float at(int i, int j, int k)
{
    if (!in_range(i, (int)s_nx) || !in_range(j, (int)s_ny) || !in_range(k, (int)s_nz)) return 0.0f;
    return s_src[IDX(i, j, k)];
}
static void configure(size_t nx, size_t ny, size_t nz, float w0, float w1)
{
    s_nx = nx; s_ny = ny; s_nz = nz;
    s_w0 = w0; s_w1 = w1;
}
static void bind(float *src, float *dst) { s_src = src; s_dst = dst; }
void blur3(size_t nx, size_t ny, size_t nz, float *src, float *dst)
{
    configure(nx, ny, nz, 0.5f, 1.0f / 12.0f);
    bind(src, dst);
    for (size_t i = 0; i < s_nx; i++)
        for (size_t j = 0; j < s_ny; j++)
            for (size_t k = 0; k < s_nz; k++) {
                int a = (int)i, b = (int)j, c = (int)k;
                s_dst[IDX(i, j, k)] = s_w0 * at(a, b, c) + s_w1 * (at(a - 1, b, c) + at(a + 1, b, c) + at(a, b - 1, c)
                    + at(a, b + 1, c) + at(a, b, c - 1) + at(a, b, c + 1));
            }
}
