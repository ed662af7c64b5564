/* Covariance matrix of the columns of data */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(m=61, n=83) size(m=17, n=23) size(m=2, n=3)
void kernel_covariance(int m, int n, real data[n][m], real cov[m][m], real mean[m])
{
    real float_n = n;
    for (int j = 0; j < m; j++) {
        mean[j] = 0;
        for (int i = 0; i < n; i++) mean[j] += data[i][j];
        mean[j] /= float_n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) data[i][j] -= mean[j];
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            cov[i][j] = 0;
            for (int k = 0; k < n; k++) cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] /= float_n - 1;
            cov[j][i] = cov[i][j];
        }
}
