// expect: 'a' is no integer scalar
#pragma regraph size(n=10) extent(A: a)
void f(int n, float a, float *A) { for (int i = 0; i < n; i++) A[i] = a; }
