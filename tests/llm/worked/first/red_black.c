/* Pressure of a flow around obstacles: red-black SOR until the residual is small. */
#include <math.h>
#pragma regraph size(ny=200, nx=300, itermax=30) size(ny=61, nx=67, itermax=20) init(fill_case)

#define OMEGA 1.7
#define SOLID 1
#define FLUID(i, j) (flag[(i)][(j)] != SOLID)

typedef double real;

static real stencil(int nx, const real p[][nx], int i, int j)
{
    return p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1];
}

static unsigned lcg(unsigned *s) { return *s = *s * 1664525u + 1013904223u; }

void fill_case(int ny, int nx, double p[ny][nx], double rhs[ny][nx], int flag[ny][nx])
{
    unsigned s = 7u;
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < nx; j++) {
            flag[i][j] = i == 0 || j == 0 || i == ny - 1 || j == nx - 1 || (lcg(&s) >> 16) % 97 == 0;
            p[i][j] = 0;
            rhs[i][j] = ((int)(lcg(&s) >> 16) % 201 - 100) * 1e-3;
        }
}

/* Returns the number of iterations; *res is the last residual (largest change). */
int pressure(int ny, int nx, double p[ny][nx], const double rhs[ny][nx], const int flag[ny][nx], double h2, double eps,
             int itermax, double *res)
{
    int it = 0;
    real change = 0;
    do {
        change = 0;
        for (int color = 0; color < 2; color++)
            for (int i = 1; i < ny - 1; i++)
                for (int j = 1 + ((i + color) & 1); j < nx - 1; j += 2) {
                    if (!FLUID(i, j)) continue;
                    real gs = 0.25 * (stencil(nx, p, i, j) - h2 * rhs[i][j]);
                    real d = OMEGA * (gs - p[i][j]);
                    p[i][j] += d;
                    change = fmax(change, fabs(d));
                }
        it++;
    } while (change > eps && it < itermax);
    *res = change;
    return it;
}
