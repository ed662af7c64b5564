// expect: is a void pointer; give its element type
#pragma regraph size(n=4)
void f(int n, void *x, float *y) { for (int i = 0; i < n; i++) y[i] = x ? 1 : 0; }
