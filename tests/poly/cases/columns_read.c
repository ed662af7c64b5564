// Structures in an array, each with rows of its own length behind pointers, that a helper reads. want: parallel
#pragma regraph size(nz=30, np=50) size(nz=7, np=11)
struct polygon { const double *lon, *lat; unsigned n; double xmin, xmax; };
static int crossings(const struct polygon *pg, double x, double y)
{
    int c = 0;
    if (x < pg->xmin || x > pg->xmax) return 0;
    for (unsigned i = 1; i < pg->n; i++)
        if ((pg->lat[i] > y) != (pg->lat[i - 1] > y) && x < pg->lon[i]) c++;
    return c;
}
void columns_read(const struct polygon *zones, int nz, const double *x, const double *y, int np, int *best)
{
    for (int p = 0; p < np; p++) {
        best[p] = -1;
        for (int z = 0; z < nz; z++)
            if (crossings(&zones[z], x[p], y[p]) > 1) best[p] = z;
    }
}
