// expect: size_zero.c:2:22: size n=0: 'n' is 0; it must be positive
#pragma regraph size(n=0)
void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }
