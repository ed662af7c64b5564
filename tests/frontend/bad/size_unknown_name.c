// expect: 'k' is no parameter of f
#pragma regraph size(n=10, k=2)
void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }
