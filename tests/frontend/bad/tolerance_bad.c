// expect: unknown tolerance 'tol'
#pragma regraph size(n=4) tolerance(tol=1)
void f(int n, float *x) { for (int i = 0; i < n; i++) x[i] = 0; }
