/* test-threads: 1 (few points by design) */
/* Phases of several kinds: every other step a boundary, an array of the iteration, a loop that is empty at first, a sum */
#pragma regraph size(n=150, steps=9) extent(u: n) extent(v: n) extent(energy: steps)
void phases(int n, int steps, float *u, float *v, float *energy)
{
    for (int t = 0; t < steps; t++) {
        float flux[n];
        if (t % 2 == 0) {
            u[0] = 0.5f * u[n - 1];
            for (int i = 0; i < n; i++) v[i] += 0.01f * u[0];
        } else {
            for (int i = 0; i < n; i++) v[i] *= 0.99f;
        }
        for (int i = 0; i < n; i++) flux[i] = u[i] - (i > 0 ? u[i - 1] : 0.0f) + 0.1f * v[i];
        for (int q = 0; q < t - 3; q++)
            for (int r = 0; r < n - q; r++) v[r] += 0.01f * flux[n - 1 - r];
        for (int i = 0; i < n; i++) u[i] -= 0.1f * flux[i];
        float e = 0.0f;
        for (int i = 0; i < n; i++) e += u[i] * u[i];
        energy[t] = e;
    }
}
