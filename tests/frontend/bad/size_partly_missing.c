// expect: size_partly_missing.c:4:22
// expect: no size for 'm'
void f(int n, int m, float A[n][m]) { for (int i = 0; i < n; i++) A[i][0] = 0; }
#pragma regraph size(n=100)
