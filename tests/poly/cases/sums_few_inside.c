// A pair sum whose pairs a list leaves out as it is gone along: what three coordinates add up is no kernel of its own. want: parallel
#include <math.h>
#include <stddef.h>
double sums_few_inside(size_t n, const double (*restrict r)[3], const double *restrict q, double rc,
                       const size_t *restrict start, const size_t *restrict list, double *restrict more)
{
    double e = 0.0, own = 0.0;
    for (size_t i = 0; i < n; i++) {
        size_t x = start[i];
        own += q[i] * q[i];
        for (size_t j = i + 1; j < n; j++) {
            while (x < start[i + 1] && list[x] < j) x++;
            if (x < start[i + 1] && list[x] == j) continue;
            double d[3], r2 = 0;
            for (int k = 0; k < 3; k++) {
                d[k] = r[i][k] - r[j][k];
                r2 += d[k] * d[k];
            }
            if (r2 >= rc * rc) continue;
            double f = q[i] * q[j] / (1 + r2);
            e += f;
            more[0] += f * d[0] * d[0];
            more[1] += f * d[1] * d[1];
            more[2] += f * d[2] * d[2];
            more[3] += f * d[0] * d[1];
            more[4] += f * d[0] * d[2];
            more[5] += f * d[1] * d[2];
        }
    }
    return e - own;
}
#pragma regraph size(n = 500) size(n = 1) size(n = 37)
