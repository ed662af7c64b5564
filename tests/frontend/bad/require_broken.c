// expect: it breaks require(n % 16 == 0)
#pragma regraph size(n=10) require(n % 16 == 0)
void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }
