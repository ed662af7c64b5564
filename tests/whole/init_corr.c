#include <math.h>
#include <stdio.h>
#define M 70
#define N 90
double float_n, data[N][M], corr[M][M], mean[M], stddev[M];
void init_array(void)
{
  int i, j;
  float_n = (double)N;
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) data[i][j] = (double)(i * j) / M + i;
}
void kernel_correlation(int m, int n)
{
  int i, j, k;
  double eps = 0.1;
  for (j = 0; j < m; j++) {
    mean[j] = 0.0;
    for (i = 0; i < n; i++) mean[j] += data[i][j];
    mean[j] /= float_n;
  }
  for (j = 0; j < m; j++) {
    stddev[j] = 0.0;
    for (i = 0; i < n; i++) stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    stddev[j] = sqrt(stddev[j] / float_n);
    stddev[j] = stddev[j] <= eps ? 1.0 : stddev[j];
  }
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++) data[i][j] = (data[i][j] - mean[j]) / (sqrt(float_n) * stddev[j]);
  for (i = 0; i < m - 1; i++) {
    corr[i][i] = 1.0;
    for (j = i + 1; j < m; j++) {
      corr[i][j] = 0.0;
      for (k = 0; k < n; k++) corr[i][j] += data[k][i] * data[k][j];
      corr[j][i] = corr[i][j];
    }
  }
  corr[m - 1][m - 1] = 1.0;
}
