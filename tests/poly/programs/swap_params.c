/* two phases per step; parameters themselves are exchanged; ends by choosing */
#pragma regraph size(n=1000, steps=10) extent(p: n, n) extent(q: n, n) extent(out: n, n)
void twophase(int n, int steps, double *p, double *q, double *out)
{
    for (int t = 0; t < steps; ++t) {
        for (int i = 0; i < n; i++) { q[i * n] = p[i * n]; q[i * n + n - 1] = p[i * n + n - 1]; }
        for (int i = 0; i < n; i++)
            for (int j = 1; j < n - 1; j++) q[i * n + j] = (p[i * n + j - 1] + p[i * n + j] + p[i * n + j + 1]) / 3;
        double *tmp = p; p = q; q = tmp;
    }
    const double *res = p;
    for (int i = 0; i < n * n; i++) out[i] = res[i];
}
