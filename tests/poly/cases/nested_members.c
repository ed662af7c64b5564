// Members of members are places of their own: extremes of each by atomics, the one from the other. want: parallel
struct interval { double lo, hi; };
struct item { int id; struct interval z, w; };
#pragma regraph extent(st: 8) extent(g: n) extent(x: n) extent(row: n) size(n=900) size(n=7) size(n=1)
void ranges(struct item *st, const int *g, const double *x, struct item *row, int n)
{
    for (int i = 0; i < n; i++) {
        int k = g[i] & 7;
        if (x[i] < st[k].z.lo) st[k].z.lo = x[i];
        if (x[i] > st[k].z.hi) st[k].z.hi = x[i];
    }
    for (int i = 1; i < n; i++) row[i].z.hi = row[i - 1].z.lo * 2 + row[i - 1].w.hi;
}
