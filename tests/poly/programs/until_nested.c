/* time steps, each with an inner iteration to convergence; red-black sweeps in place; a ceiling on the sweeps */
#include <math.h>
#pragma regraph size(n=500, steps=3) extent(p: n, n) extent(f: n, n) extent(sweeps: steps)
void pressure(int n, int steps, double *p, const double *f, int *sweeps)
{
    for (int s = 0; s < steps; s++) {
        int k = 0;
        double change;
        do {
            change = 0;
            for (int colour = 0; colour < 2; colour++)
                for (int i = 1; i < n - 1; i++)
                    for (int j = 1; j < n - 1; j++)
                        if ((i + j) % 2 == colour) {
                            double v = 0.25 * (p[(i - 1) * n + j] + p[(i + 1) * n + j] + p[i * n + j - 1] + p[i * n + j + 1] - f[i * n + j]);
                            change = fmax(change, fabs(v - p[i * n + j]));
                            p[i * n + j] = v;
                        }
            k++;
        } while (change > 0.05 && k < 8);
        sweeps[s] = k;
    }
}
