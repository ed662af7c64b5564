/* smooth.c: in the style of benchmark suites: sizes by macros, init_array, kernel, print_array, main */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef N
#define N 120
#define TSTEPS 8
#endif
#define DATA_TYPE float
static void init_array(int n, DATA_TYPE *A, DATA_TYPE *B)
{
  int i, j;
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) {
      A[i * N + j] = ((DATA_TYPE)i * (j + 2) + 2) / N;
      B[i * N + j] = ((DATA_TYPE)i * (j + 3) + 3) / N;
    }
}
static void print_array(int n, DATA_TYPE *A)
{
  int i;
  for (i = 0; i < n * n; i++) {
    if (i % 20 == 0) fprintf(stderr, "\n");
    fprintf(stderr, "%0.2f ", A[i]);
  }
}
static void kernel_smooth(int tsteps, int n, DATA_TYPE *A, DATA_TYPE *B)
{
  int t, i, j;
#pragma scop
  for (t = 0; t < tsteps; t++) {
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        B[i * n + j] = 0.2f * (A[i * n + j] + A[i * n + j - 1] + A[i * n + 1 + j] + A[(1 + i) * n + j] + A[(i - 1) * n + j]);
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        A[i * n + j] = 0.2f * (B[i * n + j] + B[i * n + j - 1] + B[i * n + 1 + j] + B[(1 + i) * n + j] + B[(i - 1) * n + j]);
  }
#pragma endscop
}
int main(int argc, char **argv)
{
  DATA_TYPE *A = malloc(N * N * sizeof *A), *B = malloc(N * N * sizeof *B);
  init_array(N, A, B);
  kernel_smooth(TSTEPS, N, A, B);
  if (argc > 42 && !strcmp(argv[0], "")) print_array(N, A);
  free(A); free(B);
  return 0;
}
