// Lengths below 0 close circles: row and column change in their own round, and the loops are run as they stand. want: parallel
// chain: parallelize@C
// shows: _start
#pragma regraph size(n=24) size(n=5) size(n=1) input(d: uniform(-9, 40)) extent(d: n, n) extent(from: n, n)
void with_predecessors(long *d, int *from, int n)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i * n + k] < 1000 && d[k * n + j] < 1000 && d[i * n + k] + d[k * n + j] > -100000 &&
                    d[i * n + k] + d[k * n + j] < d[i * n + j]) {
                    d[i * n + j] = d[i * n + k] + d[k * n + j];
                    from[i * n + j] = from[k * n + j];
                }
}
