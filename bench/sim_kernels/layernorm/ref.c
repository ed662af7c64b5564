#include <math.h>
void ref_layernorm(int m, int n, const float *x, const float *g, const float *b, float *y)
{
    for (int i = 0; i < m; i++) {
        double s = 0, q = 0;
        for (int j = 0; j < n; j++) s += x[i * n + j];
        s /= n;
        for (int j = 0; j < n; j++) q += (x[i * n + j] - s) * (x[i * n + j] - s);
        double r = 1 / sqrt(q / n + 1e-5);
        for (int j = 0; j < n; j++) y[i * n + j] = (x[i * n + j] - s) * r * g[j] + b[j];
    }
}
