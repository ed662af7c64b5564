#include <stdlib.h>
/* m tridiagonal systems of n rows: a below, b on, c above the diagonal, d on the right; a[0] and c[n-1] of each are not used */
void ref_tridiag(int m, int n, const float *a, const float *b, const float *c, const float *d, float *x)
{
    float *cp = malloc(n * sizeof *cp), *dp = malloc(n * sizeof *dp);
    for (int s = 0; s < m; s++) {
        int o = s * n;
        cp[0] = c[o] / b[o];
        dp[0] = d[o] / b[o];
        for (int i = 1; i < n; i++) {
            float w = b[o + i] - a[o + i] * cp[i - 1];
            cp[i] = c[o + i] / w;
            dp[i] = (d[o + i] - a[o + i] * dp[i - 1]) / w;
        }
        x[o + n - 1] = dp[n - 1];
        for (int i = n - 2; i >= 0; i--) x[o + i] = dp[i] - cp[i] * x[o + i + 1];
    }
    free(cp);
    free(dp);
}
