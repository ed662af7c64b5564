// expect: size_overflow.c:3:22
// expect: does not fit the parameter's type
#pragma regraph size(n=3000000000)
void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }
