// Column k + 1 is read as well, which the round stores to: its points stay in order. want: parallel
// chain: wavefront@C
// lacks: _start
#pragma regraph size(n=40) size(n=5) size(n=2) input(d: uniform(0, 90)) extent(d: n, n) extent(from: n, n)
void two_columns(long *d, int *from, int n)
{
    for (int k = 0; k < n - 1; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i * n + k] + d[k * n + j] + d[i * n + k + 1] < d[i * n + j]) {
                    d[i * n + j] = d[i * n + k] + d[k * n + j];
                    from[i * n + j] = from[k * n + j];
                }
}
