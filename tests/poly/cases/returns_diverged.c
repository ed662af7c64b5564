// want: parallel
/* A time loop that gives up with a code of its own, and work after it that is then not done. */
#pragma regraph size(n=3000, steps=12) input(u: uniform(-0.5, 0.5))
int march(int n, int steps, double *u, double *v, double *energy)
{
    int t, i;
    for (t = 0; t < steps; t++) {
        double e = 0;
        for (i = 0; i < n; i++) v[i] = u[i] + 0.1 * u[i] * u[i];
        for (i = 0; i < n; i++) {
            u[i] = v[i];
            e += v[i] * v[i];
        }
        if (e > 1e9) return -t;
        energy[t] = e;
    }
    for (i = 0; i < n; i++) v[i] = 2 * u[i];
    return steps;
}
