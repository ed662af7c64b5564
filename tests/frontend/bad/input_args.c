// expect: wrong number of arguments: it is uniform(lo, hi)
#pragma regraph size(n=10) input(A: uniform(0))
void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }
