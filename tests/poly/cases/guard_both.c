// Long work in both arms, a recurrence behind it in one: rows at once, then the recurrence. want: parallel
#pragma regraph size(n=3000, m=137) size(n=5, m=3) size(n=1, m=1) size(n=33, m=40)
#include <math.h>
double guard_both(int n, int m, const double *restrict x, double *restrict out)
{
    double total = 0.25;
    for (int i = 0; i < n; i++) {
        double s = 0;
        if (x[i * m] < 0.3) {
            for (int j = 0; j < m; j++) s += sin(x[i * m + j]);
            out[i] = s;
        } else {
            for (int j = 0; j < m; j++) s += cos(x[i * m + j]);
            out[i] = -s;
            total = total * 0.5 + sin(s + total);
        }
    }
    return total;
}
