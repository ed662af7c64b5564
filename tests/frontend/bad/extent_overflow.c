// expect: too large
#pragma regraph size(n=4000000000)
void f(long n, double A[n][n]) { for (long i = 0; i < n; i++) A[i][i] = 0; }
