/* 2-D advection-diffusion with upwind differences */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    int nx, ny;
    double dx, dy, dt;
    double nu;
} prm;

static double **cur, **nxt;
static double *velx, *vely;

static double **grid_new(int h, int w)
{
    double **g = malloc(h * sizeof *g);
    if (!g) return NULL;
    for (int i = 0; i < h; i++) {
        g[i] = malloc(w * sizeof **g);
        if (!g[i]) return NULL;
    }
    return g;
}

static void grid_free(double **g, int h)
{
    for (int i = 0; i < h; i++) free(g[i]);
    free(g);
}

static int setup(int nx, int ny, double nu, double dt, double *u, double *v)
{
    assert(nx > 2);
    assert(ny > 2);
    prm.nx = nx;
    prm.ny = ny;
    prm.dx = 1.0 / (nx - 1);
    prm.dy = 1.0 / (ny - 1);
    prm.nu = nu;
    prm.dt = dt;
    velx = u;
    vely = v;
    cur = grid_new(ny, nx);
    nxt = grid_new(ny, nx);
    return cur && nxt ? 0 : -1;
}

static void step(void)
{
    for (int j = 1; j < prm.ny - 1; j++)
        for (int i = 1; i < prm.nx - 1; i++) {
            double a = velx[j * prm.nx + i], b = vely[j * prm.nx + i];
            double dcx = a > 0 ? cur[j][i] - cur[j][i - 1] : cur[j][i + 1] - cur[j][i];
            double dcy = b > 0 ? cur[j][i] - cur[j - 1][i] : cur[j + 1][i] - cur[j][i];
            double lap = (cur[j][i + 1] - 2 * cur[j][i] + cur[j][i - 1]) / (prm.dx * prm.dx)
                       + (cur[j + 1][i] - 2 * cur[j][i] + cur[j - 1][i]) / (prm.dy * prm.dy);
            nxt[j][i] = cur[j][i] + prm.dt * (prm.nu * lap - a * dcx / prm.dx - b * dcy / prm.dy);
        }
    for (int i = 0; i < prm.nx; i++) { nxt[0][i] = nxt[1][i]; nxt[prm.ny - 1][i] = nxt[prm.ny - 2][i]; }
    for (int j = 0; j < prm.ny; j++) { nxt[j][0] = nxt[j][1]; nxt[j][prm.nx - 1] = nxt[j][prm.nx - 2]; }
    double **t = cur; cur = nxt; nxt = t;
}

int advect(int nx, int ny, int steps, double nu, double dt, double *u, double *v, const double *c0, double *c)
{
    if (setup(nx, ny, nu, dt, u, v) != 0) return -1;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) cur[j][i] = nxt[j][i] = c0[j * nx + i];
    for (int s = 0; s < steps; s++) step();
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) c[j * nx + i] = cur[j][i];
    grid_free(cur, ny);
    grid_free(nxt, ny);
    return 0;
}
