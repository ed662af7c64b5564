/* power iteration: matrix-vector products, normalised, until the eigenvalue stands still */
#include <math.h>
#pragma regraph size(n=500, maxit=30) input(tol: constant(1e-4)) input(A: uniform(0, 1)) input(v: uniform(0.5, 1))
double power(int n, int maxit, double tol, const double A[n][n], double v[n], double w[n])
{
    double lambda = 0, old;
    int it = 0;
    do {
        old = lambda;
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int j = 0; j < n; j++) s += A[i][j] * v[j];
            w[i] = s;
        }
        double norm = 0;
        for (int i = 0; i < n; i++) norm += w[i] * w[i];
        lambda = sqrt(norm);
        for (int i = 0; i < n; i++) v[i] = w[i] / lambda;
        it++;
    } while (fabs(lambda - old) > tol * lambda && it < maxit);
    return lambda;
}
