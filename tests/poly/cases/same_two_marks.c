// A mark and a level beside it, by the mark; how often edges were looked at. want: parallel
// chain: parallelize@C
#pragma regraph size(n=3000, m=20000, d=4) size(n=70, m=90, d=1) input(seen: uniform(0, 1)) input(front: uniform(0, 1)) extent(seen: n) extent(front: n) extent(level: n)
int step(int n, int m, const int *a, const int *b, const int *front, int d, int *seen, short *level)
{
    int looked = 0;
    level[n - 1] = 0;
    for (int e = 0; e < m; e++) {
        if (!front[a[e]]) continue;
        looked++;
        if (!seen[b[e]]) {
            seen[b[e]] = 1;
            level[b[e]] = 3;
        }
    }
    return looked + d;
}
