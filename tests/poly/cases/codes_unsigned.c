// Codes that are compared as unsigned, or partly known: each test says what C says. want: parallel
static int set(int *p, int v) { *p = v; return v > 3 ? -1 : 0; }
static int fix(int *p, int v) { *p = v; return -2; }
#pragma regraph size(n=900,k=3) size(n=9,k=5) size(n=1,k=3) size(n=2,k=4)
int codes_unsigned(const int *x, int n, int *y, int k)
{
    int a = 0, b = 0, c = 0;
    if (set(&a, k) || fix(&b, 7) == -1 || set(&c, 2)) return a + 10 * b + 100 * c;
    unsigned u = 0;
    if (fix(&a, 1) + u > 0u && set(&c, 9)) b++;
    for (int i = 0; i < n; i++) y[i] = x[i] * a + b + c;
    if (fix(&a, 1) > 0u) c++;
    signed char s = fix(&b, 3);
    if (s < 0) c += 5;
    return a + b + c;
}
