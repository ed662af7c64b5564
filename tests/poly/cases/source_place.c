// Where in the grid a source is, is no amount of work: sizes are found at which it is inside. want: parallel
// chain: parallelize@C
struct grid { int nx, ny; double *p, *v; };
void pulse(struct grid *g, const double *src, int steps, int sx, int sy, double c)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < g->nx - 1; i++)
            for (int j = 0; j < g->ny; j++) g->v[i * g->ny + j] += c * (g->p[(i + 1) * g->ny + j] - g->p[i * g->ny + j]);
        for (int i = 1; i < g->nx - 1; i++)
            for (int j = 0; j < g->ny; j++) g->p[i * g->ny + j] += c * (g->v[i * g->ny + j] - g->v[(i - 1) * g->ny + j]);
        g->p[sx * g->ny + sy] += src[t];
    }
}
