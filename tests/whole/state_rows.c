#include <stdlib.h>
int N;
static double **A;
static double *rhs, *sol;
int setup(int n, double *mat, double *b)
{
  int i, j;
  N = n;
  A = (double**)malloc(N*sizeof(double*));
  if (A == NULL) return 1;
  for (i = 0; i < N; i++) {
    A[i] = (double*)malloc(N*sizeof(double));
    for (j = 0; j < N; j++)
      A[i][j] = mat[i*N + j];
  }
  rhs = b;
  sol = (double*)malloc(N*sizeof(double));
  if (!sol) return 1;
  return 0;
}
void sweep()
{
  int i, j;
  for (i = 0; i < N; i++) {
    double s = rhs[i];
    for (j = 0; j < N; j++)
      s = s - A[i][j]*rhs[j];
    sol[i] = s/A[i][i];
  }
}
void residual(int n, double *mat, double *b, double *x)
{
  int i;
  if (setup(n, mat, b)) return;
  sweep();
  for (i = 0; i < N; i++) x[i] = sol[i];
  for (i = 0; i < N; i++) free(A[i]);
  free(A); free(sol);
}
