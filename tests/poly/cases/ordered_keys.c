// Extremes by several keys: the lowest point, of these the leftmost, of these the first. want: parallel
// chain: reduce.block@C
// shows: reduce.block: partial results of loop
// lacks: one thread: loop
#pragma regraph size(n=6000) size(n=1) size(n=2) size(n=70) input(p: uniform(-5, 5)) input(d: uniform(0, 9)) input(id: uniform(0, 99)) extent(out: 5)
struct point {
    int x, y;
    short z;
};
static int below(const struct point *a, const struct point *b)
{
    if (a->y != b->y) return a->y < b->y;
    return a->x > b->x;
}
static double rounded(double v) { return (double)(int)v; }
void ordered_keys(const struct point *p, const double *d, const int *id, unsigned n, double *out)
{
    unsigned low = 0, left = 0;
    for (unsigned i = 1; i < n; i++)
        if (below(&p[i], &p[low])) low = i;
    for (unsigned i = 0; i < n; i++)
        if (p[i].x < p[left].x || (p[i].x == p[left].x && p[i].y < p[left].y) ||
            (p[i].x == p[left].x && p[i].y == p[left].y && p[i].z >= p[left].z))
            left = i;
    double best = 1e30;
    int number = -1, at = -1;
    unsigned k = 0;
    while (k < n) {
        double v = rounded(d[k]);
        if (v < best || (v == best && id[k] > number)) {
            best = v;
            number = id[k];
            at = (int)k;
        }
        k++;
    }
    out[0] = low;
    out[1] = left;
    out[2] = best;
    out[3] = number;
    out[4] = at;
}
