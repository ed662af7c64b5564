// expect: no function 'fill_it' in the file
#pragma regraph size(n=10) init(fill_it)
void f(int n, float A[n]) { for (int i = 0; i < n; i++) A[i] = 0; }
