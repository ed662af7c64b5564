// expect: several functions: f (line 3), g (line 4); choose one with --function
// (one of them must be chosen)
void f(int n, float *x) { for (int i = 0; i < n; i++) x[i] = 0; }
void g(int n, float *x) { for (int i = 0; i < n; i++) x[i] = 1; }
