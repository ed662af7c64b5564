#pragma regraph size(g.nx=301, g.ny=203)
struct grid { int nx, ny; double h, *u; };
static double residual(const struct grid *g, const double *f, int i, int j)
{
    const double *u = g->u;
    int nx = g->nx;
    return f[j * nx + i] - (4 * u[j * nx + i] - u[j * nx + i - 1] - u[j * nx + i + 1] - u[(j - 1) * nx + i] - u[(j + 1) * nx + i]) / (1 + g->h * g->h);
}
double worst(const struct grid *g, const double *f, double *r)
{
    double most = 0;
    for (int j = 1; j < g->ny - 1; j++)
        for (int i = 1; i < g->nx - 1; i++) {
            double *out = r;
            out[j * g->nx + i] = residual(g, f, i, j);
            if (out[j * g->nx + i] > most) most = out[j * g->nx + i];
        }
    return most;
}
// explain: double[g.nx*g.ny - 1] file-scope
// not: opaque parts
