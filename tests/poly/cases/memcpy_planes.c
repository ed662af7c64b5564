// memcpy of planes one behind the other: the array keeps its three dimensions, constant one outermost. want: parallel
// chain: parallelize,coalesce
// shows: g_turn\[
#include <string.h>
#pragma regraph size(nx=20,ny=12,T=6) size(nx=7,ny=5,T=2)
void memcpy_planes(int nx, int ny, int T, double *f, double *g)
{
    for (int t = 0; t < T; t++) {
        for (int k = 0; k < 9; k++)
            for (int x = 1; x < nx - 1; x++)
                for (int y = 1; y < ny - 1; y++)
                    g[(k * nx + x) * ny + y] = 0.2 * (f[(k * nx + x - 1) * ny + y] + f[(k * nx + x) * ny + y + 1]) + 0.1 * f[((8 - k) * nx + x) * ny + y];
        memcpy(f, g, 9 * nx * ny * sizeof *f);
    }
}
