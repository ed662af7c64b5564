/* swap helper, source term, boundary, while loop with a counter; answer read through the pointer */
#pragma regraph size(n=1000000, steps=20) extent(u: n) extent(w: n) extent(f: n)
static void swap(double **x, double **y) { double *t = *x; *x = *y; *y = t; }
double relax(int n, int steps, double *u, double *w, const double *f)
{
    double *old = u, *new = w;
    int t = 0;
    while (t < steps) {
        new[0] = old[0];
        new[n - 1] = old[n - 1];
        for (int i = 1; i < n - 1; i++) new[i] = 0.5 * (old[i - 1] + old[i + 1] + f[i]);
        swap(&old, &new);
        t++;
    }
    double s = 0;
    for (int i = 0; i < n; i++) s += old[i];
    return s;
}
