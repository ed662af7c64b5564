/* Explicit heat conduction that stops where it has blown up: the step, or 0. */
#include <math.h>

int heat(int n, int steps, double dt, const double *k, double *u, double *v)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            v[i] = u[i] + dt * k[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
            if (!isfinite(v[i]))
                return t + 1;
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
    }
    return 0;
}
