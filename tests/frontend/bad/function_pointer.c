// expect: is a pointer to a function
#pragma regraph size(n=4)
void f(int n, float *x, float (*op)(float)) { for (int i = 0; i < n; i++) x[i] = op(x[i]); }
