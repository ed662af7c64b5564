// Two places in an array are compared, in whichever order they are: none is required. want: parallel
#pragma regraph size(n=9, a_count=6, b_count=3)
#pragma regraph size(n=8, a_count=2, b_count=7)
#pragma regraph extent(x: n)
void ends_either_order(int n, int *restrict x, const int *a, const int *b, int *restrict o)
{
    const int *lo = a, *hi = b;
    if (a > b) {
        lo = b;
        hi = a;
    }
    int s = 0;
    for (int i = 0; i < n; i++)
        if (&x[i] >= lo && &x[i] < hi) s += x[i];
    o[0] = s;
}
