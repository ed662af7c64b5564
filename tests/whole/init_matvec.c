#include <stdio.h>
#include <stdlib.h>
#define NI 200
#define NJ 220
static void init_array(int ni, int nj, double *alpha, double A[NI][NJ], double *x)
{
  int i, j;
  *alpha = 1.5;
  for (i = 0; i < NI; i++) {
    x[i] = i / (double)NI;
    for (j = 0; j < NJ; j++) A[i][j] = ((double)i*j) / NI;
  }
}
void kernel_mv(int ni, int nj, double alpha, double A[NI][NJ], double *x, double y[NJ])
{
  int i, j;
  for (j = 0; j < nj; j++) y[j] = 0;
  for (i = 0; i < ni; i++)
    for (j = 0; j < nj; j++) y[j] += alpha * A[i][j] * x[i];
}
