// Rows that are left out by `continue` beside a total with its rounding error: rows at once, then the total. want: parallel
#pragma regraph size(n=3000, m=137) size(n=5, m=3) size(n=1, m=1) size(n=33, m=40)
#include <math.h>
double guard_else(int n, int m, const double *restrict x, double *restrict out, int *restrict skipped)
{
    double total = 0, lost = 0;
    *skipped = 0;
    for (int i = 0; i < n; i++) {
        double most = -1;
        for (int j = 0; j < m; j++)
            if (x[i * m + j] < 0.9) most = fmax(most, x[i * m + j]);
        if (most < 0.5) {
            out[i] = -most;
            ++*skipped;
            continue;
        }
        double s = 0, c = 0;
        for (int j = 0; j < m; j++) {
            double y = exp(x[i * m + j] - most) - c, t = s + y;
            c = (t - s) - y;
            s = t;
        }
        out[i] = most + log(s);
        double y = out[i] - lost, t = total + y;
        lost = (t - total) - y;
        total = t;
    }
    return total;
}
