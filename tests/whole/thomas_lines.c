/* implicit heat conduction along the rows of a plate: a tridiagonal system per row */
#include <stdlib.h>

static double *c_star, *d_star;

static void solve_row(int n, double a, double b, double c, const double *rhs, double *x, double *cs, double *ds)
{
    int j;
    cs[0] = c / b;
    ds[0] = rhs[0] / b;
    for (j = 1; j < n; j++) {
        double m = 1.0 / (b - a * cs[j - 1]);
        cs[j] = c * m;
        ds[j] = (rhs[j] - a * ds[j - 1]) * m;
    }
    x[n - 1] = ds[n - 1];
    for (j = n - 2; j >= 0; j--) x[j] = ds[j] - cs[j] * x[j + 1];
}

void implicit_rows(int rows, int cols, double lambda, const double *old, double *new_)
{
    int i;
    c_star = malloc((size_t)rows * cols * sizeof(double));
    d_star = malloc((size_t)rows * cols * sizeof(double));
    for (i = 0; i < rows; i++)
        solve_row(cols, -lambda, 1.0 + 2.0 * lambda, -lambda, old + (size_t)i * cols, new_ + (size_t)i * cols, c_star + (size_t)i * cols,
                  d_star + (size_t)i * cols);
    free(c_star);
    free(d_star);
}
