#include <stdlib.h>
/* D2Q9 lattice Boltzmann, periodic: pull, then relax towards equilibrium; f[k][y][x] */
void ref_lbm(int w, int h, int steps, float omega, float *f)
{
    static const int cx[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }, cy[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
    static const float wt[9] = { 4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36 };
    int n = w * h;
    float *g = malloc(9 * (size_t)n * sizeof(float));
    for (int t = 0; t < steps; t++) {
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                float v[9], rho = 0, ux = 0, uy = 0;
                for (int k = 0; k < 9; k++) {
                    int xs = (x - cx[k] + w) % w, ys = (y - cy[k] + h) % h;
                    v[k] = f[k * n + ys * w + xs];
                    rho += v[k];
                    ux += cx[k] * v[k];
                    uy += cy[k] * v[k];
                }
                ux /= rho;
                uy /= rho;
                for (int k = 0; k < 9; k++) {
                    float cu = 3 * (cx[k] * ux + cy[k] * uy);
                    float eq = wt[k] * rho * (1 + cu + cu * cu / 2 - (ux * ux + uy * uy) * 3 / 2);
                    g[k * n + y * w + x] = v[k] + omega * (eq - v[k]);
                }
            }
        for (int i = 0; i < 9 * n; i++) f[i] = g[i];
    }
    free(g);
}
