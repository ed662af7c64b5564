/* Two buffers that change places, read through a helper in a branch, each step; one way out for all. */
#include <stdlib.h>

static const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1}, back[4] = {1, 0, 3, 2};
static const double weight[4] = {1.0 / 3, 1.0 / 3, 1.0 / 6, 1.0 / 6};

static inline double arriving(int k, int x, int y, int nx, int ny, double lid, const double *f,
                              const unsigned char *wall)
{
    size_t plane = (size_t)nx * ny;
    int xs = x - dx[k], ys = y - dy[k];

    if (ys >= ny) return f[back[k] * plane + (size_t)y * nx + x] + 6.0 * weight[k] * dx[k] * lid;
    if (xs < 0 || xs >= nx || ys < 0) return f[back[k] * plane + (size_t)y * nx + x];
    if (wall[(size_t)ys * nx + xs]) return f[back[k] * plane + (size_t)y * nx + x];
    if (xs == 0 && ys == 0) return 0.5 * (f[k * plane] + f[back[k] * plane]);
    if (xs == nx - 1 && ys == 0) return 0.5 * (f[k * plane + nx - 1] + f[back[k] * plane + nx - 1]);
    return f[k * plane + (size_t)ys * nx + xs];
}

static void advance(int nx, int ny, double mix, double lid, const unsigned char *wall, const double *src, double *dst)
{
    size_t plane = (size_t)nx * ny;

    for (int y = 0; y < ny; y++) {
        for (int x = 0; x < nx; x++) {
            double in[4], mean = 0;

            if (wall[(size_t)y * nx + x]) {
                for (int k = 0; k < 4; k++) dst[k * plane + (size_t)y * nx + x] = 0.25;
                continue;
            }
            for (int k = 0; k < 4; k++) {
                in[k] = arriving(k, x, y, nx, ny, lid, src, wall);
                mean += 0.25 * in[k];
            }
            for (int k = 0; k < 4; k++) dst[k * plane + (size_t)y * nx + x] = in[k] + mix * (mean - in[k]);
        }
    }
}

int advected_walls(int nx, int ny, int steps, double mix, double lid, const unsigned char *wall, double *density)
{
    int rc = -1;
    size_t bytes = (size_t)4 * nx * ny * sizeof(double);
    double *a = NULL, *b = NULL;

    if (mix < 0) return -1;
    a = malloc(bytes);
    b = malloc(bytes);
    if (!a || !b) goto done;
    for (size_t i = 0; i < (size_t)4 * nx * ny; i++) a[i] = 1.0 + i % 5;
    for (int t = 0; t < steps; t++) {
        double *tmp;

        advance(nx, ny, mix, lid, wall, a, b);
        tmp = a;
        a = b;
        b = tmp;
    }
    for (int i = 0; i < nx * ny; i++) {
        density[i] = 0;
        for (int k = 0; k < 4; k++) density[i] += a[(size_t)k * nx * ny + i];
    }
    rc = 0;
done:
    free(a);
    free(b);
    return rc;
}
