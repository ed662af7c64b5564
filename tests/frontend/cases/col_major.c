#include <stdlib.h>
#pragma regraph size(nx=33, ny=21, nz=17)
void lap(int nx, int ny, int nz, const float *f, float *g)
{
    size_t sx = 1, sy = nx, sz = (size_t)nx * ny;
    for (int z = 1; z < nz - 1; z++)
        for (int y = 1; y < ny - 1; y++)
            for (int x = 1; x < nx - 1; x++) {
                size_t p = x * sx + y * sy + z * sz;
                g[p] = f[p - sx] + f[p + sx] + f[p - sy] + f[p + sy] + f[p - sz] + f[p + sz] - 6.0f * f[p];
            }
}
// explain: f is read as f[nz][ny][nx]
// not: opaque parts
