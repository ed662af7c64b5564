// function: h
// expect: no function 'h'; the file defines f (line 3)
void f(int n, float *x) { for (int i = 0; i < n; i++) x[i] = 0; }
