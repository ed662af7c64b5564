// expect: is a void pointer
#pragma regraph size(n=4)
void f(int n, void *x) { for (int i = 0; i < n; i++) ((float *)x)[i] = 0; }
