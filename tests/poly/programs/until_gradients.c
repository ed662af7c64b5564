/* conjugate gradients on a tridiagonal matrix */
#include <math.h>
#pragma regraph size(n=200000, maxit=25) extent(b: n) extent(x: n) extent(r: n) extent(p: n) extent(q: n) extent(stat: 2) input(tol: constant(1e-3))
void cg(int n, int maxit, double tol, const double *b, double *x, double *r, double *p, double *q, double *stat)
{
    double rho = 0;
    for (int i = 0; i < n; i++) { x[i] = 0; r[i] = b[i]; p[i] = b[i]; rho += b[i] * b[i]; }
    int it;
    for (it = 0; it < maxit && sqrt(rho) > tol; it++) {
        for (int i = 0; i < n; i++)
            q[i] = 2.5 * p[i] - (i > 0 ? p[i - 1] : 0.0) - (i < n - 1 ? p[i + 1] : 0.0);
        double pq = 0;
        for (int i = 0; i < n; i++) pq += p[i] * q[i];
        double alpha = rho / pq, next = 0;
        for (int i = 0; i < n; i++) { x[i] += alpha * p[i]; r[i] -= alpha * q[i]; }
        for (int i = 0; i < n; i++) next += r[i] * r[i];
        double beta = next / rho;
        for (int i = 0; i < n; i++) p[i] = r[i] + beta * p[i];
        rho = next;
    }
    stat[0] = it;
    stat[1] = sqrt(rho);
}
