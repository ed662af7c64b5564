// expect: 'output' is no role: in, out or inout
#pragma regraph size(n=10) role(A: output)
void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }
