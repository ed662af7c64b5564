/* Jacobi until the change is small; pointers are exchanged; says how many sweeps it took */
#include <math.h>
#pragma regraph size(n=400, maxit=60) extent(u: n, n) extent(w: n, n) extent(iters: 1) input(tol: constant(0.02)) 
void solve(int n, int maxit, double tol, double *u, double *w, int *iters)
{
    double *a = u, *b = w;
    double err = 1e300;
    int it = 0;
    while (err > tol && it < maxit) {
        err = 0.0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
                double d = fabs(b[i * n + j] - a[i * n + j]);
                if (d > err) err = d;
            }
        double *t = a; a = b; b = t;
        it++;
    }
    if (a != u)
        for (int i = 0; i < n * n; i++) u[i] = a[i];
    iters[0] = it;
}
