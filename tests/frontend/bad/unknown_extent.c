// expect: unknown_extent.c:3: the extent of 'x' cannot be read off the code
// expect: #pragma regraph extent(x: n)
void f(int n, const int *p, float *x) { for (int i = 0; i < n; i++) x[p[i] ^ p[i + 1]] = 0; }
#pragma regraph size(n=100)
