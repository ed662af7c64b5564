// One block of scratch for three vectors: data lead into one of them, the loop stores to another. want: parallel
// chain: parallelize,coalesce
// shows: max\(min\(
#include <math.h>
#include <stdlib.h>

#pragma regraph size(n=3000, rounds=3) size(n=9, rounds=2) extent(at: n + 1) extent(col: 4*n) extent(w: 4*n)
#pragma regraph input(at: affine(0, 4)) input(col: uniform(0, n - 1))
static void gather(int n, const int *at, const int *col, const double *w, const double *from, double *to)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = at[i]; k < at[i + 1]; k++) s += w[k] * from[col[k]];
        to[i] = s;
    }
}

double parts_scratch(int n, int rounds, const int *at, const int *col, const double *w, double x[n])
{
    double *r = malloc(3 * (size_t)n * sizeof *r), *p = r + n, *q = p + n, sum = 0;
    for (int i = 0; i < n; i++) r[i] = p[i] = x[i];
    for (int t = 0; t < rounds; t++) {
        gather(n, at, col, w, p, q);
        for (int i = 0; i < n; i++) {
            p[i] = 0.5 * q[i] + r[i];
            x[i] += q[i];
        }
    }
    for (int i = 0; i < n; i++) sum += fabs(p[i]);
    free(r);
    return sum;
}
