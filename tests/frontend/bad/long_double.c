// expect: is long double, which no GPU has
#pragma regraph size(n=4)
void f(int n, long double *x) { for (int i = 0; i < n; i++) x[i] = 0; }
