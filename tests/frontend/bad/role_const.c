// expect: 'x' is const: its role is in
#pragma regraph size(n=10) role(x: out)
void f(int n, const float *x, float *A) { for (int i = 0; i < n; i++) A[i] = x[i]; }
