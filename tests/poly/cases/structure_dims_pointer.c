// Sizes in an array member that a pointer to const leads to, and a helper that reads them, too. want: parallel
#pragma regraph size(g.n[0]=12,g.n[1]=20,g.n[2]=9) size(g.n[0]=3,g.n[1]=3,g.n[2]=3)
struct grid { double h[3]; int n[3]; };
static int at(const struct grid *g, int i, int j, int k) { return (i * g->n[1] + j) * g->n[2] + k; }
void laplace(const struct grid *g, const double *restrict u, double *restrict v)
{
    const int *n = g->n;
    for (int i = 1; i < n[0] - 1; i++)
        for (int j = 1; j < n[1] - 1; j++)
            for (int k = 1; k < n[2] - 1; k++)
                v[at(g, i, j, k)] = (u[at(g, i - 1, j, k)] + u[at(g, i + 1, j, k)] - 2 * u[at(g, i, j, k)]) / (g->h[0] * g->h[0]);
}
