#include <math.h>
#include <stdio.h>
#define MAXIT 200
static double residual(const double *u, const double *f, int N, double h2)
{
    double r = 0.0;
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
            double d = f[i*N+j] - (u[(i-1)*N+j] + u[(i+1)*N+j] + u[i*N+j-1] + u[i*N+j+1] - 4*u[i*N+j]) / h2;
            r += d * d;
        }
    return sqrt(r);
}
int poisson_rb(double *u, const double *f, int N, double tol)
{
    double h = 1.0 / (N - 1), h2 = h * h;
    int it;
    for (it = 0; it < MAXIT; it++) {
        for (int color = 0; color < 2; color++)
            for (int i = 1; i < N - 1; i++)
                for (int j = 1 + (i + color) % 2; j < N - 1; j += 2)
                    u[i*N+j] = 0.25 * (u[(i-1)*N+j] + u[(i+1)*N+j] + u[i*N+j-1] + u[i*N+j+1] - h2 * f[i*N+j]);
        if (it % 10 == 9 && residual(u, f, N, h2) < tol)
            break;
    }
    return it;
}
