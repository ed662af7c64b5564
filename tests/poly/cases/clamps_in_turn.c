// want: parallel
/* What is set anew before anything reads it is one value: what the first clamp makes of the parameter, not the last. */
int clamps_in_turn(int n, int m, int k, const int *restrict in, int *restrict out)
{
#pragma regraph extent(in: 100) extent(out: 100)
#pragma regraph size(n=3, m=5, k=2) size(n=40, m=9, k=7) size(n=8, m=20, k=30)
    int a = n, b = m, u = 1;
    b = k + 1;
    if (a > b) a = b;
    if (a < 2) a = 2;
    int was = a;
    if (a > m) { a = m; u = 3; }
    for (int i = 0; i < a; i++) out[i] = in[i] * was + u;
    return a + b;
}
