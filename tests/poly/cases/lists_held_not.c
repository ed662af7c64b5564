// Where the counter was is not where the elements go: the held value moves on. want: sequential
// chain: sequential@C
#pragma regraph size(n=300) size(n=5) extent(c: n) extent(a: 5 * n + 9) input(c: uniform(0, 3))
int gaps(int n, const int *c, int *a)
{
    int m = 0;
    for (int v = 0; v < n; v++) {
        int h = m;
        if (v % 3 == 0) h = h + 1;
        for (int j = 0; j < c[v]; j++) {
            a[h + j] = v;
            m += 1;
        }
    }
    return m;
}
