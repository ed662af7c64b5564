/* Solves a tridiagonal system for each row, in place. */
#include <stdlib.h>

typedef struct {
    int n;
    const double *low, *mid, *up;
} band_t;

static int sweep(const band_t *m, double *x, double *work)
{
    double pivot = m->mid[0];

    if (pivot == 0)
        return -1;
    x[0] /= pivot;
    for (int k = 1; k < m->n; k++) {
        work[k] = m->up[k - 1] / pivot;
        pivot = m->mid[k] - m->low[k] * work[k];
        if (pivot == 0)
            return -1;
        x[k] = (x[k] - m->low[k] * x[k - 1]) / pivot;
    }
    for (int k = m->n - 2; k >= 0; k--)
        x[k] -= work[k + 1] * x[k + 1];
    return 0;
}

int solve_rows(int rows, int n, const double *low, const double *mid, const double *up, double *x)
{
    band_t m = {n, low, mid, up};
    double *work = malloc(n * sizeof *work);
    int status = 0;

    if (!work)
        return 2;
    for (int r = 0; r < rows; r++)
        if (sweep(&m, x + (size_t)r * n, work)) {
            status = 1;
            goto done;
        }
done:
    free(work);
    return status;
}
