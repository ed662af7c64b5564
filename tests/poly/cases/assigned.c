// want: parallel
/* Conditions that set what they compare, and conditions that call helpers with loops of their own. */
#pragma regraph size(n=4096, max=30) size(n=67, max=5) extent(trace: max)
static double residual(const double *u, const double *f, int n)
{
    double s = 0;
    for (int i = 1; i < n - 1; i++) {
        double r = f[i] - (2 * u[i] - u[i - 1] - u[i + 1]);
        s += r * r;
    }
    return s;
}
static void sweep(double *u, double *v, const double *f, int n)
{
    for (int i = 1; i < n - 1; i++) v[i] = 0.5 * (u[i - 1] + u[i + 1] + f[i]);
    for (int i = 1; i < n - 1; i++) u[i] = v[i];
}
double relax(double *u, double *v, const double *f, double *trace, int n, int max, double tol)
{
    double r = 0, first, old = 1e300;
    int k = 0, rounds = 0;
    if ((first = residual(u, f, n)) < 0) return first;
    while ((r = residual(u, f, n)) > tol * first) {
        sweep(u, v, f, n);
        trace[rounds] = r;
        if (++rounds >= max) break;
    }
    for (int it = 0; it < max && (r = residual(u, f, n)) > 0; it++) sweep(u, v, f, n);
    do {
        sweep(u, v, f, n);
        old = r;
    } while ((r = residual(u, f, n)) < old && ++k < max);
    while (residual(u, f, n) > 1e300 && k < max) k++;
    return r + k + rounds;
}
