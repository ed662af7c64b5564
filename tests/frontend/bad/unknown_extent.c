// expect: unknown_extent.c:3: the extent of 'x' cannot be read off the code
// expect: #pragma regraph extent(x: n)
void f(int n, const int *p, const int *q, float *x) { for (int i = 0; i < n; i++) if (q[i]) x[p[i]] = 0; }
#pragma regraph size(n=100)
