// expect: size_missing.c:3: no size for 'n', 'm'
// expect: #pragma regraph size(n=10000, m=10000)
void f(int n, int m, float A[n][m]) { for (int i = 0; i < n; i++) A[i][0] = 0; }
