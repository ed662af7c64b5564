// expect: is complex of long double
#include <complex.h>
#pragma regraph size(n=4)
void f(int n, long double complex *x) { for (int i = 0; i < n; i++) x[i] = 0; }
