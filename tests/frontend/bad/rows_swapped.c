// expect: rows_swapped.c:4:
// expect: a row of 'A' is set to another one
#pragma regraph size(n=4)
void f(int n, float **A) { float *t = A[0]; A[0] = A[1]; A[1] = t; for (int i = 0; i < n; i++) A[i][0] = 0; }
