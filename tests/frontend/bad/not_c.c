// expect: not_c.c:4:
// expect: expected
void f(int n, float *x) {
    for int i = 0; i < n; i++) x[i] = 0;
}
