/* Arrays of constant size, rounds until nothing changes: how many there are at most is all that can be smaller. */
#include <math.h>
#define N 40

static double phi[N][N], rho[N][N];

static double sweep(int colour, double omega)
{
    double most = 0;
    for (int i = 1; i < N - 1; i++)
        for (int j = 1 + (i + colour) % 2; j < N - 1; j += 2) {
            double d = omega * (0.25 * (phi[i - 1][j] + phi[i + 1][j] + phi[i][j - 1] + phi[i][j + 1] + rho[i][j]) - phi[i][j]);
            phi[i][j] += d;
            if (fabs(d) > most) most = fabs(d);
        }
    return most;
}

// function: relax
// explain(relax): maxit=30  timed verified simulated about 3.47e+05 accesses
// explain(relax): maxit=2  verified simulated about
// explain(relax): maxit=3  verified simulated about
#pragma regraph size(maxit=30) input(omega: constant(1.5)) input(tol: constant(1e-12))
int relax(int maxit, double omega, double tol)
{
    int it = 0;
    double change;
    do {
        change = sweep(0, omega);
        change = fmax(change, sweep(1, omega));
        it++;
    } while (change > tol && it < maxit);
    return it;
}
