/* Correlation matrix of the columns of data */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
double sqrt(double);
#pragma regraph size(m=61, n=83) size(m=17, n=23) size(m=2, n=3)
void kernel_correlation(int m, int n, real data[n][m], real corr[m][m], real mean[m], real stddev[m])
{
    real float_n = n, eps = 0.1;
    for (int j = 0; j < m; j++) {
        mean[j] = 0;
        for (int i = 0; i < n; i++) mean[j] += data[i][j];
        mean[j] /= float_n;
    }
    for (int j = 0; j < m; j++) {
        stddev[j] = 0;
        for (int i = 0; i < n; i++) stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] /= float_n;
        stddev[j] = sqrt(stddev[j]);
        stddev[j] = stddev[j] <= eps ? (real)1 : stddev[j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= sqrt(float_n) * stddev[j];
        }
    for (int i = 0; i < m - 1; i++) {
        corr[i][i] = 1;
        for (int j = i + 1; j < m; j++) {
            corr[i][j] = 0;
            for (int k = 0; k < n; k++) corr[i][j] += data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
    }
    corr[m - 1][m - 1] = 1;
}
