/* test-threads: 1 (few points by design) */
/* More steps than a plan may launch: one block goes through them */
#pragma regraph size(n=40, steps=60000) extent(u: n) extent(v: n)
void heat(int n, int steps, double *u, double *v)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        for (int i = 1; i < n - 1; i++) u[i] = v[i];
    }
}
