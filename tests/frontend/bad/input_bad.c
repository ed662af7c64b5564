// expect: 'gauss(0, 1)' is no distribution
#pragma regraph size(n=10) input(A: gauss(0, 1))
void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }
