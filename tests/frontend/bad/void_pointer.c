// expect: is a void pointer that is converted to 'float *' and 'int *'
#pragma regraph size(n=4)
void f(int n, void *x) { for (int i = 0; i < n; i++) ((float *)x)[i] = ((int *)x)[i]; }
