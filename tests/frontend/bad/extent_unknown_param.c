// expect: 'B' is no parameter of f; it has n, A
#pragma regraph size(n=10) extent(B: n)
void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }
