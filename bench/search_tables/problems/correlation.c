#include <math.h>
/* means and deviations of m columns, then their correlation matrix */
#pragma regraph size(n=1024, m=256) size(n=50, m=23)
void correlation(int n, int m, const float data[n][m], float mean[m], float stddev[m], float corr[m][m])
{
    for (int j = 0; j < m; j++) {
        float s = 0.0f;
        for (int i = 0; i < n; i++) s += data[i][j];
        mean[j] = s / n;
    }
    for (int j = 0; j < m; j++) {
        float s = 0.0f;
        for (int i = 0; i < n; i++) s += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] = sqrtf(s / n) + 0.1f;
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            float s = 0.0f;
            for (int k = 0; k < n; k++)
                s += (data[k][i] - mean[i]) * (data[k][j] - mean[j]);
            corr[i][j] = s / (n * stddev[i] * stddev[j]);
        }
}
