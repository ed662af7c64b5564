// expect: holds a union
union u { int i; float f; };
#pragma regraph size(n=4)
void f(int n, union u *x) { for (int i = 0; i < n; i++) x[i].i = 0; }
