// What a row begins with is what the rows in front of it have left: they run in order. want: sequential
#pragma regraph size(n=300, m=37) size(n=5, m=3) size(n=1, m=1)
#include <math.h>
double guard_else_not(int n, int m, const double *restrict x, double *restrict out)
{
    double total = 0.25;
    for (int i = 0; i < n; i++) {
        double s = total;
        if (x[i * m] < 0.3) {
            out[i] = -s;
            continue;
        }
        for (int j = 0; j < m; j++) s = sin(s + x[i * m + j]);
        out[i] = s;
        total = total * 0.5 + sin(out[i]);
    }
    return total;
}
