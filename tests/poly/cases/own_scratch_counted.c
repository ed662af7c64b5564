// Tridiagonal systems that differ, in scratch of structures; pivots that are none are counted over all systems and steps. want: parallel
// chain: parallelize
// shows: failed_part\[j\] =
#pragma regraph size(rows=200,systems=500,steps=2) size(rows=7,systems=5,steps=2) input(s: uniform(0.1, 1))
#pragma regraph extent(s: rows) extent(y: rows * systems)
#include <math.h>
#include <stdlib.h>
struct row { double lower, diagonal, upper; };
int many_systems(int rows, int systems, int steps, const double *s, double *y)
{
    struct row *t = malloc(sizeof *t * rows);
    double *w = malloc(sizeof(double) * rows);
    int failed = 0;
    for (int n = 0; n < steps; n++)
        for (int j = 0; j < systems; j++) {
            t[0] = t[rows - 1] = (struct row){0, 1, 0};
            for (int i = 1; i < rows - 1; i++)
                t[i] = (struct row){-0.1 * s[i], 1 + 0.2 * s[i] + 0.01 * j, -0.1 * s[i]};
            double pivot = t[0].diagonal;
            y[j] /= pivot;
            for (int k = 1; k < rows; k++) {
                w[k] = t[k - 1].upper / pivot;
                pivot = t[k].diagonal - t[k].lower * w[k];
                failed += fabs(pivot) < 1.3;
                y[k * systems + j] = (y[k * systems + j] - t[k].lower * y[(k - 1) * systems + j]) / pivot;
            }
            for (int k = rows - 2; k >= 0; k--) y[k * systems + j] -= w[k + 1] * y[(k + 1) * systems + j];
        }
    free(t);
    free(w);
    return failed;
}
