// one of two is given
// explain: n=100, m=1000000  timed
// explain: m=1000000, as nobody said what to time (--size n=100,m=1000000)
void f(int n, int m, float A[n][m]) { for (int i = 0; i < n; i++) for (int k = 0; k < m; k++) A[i][k] = i - k; }
#pragma regraph size(n=100)
