// Rows of a table are blocks of their own: how far a pointer is in one says nothing of another's. want: sequential
#pragma regraph size(n=300) size(n=1) size(n=37) extent(t: n, 9) extent(o: n) input(t: uniform(0, 5))
void same(int **t, int n, int *restrict o)
{
    for (int i = 0; i < n; i++) {
        const int *p = t[i], *q = i % 3 ? t[i] : t[n - 1 - i];
        int k = 0;
        while (k < 8 && p[k] != 4) k++;
        o[i] = (p + k == q) * 2 + (p == q) + k;
    }
}
