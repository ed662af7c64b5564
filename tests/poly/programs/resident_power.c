/* test-threads: 1 (few points by design) */
/* Small power iteration that ends when the vector stands still */
#include <math.h>
#pragma regraph size(n=60, maxit=30) input(tol: constant(1e-4)) input(A: uniform(0, 1)) input(v: uniform(0.5, 1))
int power(int n, int maxit, double tol, const double A[n][n], double v[n], double w[n])
{
    int it = 0;
    double err = 1.0;
    while (err > tol && it < maxit) {
        double most = 0.0;
        for (int i = 0; i < n; i++) {
            double s = 0.0;
            for (int j = 0; j < n; j++) s += A[i][j] * v[j];
            w[i] = s;
            if (fabs(s) > most) most = fabs(s);
        }
        err = 0.0;
        for (int i = 0; i < n; i++) {
            double x = w[i] / most;
            if (fabs(x - v[i]) > err) err = fabs(x - v[i]);
            v[i] = x;
        }
        it++;
    }
    return it;
}
