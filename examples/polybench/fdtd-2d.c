/* Finite-difference time domain: ey, ex, hz in turn */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(tmax=7, nx=97, ny=89) size(tmax=3, nx=17, ny=23) size(tmax=1, nx=2, ny=3)
void kernel_fdtd_2d(int tmax, int nx, int ny, real ex[nx][ny], real ey[nx][ny], real hz[nx][ny], const real fict[tmax])
{
    for (int t = 0; t < tmax; t++) {
        for (int j = 0; j < ny; j++) ey[0][j] = fict[t];
        for (int i = 1; i < nx; i++)
            for (int j = 0; j < ny; j++) ey[i][j] -= (real)0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < nx; i++)
            for (int j = 1; j < ny; j++) ex[i][j] -= (real)0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < nx - 1; i++)
            for (int j = 0; j < ny - 1; j++) hz[i][j] -= (real)0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}
