// Quotients of what may be below 0 are cut off towards it, and a narrow number comes round: two iterations meet. want: sequential
// chain: sequential
#pragma regraph size(n=200, c=6) size(n=30, c=6) size(n=9, c=2) extent(o: n + 200) extent(w: 256)
void meet(int n, int c, int *o, int *w)
{
    for (int i = 0; i < n; i++)
        o[(2 * i - c + 1) / 2 + 100] = o[(2 * i - c + 1) / 2 + 100] * 3 + i;
    for (int i = 0; i < 2 * n; i++)
        w[(unsigned char)i] = w[(unsigned char)i] * 3 + i;
    for (int i = 0; i < n; i++)
        w[(signed char)(8 * i) + 128] = w[(signed char)(8 * i) + 128] * 5 + i;
}
