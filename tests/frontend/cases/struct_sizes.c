/* Sizes that travel in a structure. */
// function: by_value
// function: by_pointer
// explain: g.nx             scalar int
struct grid { int nx, ny; double dx; };
#pragma regraph size(g.nx=40, g.ny=30) extent(u: g.nx * g.ny)
void by_value(struct grid g, const double *u, double *v)
{
    for (int i = 1; i < g.nx - 1; i++)
        for (int j = 1; j < g.ny - 1; j++)
            v[i * g.ny + j] = (u[i * g.ny + j + 1] + u[i * g.ny + j - 1] + u[(i + 1) * g.ny + j] + u[(i - 1) * g.ny + j] - 4 * u[i * g.ny + j]) / (g.dx * g.dx);
}
#pragma regraph size(g->nx=40, g->ny=30)
void by_pointer(const struct grid *g, const double *u, double *v)
{
    const int nx = g->nx, ny = g->ny;
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++)
            v[i * ny + j] = u[i * ny + j] * g->dx;
}
