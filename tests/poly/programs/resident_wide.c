/* test-search: no (60,000 steps of 90,000 points take the simulated device minutes; test_programs executes it) */
/* More steps than a plan may launch, each too wide for one block; a sum every step */
#pragma regraph size(n=300, steps=60000) extent(u: n, n) extent(v: n, n) extent(s: steps)
void waves(int n, int steps, float *u, float *v, float *s)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i * n + j] = 0.25f * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) u[i * n + j] = v[i * n + j];
        float e = 0.0f;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) e += u[i * n + j];
        s[t] = e;
    }
}
