// A structure of sizes that is passed by value from function to function: its members are sizes. want: parallel
typedef struct {
    int nx, ny;
    double omega;
} grid;
static void smooth(const grid g, const double *a, double *b)
{
    for (int j = 0; j < g.ny; j++)
        for (int i = 0; i < g.nx; i++) {
            int l = (i + g.nx - 1) % g.nx, r = (i + 1) % g.nx;
            b[i + j * g.nx] = a[l + j * g.nx] + a[r + j * g.nx];
        }
}
static void relax(grid g, double *a, const double *b)
{
    for (int j = 0; j < g.ny; j++)
        for (int i = 0; i < g.nx; i++)
            a[i + j * g.nx] = g.omega * a[i + j * g.nx] + (1 - g.omega) * 0.5 * b[i + j * g.nx];
}
static void step(const grid g, double *a, double *b)
{
    smooth(g, a, b);
    relax(g, a, b);
}
void structure_handed_on(const grid g, double *a, double *b)
{
    step(g, a, b);
}
