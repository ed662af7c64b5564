// expect: pragma_unclosed.c:2:17: 'size' needs its arguments in parentheses
#pragma regraph size(n=10
void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }
