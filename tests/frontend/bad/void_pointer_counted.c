// expect: is a void pointer that is converted to 'float *' and 'char *'
#pragma regraph size(n=4)
void f(int n, const void *x, float *y) { const float *p = x; for (int i = 0; i < n; i++) y[i] = p[i] + *(const float *)(x + 4 * i); }
