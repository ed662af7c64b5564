// expect: 'n' is no parameter of f
static int n;
static struct { int n; } g;
void other(void) { n++; }
#pragma regraph size(n=10)
void f(float A[10]) { for (int i = 0; i < g.n && i < 10; i++) A[i] = 0; }
