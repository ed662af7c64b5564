// expect: 'w' of make matches no parameter of f; it has n, A
void make(int n, float *w) { w[0] = n; }
#pragma regraph size(n=10) init(make)
void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }
