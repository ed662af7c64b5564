#include <math.h>
/* mean and standard deviation of each of n columns of m rows */
void ref_colstat(int m, int n, const float *x, float *mean, float *dev)
{
    for (int j = 0; j < n; j++) {
        double s = 0, q = 0;
        for (int i = 0; i < m; i++) s += x[i * n + j];
        s /= m;
        for (int i = 0; i < m; i++) q += (x[i * n + j] - s) * (x[i * n + j] - s);
        mean[j] = s;
        dev[j] = sqrt(q / m);
    }
}
